/** Facts, and what changed of them → the facts after it. A list that did not change is the same object. */

import type { Changed, Splice } from './protocol';

export function spliced<T extends object>(before: T, changes: Changed<T>): T {
  const after = { ...before };
  for (const name of Object.keys(changes) as (keyof T)[]) {
    const change: unknown = changes[name];
    const known: unknown = before[name];
    const now = Array.isArray(change) && Array.isArray(known) ? list(known, change as Splice<unknown>[]) : change;
    after[name] = now as T[keyof T];
  }
  return after;
}

function list(before: readonly unknown[], changes: readonly Splice<unknown>[]): unknown[] {
  const after = [...before];
  for (const [at, what, ...came] of changes) {
    if (typeof what === 'number') {
      after.splice(at, what, ...came);
    } else {
      after[at] = { ...(after[at] as object), ...(what as object) };
    }
  }
  return after;
}
