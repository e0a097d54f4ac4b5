/** Which tools are found, and what is made of one. */

import { describe, expect, it } from 'vitest';

import { addition } from '../../src/editor/action_addition';
import { graph } from '../../src/editor/graph';
import { matching } from '../../src/editor/tool_palette';
import type { Tool } from '../../src/protocol';

const tool = (name: string, says = '', properties: Record<string, { type: string }> = {}): Tool => (
  { name, says, parameters: { properties, required: Object.keys(properties) }, results: null }
);
const TOOLS = [tool('shell', 'Run a command', { command: { type: 'string' }, times: { type: 'number' } }), tool('ask', 'Ask a person'), tool('sleep', 'Wait'), tool('task', 'Run a shell')];
const steps = graph({ steps: [{ id: 'a', tool: 'shell' }, { id: 'b', tool: 'shell' }] });
const states = graph({ states: { shell: { action: { tool: 'shell' } } } });

describe('the palette', () => {
  it('finds by the name, those that begin so first, then by the words', () => {
    const found = (typed: string): string[] => matching(TOOLS, typed).map(({ name }) => name);
    expect(found('')).toEqual(['shell', 'ask', 'sleep', 'task']);
    expect(found(' AS')).toEqual(['ask', 'task']);
    expect(found('shell')).toEqual(['shell', 'task']);
    expect(found('nothing')).toEqual([]);
  });

  it('adds after an action, joined as the form of the workflow joins', () => {
    expect(addition(states, TOOLS, 'shell', { after: 'shell' })).toEqual({
      name: 'shell_2',
      commands: [
        { do: 'add', name: 'shell_2', action: { action: { tool: 'shell', params: { command: '' } } }, after: 'shell' },
        { do: 'connect', from: 'shell', to: 'shell_2' },
      ],
    });
    expect(addition(steps, TOOLS, 'sleep', { after: 'a' }).commands).toEqual([
      { do: 'add', name: 'sleep', action: { tool: 'sleep' }, after: 'a' },
    ]);
    expect(addition(steps, TOOLS, 'sleep', {}).commands).toEqual([{ do: 'add', name: 'sleep', action: { tool: 'sleep' } }]);
  });

  it('inserts between two', () => {
    const [between] = steps.ways;
    expect(addition(steps, TOOLS, 'ask', { between: between! }).commands).toEqual([
      { do: 'insert', name: 'ask', action: { tool: 'ask' }, from: 'a', to: 'b' },
    ]);
  });
});
