/** What is to be drawn → the same objects as before, where they say the same: nobody draws those again. */

import * as React from 'react';

export function useStableObjects<T extends { id: string }>(items: readonly T[]): T[] {
  const before = React.useRef<ReadonlyMap<string, T>>(new Map());
  const now = stableObjects(before.current, items);
  before.current = new Map(now.map((each) => [each.id, each]));
  return now;
}

export function stableObjects<T extends { id: string }>(before: ReadonlyMap<string, T>, items: readonly T[]): T[] {
  return items.map((each) => {
    const had = before.get(each.id);
    return had && isAlike(had, each) ? had : each;
  });
}

/** Whether two values are the same, or made of the same: plain objects and lists, no others. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) {
    return true;
  }
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) {
    return false;
  }
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && isAlike(one[key], other[key]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value) as never);
}
