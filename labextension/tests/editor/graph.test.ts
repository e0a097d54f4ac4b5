/** What is drawn of a definition, whatever it holds. */

import { describe, expect, it } from 'vitest';

import type { Json } from '../../src/editor/definition_data';
import { conditionText, graph } from '../../src/editor/graph';
import type { Graph } from '../../src/editor/graph';
import { layout, placeBoxes, shapeOf, waysBack } from '../../src/editor/layout';

const ways = (data: Json): string[] =>
  graph(data).ways.map(({ from, to, kind, label }) => `${from} ${kind} ${to}${label && ` (${label})`}`);

describe('a definition is drawn', () => {
  it('as its states, with one way for all conditions that lead to the same', () => {
    const data = {
      initial_state: 'a',
      states: {
        a: {
          action: { tool: 'shell' },
          transitions: [
            { condition: { success: true }, next_state: 'b' },
            { condition: 'result.exit_code == 3', next_state: 'b' },
            { condition: { field_equals: { answer: 'no' } }, next_state: 'a' },
          ],
          on_timeout: 'b',
        },
        b: { action: { tool: 'sleep' } },
      },
    };
    expect(ways(data)).toEqual([
      'a transition b (success or result.exit_code == 3)',
      'a transition a (answer = "no")',
      'a timeout b (timeout)',
    ]);
    expect(graph(data).nodes.map(({ name, first, last }) => [name, first, last])).toEqual([['a', true, false], ['b', false, true]]);
  });

  it('as its steps: in order where none has needs, else by their needs; what is always done apart', () => {
    const steps = [{ tool: 'shell' }, { id: 'two', tool: 'shell' }, { id: 'end', tool: 'shell', always: true }];
    expect(ways({ steps })).toEqual(['step_1 order two']);
    const needing = [{ id: 'a', tool: 't' }, { id: 'b', tool: 't' }, { id: 'c', tool: 't', needs: ['a', { id: 'b', even_if: 'failed' }] }];
    expect(ways({ steps: needing })).toEqual(['a need c', 'b need c (even if failed)']);
    expect(ways({ steps: needing, mode: 'sequence' })).toEqual(['a order b', 'a need c', 'b need c (even if failed)']);
  });

  it('with a group of steps as one state that tells its steps', () => {
    const steps = [{ tool: 'shell' }, { id: 'sum', tool: 'shell', needs: ['check_1', { id: 'x', even_if: 'failed' }] }];
    const check = { steps, when: 'n > 1', transitions: [{ condition: { success: true }, next_state: 'end' }] };
    const data = { initial_state: 'check', states: { check, end: { action: { tool: 't' } } } };
    const [drawn] = graph(data).nodes;
    expect([drawn!.tool, drawn!.marks.map(({ text }) => text)]).toEqual(['steps', ['check_1, sum after check_1 and x', 'when n > 1']]);
    expect(ways(data)).toEqual(['check transition end (success)']);
    expect(graph({ states: { odd: { steps: [null, 3, { needs: [[], null, 4] }] } } }).nodes.length).toBe(1);
  });

  it('with a ghost for a name that no action has', () => {
    const data = { initial_state: 'x', states: { a: { action: { tool: 't' }, on_timeout: 'y' } } };
    expect(graph(data).nodes.filter(({ path }) => path === null).map(({ name }) => name)).toEqual(['y', 'x']);
  });

  it('with the rules of each action in words', () => {
    const step = {
      id: 'a', tool: 't', when: 'x > 1', for_each: { items: 'hosts' }, retry: { attempts: 3 }, timeout: 5, cache: true,
      repeat: { until: { success: true } }, on_error: [{ tool: 'ask' }, { result: {} }], compensation: { tool: 'undo' }, always: true,
    };
    expect(graph({ steps: [step] }).nodes[0]?.marks.map(({ text }) => text)).toEqual([
      'when x > 1', 'for each hosts', 'until success', 'retry 3×', '≤ 5 s', 'else ask, a result', 'undo: undo', 'always last', 'cached',
    ]);
  });

  it('with conditions in the words of Python', () => {
    const [table] = Object.values(import.meta.glob('../../../tests/workflows/views/conditions.json', { eager: true, import: 'default' })) as [[Json, string][]];
    expect(table.map(([condition]) => conditionText(condition))).toEqual(table.map(([, words]) => words));
  });

  it('whatever is written there', () => {
    const odd: Json[] = [null, 1, 'x', [], true, {}, { steps: 1 }, { states: [] }, { steps: [null, 3, [], { tool: {} }, { tool: 't', needs: 7 }] },
      { states: { a: null, b: { action: 1, transitions: { x: 1 } }, c: { action: {}, transitions: [null, { next_state: 4 }] } }, initial_state: 3 },
      { steps: [{ tool: 't', id: '__proto__', needs: ['constructor'] }] }];
    for (const data of odd) {
      expect(() => layout(graph(data))).not.toThrow();
    }
  });
});

describe('the layout', () => {
  it('puts each after what leads to it, and none over another', () => {
    const steps = Array.from({ length: 30 }, (_, n) => ({ id: `s${n}`, tool: 't', needs: n < 3 ? [] : [`s${n - 3}`, `s${n - 1}`] }));
    const { nodes, ways } = graph({ steps });
    const { boxes } = layout(graph({ steps }));
    const left = (name: string): number => boxes[nodes.findIndex((node) => node.name === name)]?.x ?? NaN;
    for (const { from, to } of ways) {
      expect(left(from) + 200).toBeLessThan(left(to));
    }
    boxes.forEach((one, n) => boxes.slice(n + 1).forEach((other) => {
      const apart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
      expect(apart).toBe(true);
    }));
  });
});

describe('the layout', () => {
  const chain = (length: number, back: (n: number) => string | null) => graph({
    initial_state: 's0',
    states: Object.fromEntries(Array.from({ length }, (_, n) => [`s${n}`, {
      action: { tool: 'shell' },
      transitions: [
        ...(n + 1 < length ? [{ condition: { success: true }, next_state: `s${n + 1}` }] : []),
        ...(back(n) === null ? [] : [{ condition: { success: false }, next_state: back(n) }]),
      ],
    }])) as Json,
  });

  it('knows what leads back, to itself too', () => {
    const data = chain(5, (n) => (n === 3 ? 's1' : n === 4 ? 's4' : null));
    expect([...waysBack(data)].map((place) => data.ways[place]).map((way) => `${way?.from} ${way?.to}`)).toEqual(['s4 s4', 's3 s1']);
  });

  it('lays a few ways back out, and leaves many to arcs', () => {
    const few = layout(chain(30, (n) => (n % 10 === 9 ? `s${n - 9}` : null)));
    const many = layout(chain(30, (n) => (n > 0 ? `s${Math.floor(n / 2)}` : null)));
    expect(few.lines.every((line) => line !== null)).toBe(true);
    expect(many.lines.filter((line) => line === null)).toHaveLength(29);
  });

  it('is the same whatever its actions are called, and another where they are wired otherwise', () => {
    const wired = (...needs: [string, string[]][]): Graph => graph({ steps: needs.map(([id, before]) => ({ id, tool: 't', needs: before })) });
    const one = wired(['a', []], ['b', ['a']], ['c', ['b']]);
    const other = wired(['x', []], ['__proto__', ['x']], ['z', ['__proto__']]);

    expect(shapeOf(other)).toBe(shapeOf(one));
    expect(layout(other)).toEqual(layout(one));
    expect(shapeOf(wired(['a', []], ['b', ['a']], ['c', ['a']]))).not.toBe(shapeOf(one));
    expect(shapeOf(wired(['a', []], ['b', ['a']], ['b', ['a']]))).not.toBe(shapeOf(wired(['a', []], ['b', ['a']], ['c', ['a']])));
  });

  it('has those elsewhere that a person moved, and lines from them that are not laid out', () => {
    const drawing = chain(3, () => null);
    const before = layout(drawing);
    const after = placeBoxes(before, drawing, { s0: [-300, 7], gone: [1, 1] });

    expect(after.boxes[0]).toEqual({ ...before.boxes[0], x: -300, y: 7 });
    expect(after.boxes.slice(1)).toEqual(before.boxes.slice(1));
    expect(after.lines).toEqual([null, before.lines[1]]);
  });

  it('takes little time for 100 states with 99 long ways back', () => {
    const drawing = chain(100, (n) => (n > 0 ? `s${Math.floor(n / 2)}` : null));
    const before = performance.now();
    layout(drawing);
    expect(performance.now() - before).toBeLessThan(1500); // 70 ms, and 1,700 where each is laid out
  });
});
