/** What the page reads in a text is what Python reads in it (`tests/golden/definitions/`), or it is refused. */

import { expect, test } from 'vitest';
import golden from '../../../tests/golden/definitions/definitions.json';
import { mentions } from '../../src/editor/edit_command_operations';
import type { Data } from '../../src/editor/definition_data';
import { resultFields } from '../../src/editor/result_field_names';
import { lacks } from '../../src/editor/name_rules';
import { read } from '../../src/editor/definition_text_reader';
import { scalarText } from '../../src/editor/yaml_quoting';

/** Texts that Python reads, and this page does not: it says so. */
const REFUSED = [
  ...['a: 9007199254740993\n', 'a: 123456789012345678901234567890\n', 'a: 0x20000000000001\n', 'a: 1\rb: 2\n'],
  ...['a: \ufeffb\n', "a: 'b\u2028c'\n", 'a: b\u0085\n', 'a: b\u2029\n', 'a: &x 1\n', 'a: !!str 1\n', '? a\n: b\n'],
  ...['a: [b: c]\n', '%YAML 1.1\n---\na: yes\n', '__proto__: 1\n', 'a: "\\ud83d\\ude00"'],
];

test('a text says what Python reads in it', () => {
  const texts = golden.texts as [string, Data | null][];
  const other: string[] = [];
  for (const [text, data] of texts) {
    const found = read(text);
    if (!found.ok && data !== null) {
      other.push(text);
    } else {
      expect(found.ok ? found.data : null, text).toEqual(data);
    }
    expect(found.ok || /^line \d+, column \d+: [^\n]+$/.test(found.message), JSON.stringify(found)).toBe(true);
  }

  expect(other.filter((text) => !REFUSED.includes(text))).toEqual([]);
});

test('of texts of several lines Python reads the same, or this page reads none', () => {
  const texts = golden.lines as [string, Data | null][];
  const readHere = texts.map(([text, data]) => [text, data, read(text)] as const).filter(([, , found]) => found.ok);

  for (const [text, data, found] of readHere) {
    expect(found.ok && found.data, JSON.stringify(text)).toEqual(data);
  }
  expect(readHere.length).toBeGreaterThan(texts.length / 4);
});

test('a text is quoted where Python quotes it', () => {
  for (const [text, written] of golden.scalars as [string, string][]) {
    expect(scalarText(text, false).replace('\\U', '\\u'), JSON.stringify(text)).toBe(written.replace('\\U', '\\u'));
  }
});

test('an action can be called what Python lets it be called', () => {
  for (const [name, isState, isStep] of golden.names as [string, boolean, boolean][]) {
    expect([lacks(name, 'states') === null, lacks(name, 'steps') === null], name).toEqual([isState, isStep]);
  }
});

test('an expression mentions the actions that Python reads in it', () => {
  for (const [text, names] of golden.expressions as [string, string[]][]) {
    const isMentioned = names.some((name) => /^(?:steps\.)?look(?:\.|$)|^look_(?!up)/.test(name));
    const states = { look: {}, look_up: {}, last: { when: text } };

    expect(mentions({ states }, 'look').length > 0, text).toBe(isMentioned);
  }
});

test('each field that a tool gives is known', () => {
  for (const [tool, names] of golden.fields as [string, string[]][]) {
    const fields = resultFields({ states: { first: { tool } } });
    expect(names.filter((name) => !fields.has(name)), tool).toEqual([]);
  }
  expect(resultFields({ states: { first: { tool: 'shell' } } }).has('status')).toBe(false);
});
