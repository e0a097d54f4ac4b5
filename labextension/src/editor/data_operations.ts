/** Data, operations on it → the data after them. Each operation is done on what the one before left. */

import type { Data, Json, Path } from './definition_data';

/** A part of a text that is replaced: from where, how many characters, by what. */
export type Part = readonly [from: number, length: number, insert: string];

export type Op =
  /** Another value for what is there; `parts`: it is the same text but for these, in order; `as`: so the number in it is
   *  written. */
  | { op: 'set'; path: Path; value: Json; parts?: readonly Part[]; as?: string | undefined }
  /** A new entry: in a list at that place, in a mapping before another key, or last. */
  | { op: 'insert'; path: Path; value: Json; before?: string | null; as?: string | undefined }
  | { op: 'remove'; path: Path }
  /** Another key for the same value. */
  | { op: 'rename'; path: Path; to: string }
  /** An entry before another one of the same mapping or list, or last. */
  | { op: 'move'; path: Path; before: string | number | null };

export function applied(data: Data, ops: readonly Op[]): Data {
  return ops.reduce<Json>((now, op) => appliedOne(now, op, op.path), data) as Data;
}

export function appliedOne(data: Json, op: Op, path: Path): Json {
  const [key, ...rest] = path;
  if (key === undefined || typeof data !== 'object' || data === null) {
    throw new RangeError(`there is no ${JSON.stringify(op.path)}`);
  }
  const inner = (value: Json): Json => (rest.length > 0 ? appliedOne(value, op, rest) : value);
  if (Array.isArray(data)) {
    return list(data, op, Number(key), rest.length === 0, inner);
  }
  return mapping(data, op, String(key), rest.length === 0, inner);
}

function list(data: Json[], op: Op, at: number, isLast: boolean, inner: (value: Json) => Json): Json[] {
  if (!isLast || op.op === 'set') {
    return data.map((item, n) => (n === at ? (isLast ? (op as { value: Json }).value : inner(item)) : item));
  }
  const after = [...data];
  if (op.op === 'insert') {
    after.splice(at, 0, op.value);
  } else {
    const [item] = after.splice(at, 1);
    if (op.op === 'move') {
      const before = op.before === null ? data.length : Number(op.before);
      after.splice(before > at ? before - 1 : before, 0, item!);
    }
  }
  return after;
}

function mapping(data: Data, op: Op, key: string, isLast: boolean, inner: (value: Json) => Json): Data {
  if (!isLast) {
    return Object.fromEntries(Object.entries(data).map(([k, v]) => [k, k === key ? inner(v) : v]));
  }
  let entries = Object.entries(data);
  const put = (entry: [string, Json], before: string | number | null | undefined): void => {
    const at = entries.findIndex(([k]) => k === before);
    entries.splice(at < 0 ? entries.length : at, 0, entry);
  };
  switch (op.op) {
    case 'set':
      entries = entries.map(([k, v]) => [k, k === key ? op.value : v]);
      break;
    case 'insert':
      put([key, op.value], op.before);
      break;
    case 'remove':
      entries = entries.filter(([k]) => k !== key);
      break;
    case 'rename':
      entries = entries.map(([k, v]) => [k === key ? op.to : k, v]);
      break;
    case 'move': {
      const moved = entries.find(([k]) => k === key)!;
      entries = entries.filter(([k]) => k !== key);
      put(moved, op.before);
      break;
    }
  }
  return Object.fromEntries(entries);
}
