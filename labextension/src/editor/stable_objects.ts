/** What is to be drawn → the same objects as before, where they say the same: React Flow draws those again that are
 *  others, and all where a function is another.
 */

import * as React from 'react';

export function useStableObjects<T extends { id: string }>(items: readonly T[]): T[] {
  const before = React.useRef<T[]>([]);
  return (before.current = React.useMemo(() => stableObjects(before.current, items), [items]));
}

export function stableObjects<T extends { id: string }>(before: T[], items: readonly T[]): T[] {
  const known = new Map(before.map((each) => [each.id, each]));
  const now = items.map((each) => {
    const had = known.get(each.id);
    return had && isAlike(had, each) ? had : each;
  });
  return now.length === before.length && now.every((each, place) => each === before[place]) ? before : now;
}

/** The same functions as before, which do what those of now do. */
export function useStableFunctions<T extends Record<string, (...given: never[]) => unknown>>(functions: T): T {
  const now = React.useRef(functions);
  now.current = functions;
  return React.useMemo(
    () => Object.fromEntries(Object.keys(functions).map((name) => [name, (...given: never[]) => now.current[name]?.(...given)])) as T,
    [],
  );
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
