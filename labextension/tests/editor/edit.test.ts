/** Whatever is done to whichever text: it says what it is to say, and what was not concerned is as it was. */

import { expect, test } from 'vitest';
import { applied, change, Refusal } from '../../src/editor/change';
import type { Data } from '../../src/editor/commands';
import { edit, inverse, spliced } from '../../src/editor/edit';
import { read } from '../../src/editor/reading';
import { command, definition, Random, text } from './random';

/** How many; WFNB_CASES=100000 tries more, WFNB_SEED=n others. */
const environment = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process.env;
const CASES = Number(environment['WFNB_CASES'] ?? 2_000);
const SEED = Number(environment['WFNB_SEED'] ?? 1) * 1_000_003;

function dataOf(written: string): Data {
  const reading = read(written);
  if (!reading.ok) {
    throw new Error(`${reading.message}\n${written}`);
  }
  return reading.data;
}

test('an edit makes the text say what the command makes of the data', () => {
  let done = 0;
  for (let n = 0; n < CASES; n += 1) {
    const r = new Random(SEED + n);
    const written = text(r, definition(r));
    const data = dataOf(written);
    const asked = command(r, data);
    const about = (): string => `case ${n}: ${JSON.stringify(asked)}\n${written}`;
    let ops;
    try {
      ops = change(data, asked);
    } catch (error) {
      expect(error, about()).toBeInstanceOf(Refusal);
      continue;
    }
    let splices;
    try {
      splices = edit(written, asked);
    } catch (error) {
      throw new Error(`${String(error)}\n${about()}`);
    }
    const after = spliced(written, splices);
    const wanted = applied(data, ops);
    done += 1;

    expect(JSON.stringify(dataOf(after)), about()).toBe(JSON.stringify(wanted));
    expect(spliced(after, inverse(written, splices)), about()).toBe(written);
  }
  expect(done).toBeGreaterThan(CASES / 2);
}, 600_000);
