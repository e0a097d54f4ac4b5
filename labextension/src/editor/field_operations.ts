/** Data, a field and its value → the least operations that give the field that value, or take it away. */

import { __ } from '../translation';
import type { Data, Json, Path } from './definition_data';
import type { Op } from './data_operations';
import { Refusal } from './refusal';
import { isMapping } from './syntax_tree';

/** Where a new field is written: before the first of those that come after it here. */
const ORDER: Record<'root' | 'action', readonly string[]> = {
  root: [
    ...['$schema', 'name', 'description', 'version', 'variables', 'rollback', 'rollback_on_cancel', 'max_states'],
    ...['timeout', 'mode', 'max_parallel', 'initial_state', 'states', 'steps', 'outputs'],
  ],
  action: [
    ...['id', 'description', 'when', 'for_each', 'tool', 'args', 'params', 'action', 'needs', 'timeout', 'idle_timeout'],
    ...['retry', 'on_error', 'repeat', 'capture', 'compensation', 'compensate_on_failure', 'idempotent', 'cache'],
    ...['always', 'on_failure', 'transitions', 'on_timeout'],
  ],
};

/** `as`: how that number is written. */
export function set(data: Data, path: Path, value: Json, as?: string): Op[] {
  if (path.length === 0) {
    throw new Refusal(__('The workflow as a whole is not set: name a field of it.'));
  }
  let here: Json = data;
  for (const [n, key] of path.entries()) {
    const inner = valueAt(here, key);
    if (inner === undefined || (n < path.length - 1 && (typeof inner !== 'object' || inner === null))) {
      const made = path.slice(n + 1).reduceRight<Json>((held, part) => (typeof part === 'number' ? [held] : { [part]: held }), value);
      const at = path.slice(0, n + 1);
      return [inner === undefined ? { ...insertion(here, at, made), as } : { op: 'set', path: at, value: made, as }];
    }
    here = inner;
  }
  return as === undefined ? difference(here, value, path) : [{ op: 'set', path, value, as }];
}

/** A value and what it is to be → the least that changes it. */
function difference(old: Json, value: Json, path: Path): Op[] {
  if (isMapping(old) && isMapping(value) && Object.keys(old).length > 0 && Object.keys(value).length > 0) {
    const ops: Op[] = [];
    for (const [key, item] of Object.entries(value)) {
      const at = [...path, key];
      const held = Object.hasOwn(old, key) ? old[key] : undefined;
      ops.push(...(held === undefined ? [insertion(old, at, item)] : difference(held, item, at)));
    }
    const gone = Object.keys(old).filter((key) => !Object.hasOwn(value, key));
    return [...ops, ...gone.map((key): Op => ({ op: 'remove', path: [...path, key] }))];
  }
  if (Array.isArray(old) && Array.isArray(value) && old.length > 0 && value.length > 0) {
    return listDifference(old, value, path);
  }
  return isSame(old, value) ? [] : [{ op: 'set', path, value }];
}

function listDifference(old: Json[], value: Json[], path: Path): Op[] {
  const most = Math.min(old.length, value.length);
  let before = 0;
  while (before < most && isSame(old[before]!, value[before]!)) {
    before += 1;
  }
  let after = 0;
  while (after < most - before && isSame(old.at(-1 - after)!, value.at(-1 - after)!)) {
    after += 1;
  }
  const both = most - before - after;
  const ops: Op[] = [];
  for (let n = before; n < before + both; n += 1) {
    ops.push(...difference(old[n]!, value[n]!, [...path, n]));
  }
  for (let n = old.length - after - 1; n >= before + both; n -= 1) {
    ops.push({ op: 'remove', path: [...path, n] });
  }
  for (let n = before + both; n < value.length - after; n += 1) {
    ops.push({ op: 'insert', path: [...path, n], value: value[n]! });
  }
  return ops;
}

/** A new field, where such a one is usually written. */
export function insertion(holder: Json, path: Path, value: Json): Op & { op: 'insert' } {
  const key = path.at(-1)!;
  if (Array.isArray(holder)) {
    if (typeof key !== 'number' || key !== holder.length) {
      throw new Refusal(__('%1 has %2 entries: the next one is %2.', path.slice(0, -1).join('.'), holder.length));
    }
    return { op: 'insert', path, value };
  }
  if (typeof key === 'number') {
    throw new Refusal(__('%1 is no list.', path.slice(0, -1).join('.')));
  }
  const order = path.length === 1 ? ORDER.root : path.length === 3 ? ORDER.action : [];
  const later = order.slice(order.indexOf(key) + 1);
  const before = order.includes(key) ? Object.keys(holder as Data).find((name) => later.includes(name)) : undefined;
  return { op: 'insert', path, value, before: before ?? null };
}

export function unset(data: Data, path: Path): Op[] {
  const held: Json[] = [data];
  for (const key of path) {
    const inner = valueAt(held.at(-1)!, key);
    if (inner === undefined) {
      return [];
    }
    held.push(inner);
  }
  let depth = path.length;
  const isKept = (length: number): boolean =>
    (length <= 2 && (path[0] === 'states' || path[0] === 'steps')) || (length === 2 && path[0] === 'variables');
  while (depth > 1 && !isKept(depth - 1) && Object.keys(held[depth - 1] as object).length === 1) {
    depth -= 1;
  }
  return depth === 0 ? [] : [{ op: 'remove', path: path.slice(0, depth) }];
}

export function valueAt(holder: Json, key: string | number): Json | undefined {
  if (Array.isArray(holder)) {
    return typeof key === 'number' ? holder[key] : undefined;
  }
  return isMapping(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Whether two values are the same, the order of their keys too. */
export function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
