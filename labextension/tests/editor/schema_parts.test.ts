/** What a form makes of a schema and of what is typed. */

import { describe, expect, it } from 'vitest';

import type { Json, Path } from '../../src/editor/definition_data';
import type { EditCommand } from '../../src/editor/edit_commands';
import { edit, spliced } from '../../src/editor/text_edit';
import { DEFS, begin, isPlain, longForm, plainValue, set, spelling, valueSchema } from '../../src/editor/schema_parts';

const done = (text: string, command: EditCommand): string => spliced(text, edit(text, command));
const variables = DEFS.StepsWorkflow?.properties?.variables ?? {};
const outputs = DEFS.StepsWorkflow?.properties?.outputs ?? {};

describe('what is typed where any value may be', () => {
  it('is a number or a truth where a definition reads it so, and stays a text that is in quotes', () => {
    expect(['3', '-1.5', 'true', 'null', '3 passing', '007', '1.', '', '.inf', '1.0.3', 'yes'].map((typed) => plainValue(typed, 'x'))).toEqual(
      [3, -1.5, true, null, '3 passing', 7, 1, '', '.inf', '1.0.3', 'yes'],
    );
    expect(plainValue('12', '1')).toBe('12');
    expect(plainValue('12', 1)).toBe(12);
  });
});

describe('a number that is typed', () => {
  /** The text after each key, and what it gives the field. */
  function typedInto(text: string, path: Path, words: readonly string[]): { text: string; value: Json | undefined } {
    return words.reduce(
      (now, word) => {
        const next = plainValue(word, now.value);
        const after = done(now.text, set(path, next, spelling(word, next)));
        return { text: after, value: next };
      },
      { text, value: undefined as Json | undefined },
    );
  }
  const keys = (word: string): string[] => [...word].map((_, n) => word.slice(0, n + 1));
  const YAML = 'variables: {n: x}\nsteps:\n  - tool: shell\n';

  it.each([
    ['1.0', '1.0', 1],
    ['1.10', '1.10', 1.1],
    ['1.', '1.0', 1],
    ['-0.50', '-0.50', -0.5],
    ['.5', '0.5', 0.5],
    ['1e3', '1000.0', 1000],
    ['07', '7', 7],
    ['0x1E', '30', 30],
    ['12', '12', 12],
    ['1.0.3', '1.0.3', '1.0.3'],
    ['true', 'true', true],
    ['yes', "'yes'", 'yes'],
    ['v1.0', 'v1.0', 'v1.0'],
  ])('%s is written as %s', (word, written, value) => {
    const last = typedInto(YAML, ['variables', 'n'], keys(word));

    expect([last.text, last.value]).toEqual([YAML.replace('x', written), value]);
  });

  it('is another one where its fraction is taken away again', () => {
    expect(typedInto(YAML, ['variables', 'n'], ['1', '1.', '1.0', '1.', '1']).text).toBe(YAML.replace('x', '1'));
  });

  it('is written so in a field that was not there, in a list and in JSON', () => {
    const made = typedInto(YAML, ['steps', 0, 'args', 'x'], ['2.50']).text;
    const json = typedInto('{"variables": {"n": [1, 2]}, "steps": [{"tool": "shell"}]}', ['variables', 'n', 1], ['2.0']).text;

    expect(made).toContain('x: 2.50');
    expect(json).toContain('"n": [1, 2.0]');
  });

  it('stays a text where it was one', () => {
    expect(typedInto("variables: {n: '1'}\nsteps: []\n", ['variables', 'n'], []).text).toContain("'1'");
    expect(plainValue('1.0', '1')).toBe('1.0');
  });
});

describe('variables and outputs', () => {
  it('begin as the schema has them', () => {
    expect([begin(valueSchema(variables)), begin(valueSchema(outputs))]).toEqual([{}, '']);
    expect([longForm(valueSchema(variables)), longForm(valueSchema(outputs))]).toEqual(['default', 'value']);
    expect([isPlain(DEFS.Variable ?? {}), isPlain(DEFS.Transition ?? {})]).toEqual([true, false]);
  });

  it('keep a variable that loses its last field, and lose the field of the last variable', () => {
    const text = 'variables:\n  who: {description: whom}   # to greet\nsteps:\n  - {tool: shell}\n';

    expect(done(text, { do: 'unset', path: ['variables', 'who', 'description'] })).toBe(text.replace('{description: whom}', '{}'));
    expect(done(text, { do: 'unset', path: ['variables', 'who'] })).toBe('steps:\n  - {tool: shell}\n');
    expect(done(text, { do: 'set', path: ['variables', 'n'], value: {} })).toContain('  n: {}\nsteps:');
  });
});
