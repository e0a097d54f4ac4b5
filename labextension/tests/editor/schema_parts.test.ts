/** What a form makes of a schema and of what is typed. */

import { describe, expect, it } from 'vitest';

import type { EditCommand } from '../../src/editor/edit_commands';
import { edit, spliced } from '../../src/editor/edit';
import { DEFS, begin, isPlain, longForm, plainValue, valueSchema } from '../../src/editor/schema_parts';

const done = (text: string, command: EditCommand): string => spliced(text, edit(text, command));
const variables = DEFS.StepsWorkflow?.properties?.variables ?? {};
const outputs = DEFS.StepsWorkflow?.properties?.outputs ?? {};

describe('what is typed where any value may be', () => {
  it('is a number or a truth where a definition reads it so, and stays a text that is in quotes', () => {
    expect(['3', '-1.5', 'true', 'null', '3 passing', '007', '1.', ''].map((typed) => plainValue(typed, 'x'))).toEqual(
      [3, -1.5, true, null, '3 passing', '007', '1.', ''],
    );
    expect(plainValue('12', '1')).toBe('12');
    expect(plainValue('12', 1)).toBe(12);
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
