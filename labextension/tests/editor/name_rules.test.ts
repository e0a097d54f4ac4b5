/** What a field with placeholders offers, and what it makes of a choice. */

import { describe, expect, it } from 'vitest';

import { completed, namesAt, offered, used } from '../../src/editor/name_completion_field';
import type { KnownName } from '../../src/protocol';

const name = (word: string, kind: KnownName['kind'] = 'field'): KnownName => ({ name: word, kind, action: null, says: '' });
const KNOWN = [name('env', 'variable'), name('item', 'item'), name('result.stdout', 'gave'), name('build.stdout'), name('build.stderr')];
const offers = (text: string, cursor = text.length): string[] => offered(text, cursor, KNOWN).names.map((each) => each.name);

describe('names in placeholders', () => {
  it('are offered after a brace, those that begin so first', () => {
    expect(offers('echo {')).toEqual(KNOWN.map((each) => each.name));
    expect(offers('echo {e')).toEqual(['env', 'item', 'result.stdout', 'build.stdout', 'build.stderr'].filter((each) => each.includes('e')));
    expect(offers('echo {STD')).toEqual(['result.stdout', 'build.stdout', 'build.stderr']);
    expect(offers('echo {build.stde} x', 16)).toEqual(['build.stderr']);
  });

  it('are not offered where a brace is no placeholder', () => {
    expect(['echo', 'echo ${', "awk '{ ", '{{', '{env} ', '{9'].flatMap((text) => offers(text))).toEqual([]);
  });

  it('take the place of what was begun, in quotes where a shell reads them', () => {
    expect(completed('echo {bu; ls', 8, 5, 'build.stdout', true)).toEqual(['echo {build.stdout!q}; ls', 21]);
    expect(completed('a {bu.x} b', 5, 2, 'env', false)).toEqual(['a {env} b', 7]);
  });

  it('are those that are known there', () => {
    const at = (...path: (string | number)[]): string[] => namesAt(['states', 'a', ...path], {}, KNOWN).map((each) => each.name);
    expect(at('action', 'params', 'command')).not.toContain('result.stdout');
    expect(at('compensation', 'params', 'command')).toContain('result.stdout');
    expect(at('for_each', 'items')).not.toContain('item');
    expect(namesAt(['steps', 0, 'args', 'code'], { 'x-verbatim': true }, KNOWN)).toEqual([]);
  });

  it('are told from other braces when they are used', () => {
    expect(used('echo {env!q} {build.stdout} {nobody} env', KNOWN).map((each) => each.name)).toEqual(['env', 'build.stdout']);
  });
});

describe('names in expressions', () => {
  const bare = (text: string, cursor = text.length): string[] => offered(text, cursor, KNOWN, true).names.map((each) => each.name);

  it('are offered as they are begun, and not in quotes, after a number or a dot, or where they are whole', () => {
    expect(bare('en')).toEqual(['env']);
    expect(bare('')).toHaveLength(5);
    expect(bare("env == 'x' and build.s")).toEqual(['build.stdout', 'build.stderr']);
    expect(["env == 'en", 'env == "build', '1e', 'env ', 'env', 'len(x).en'].flatMap((text) => bare(text))).toEqual([]);
  });

  it('take the place of what was begun, without braces', () => {
    expect(completed('not bui.x > 3', 7, 4, 'build.stdout', true, true)).toEqual(['not build.stdout > 3', 16]);
  });

  it('are those that an expression can have, and what the action gave once it has ended', () => {
    const known = [...KNOWN, name('fetch-all.stdout')];
    const at = (...path: (string | number)[]): string[] =>
      namesAt(['steps', 0, ...path], { format: 'expression' }, known).map((each) => each.name);
    expect(at('when')).toEqual(['env', 'item', 'build.stdout', 'build.stderr']);
    expect(at('for_each')).not.toContain('item');
    expect(at('repeat', 'until')).toContain('result.stdout');
    expect(at('transitions', 0, 'condition')).toContain('result.stdout');
  });

  it('are told from texts when they are used', () => {
    expect(used("env == 'build.stdout' or build.stderr", KNOWN, true).map((each) => each.name)).toEqual(['env', 'build.stderr']);
  });
});
