/** What is the same is kept, so that React Flow draws nothing but what differs. */

import { expect, test } from 'vitest';
import { stableObjects } from '../../src/editor/stable_objects';

const node = (id: string, x: number, marks: string[], inner = new Map()) => ({ id, position: { x, y: 0 }, data: { marks, inner } });

test('what says the same is the same object as before', () => {
  const inner = new Map();
  const before = [node('one', 1, ['retry'], inner), node('two', 2, []), node('three', 3, [])];

  const now = stableObjects(before, [node('one', 1, ['retry'], inner), node('two', 5, []), node('three', 3, []), node('four', 4, [])]);

  expect(now[0]).toBe(before[0]);
  expect(now[1]).toEqual(node('two', 5, []));
  expect(now[2]).not.toBe(before[2]); // what its map holds is not looked at
  expect(now.map(({ id }) => id)).toEqual(['one', 'two', 'three', 'four']);
});

test('the list is the same where all of it is, in the same order', () => {
  const inner = new Map();
  const [one, two] = [node('one', 1, [], inner), node('two', 2, [], inner)];
  const before = [one, two];

  expect(stableObjects(before, [node('one', 1, [], inner), node('two', 2, [], inner)])).toBe(before);
  expect(stableObjects(before, [two, one])).toEqual([two, one]);
  expect(stableObjects(before, [one])).toEqual([one]);
});

test('more or fewer parts, and others of the same name, are otherwise', () => {
  const before = [{ id: 'a', parts: [1] as unknown }];

  for (const parts of [[1, 2], [], [undefined], { 0: 1 }, null, '1']) {
    expect(stableObjects(before, [{ id: 'a', parts }])[0]?.parts).toBe(parts);
  }
  expect(stableObjects(before, [{ id: 'a', parts: [1] }])[0]).toBe(before[0]);
});
