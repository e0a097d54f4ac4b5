/** What stands in the frames of actions that run a workflow, and how much room it takes. */

import { describe, expect, it } from 'vitest';

import { framesOf, idOf, inside, pathOf } from '../../src/editor/nested_frames';
import { graph } from '../../src/editor/graph';
import { layout, shapeOf } from '../../src/editor/layout';

const steps = (...ids: string[]) => ({ steps: ids.map((id) => ({ id, tool: 'run_workflow' })) });
const NESTED = [
  { path: ['a'], name: 'one', definition: steps('b', 'c') },
  { path: ['a', 'b'], name: 'two', definition: steps('d') },
  { path: ['e'], name: 'gone', definition: null, says: 'There is none.' },
  { path: ['f'], name: 'closed' },
];
const OUTER = graph(steps('a', 'e', 'f'));

describe('what actions run', () => {
  it('stands in their frames once these are opened, however deep', () => {
    const frames = framesOf(NESTED, ['a', idOf(['a', 'b']), 'e']);

    expect([...frames.keys()]).toEqual(['a', 'e', 'f']);
    expect([...frames.values()].map(({ open, graph: own }) => [open, own?.nodes.length])).toEqual([[true, 2], [true, undefined], [false, undefined]]);
    expect(inside(frames, idOf(['a', 'b', 'd']))?.node.name).toBe('d');
    expect(inside(frames, 'a')).toBeNull();
    expect(inside(frames, idOf(['f', 'x']))).toBeNull();
    expect(pathOf(idOf(['a', 'b']))).toEqual(['a', 'b']);
  });

  it('is gone from them when they are closed, though the kernel still tells it', () => {
    expect(framesOf(NESTED, [])).toEqual(new Map([
      ['a', { of: NESTED[0], open: false, data: {}, graph: null, inner: new Map() }],
      ['e', { of: NESTED[2], open: false, data: {}, graph: null, inner: new Map() }],
      ['f', { of: NESTED[3], open: false, data: {}, graph: null, inner: new Map() }],
    ]));
  });

  it('has room in the boxes that run it, and another layout', () => {
    const [closed, open] = [framesOf(NESTED, []), framesOf(NESTED, ['a', idOf(['a', 'b'])])];
    const [before, after] = [layout(OUTER, true, closed), layout(OUTER, true, open)];
    const [box, inner] = [after.boxes[0], after.inner[0]];

    expect(shapeOf(OUTER, open)).not.toBe(shapeOf(OUTER, closed));
    expect(before.boxes[0]?.height).toBeLessThan(box?.height ?? 0);
    expect(inner?.boxes).toHaveLength(2);
    expect(box?.width).toBeGreaterThan(inner?.width ?? Infinity);
    expect(box?.height).toBeGreaterThan(inner?.height ?? Infinity);
    expect(inner?.inner[0]?.boxes).toHaveLength(1);
  });
});
