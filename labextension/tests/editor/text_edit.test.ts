/** Whatever is done to whichever text: it says what it is to say, and what was not concerned is as it was. */

import { expect, test } from 'vitest';
import type { Op } from '../../src/editor/data_operations';
import { applied } from '../../src/editor/data_operations';
import { operationsOf } from '../../src/editor/edit_command_operations';
import { Refusal } from '../../src/editor/refusal';
import type { Data, Path } from '../../src/editor/definition_data';
import { edit, spliced, written } from '../../src/editor/text_edit';
import type { Read } from '../../src/editor/definition_text_reader';
import { read } from '../../src/editor/definition_text_reader';
import { command, definition, Random, text } from './random';

/** How many; WFNB_CASES=100000 tries more, WFNB_SEED=n others. */
const environment = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process.env;
const CASES = Number(environment['WFNB_CASES'] ?? 2_000);
const SEED = Number(environment['WFNB_SEED'] ?? 0) * 1_000_003;

function reading(written: string): Read {
  const found = read(written);
  if (!found.ok) {
    throw new Error(`${found.message}\n${written}`);
  }
  return found;
}

/** The operations of a random command on a random text; null: it is refused. */
function given(seed: number): { before: string; asked: string; ops: Op[]; edited: string } | null {
  const r = new Random(seed);
  const before = text(r, definition(r));
  const { data } = reading(before);
  const asked = command(r, data);
  try {
    const ops = operationsOf(data, asked);
    const edited = spliced(before, edit(before, asked));
    return { before, asked: JSON.stringify(asked), ops, edited };
  } catch (error) {
    if (!(error instanceof Refusal) || error.message.startsWith('This cannot be written')) {
      throw new Error(`seed ${seed}: ${String(error)}\n${JSON.stringify(asked)}\n${before}`, { cause: error });
    }
    return null;
  }
}

test(
  'an edit makes the text say what the command makes of the data',
  () => {
    let done = 0;
    for (let seed = SEED; seed < SEED + CASES; seed += 1) {
      const found = given(seed);
      if (found === null) {
        continue;
      }
      const { before, asked, ops, edited } = found;
      const about = `seed ${seed}: ${asked}\n${before}`;
      done += 1;

      expect(JSON.stringify(reading(edited).data), about).toBe(JSON.stringify(applied(reading(before).data, ops)));
    }
    expect(done).toBeGreaterThan(CASES / 2);
  },
  CASES * 300,
);

test(
  'each line that an operation does not concern is as it was',
  () => {
    for (let seed = SEED; seed < SEED + CASES / 8; seed += 1) {
      const found = given(seed);
      let now = found?.before ?? '';
      for (const op of found?.ops.slice(0, 4) ?? []) {
        const next = spliced(now, written(now, [op]));
        const left = untouched(now, op);

        expect(missing(left, next.split('\n')), `seed ${seed}: ${JSON.stringify(op)}\n${now}\n----\n${next}`).toEqual([]);
        now = next;
      }
    }
  },
  CASES * 300,
);

/** The first lines that are not there in this order. */
function missing(lines: readonly string[], after: readonly string[]): string[] {
  let at = 0;
  return lines.filter((line) => {
    const place = after.indexOf(line, at);
    at = place < 0 ? at : place + 1;
    return place < 0;
  });
}

/** The lines of a text that an operation has nothing to do with. */
function untouched(before: string, op: Op): string[] {
  const found = reading(before);
  const lines = before.split('\n');
  const isNote = (n: number): boolean => /^\s*(?:#[^]*)?$/.test(lines[n] ?? 'x');
  const line = (offset: number): number => before.slice(0, offset).split('\n').length - 1;
  const concerned = new Set<number>();
  const from = (path: Path): number => line(found.place(path)?.[0] ?? 0);
  const to = (path: Path): number => {
    const end = found.place(path)?.[1] ?? 0;
    return line(before[end - 1] === '\n' ? end - 1 : end);
  };
  const add = (first: number, last: number): void => {
    for (let n = first; n <= last; n += 1) {
      concerned.add(n);
    }
    for (let n = first - 1; n >= 0 && isNote(n); n -= 1) {
      concerned.add(n);
    }
    for (let n = last + 1; n < lines.length && isNote(n); n += 1) {
      concerned.add(n);
    }
  };
  const holder = op.path.slice(0, -1);
  if (op.op !== 'insert') {
    add(from(op.path), op.op === 'rename' ? from(op.path) : to(op.path));
  }
  if (op.op === 'set') {
    return lines.filter((_, n) => !concerned.has(n));
  }
  // the lines of what is beside it, where that ends and begins; and where what holds it begins
  const held = holder.reduce<unknown>((here, key) => (here as Data)[key], found.data) as Data | unknown[];
  const keys: (string | number)[] = Array.isArray(held) ? [...held.keys()] : Object.keys(held);
  const own = op.path.at(-1)!;
  const beside = keys.indexOf(own) < 0 ? keys.length : keys.indexOf(own);
  const before_ = op.op === 'rename' ? undefined : 'before' in op && op.before != null ? keys.indexOf(op.before) : keys.length;
  for (const place of [beside, before_ ?? beside]) {
    for (const n of [place - 1, place, place + 1]) {
      const key = keys[n];
      if (key !== undefined) {
        add(from([...holder, key]), from([...holder, key]));
        add(to([...holder, key]), to([...holder, key]));
      }
    }
  }
  add(from(holder), from(holder));
  add(to(holder), to(holder));
  return lines.filter((_, n) => !concerned.has(n) && lines[n]!.trim() !== '');
}
