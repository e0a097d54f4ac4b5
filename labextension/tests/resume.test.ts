/** A notebook goes on where it failed: the kernel says of each cell whether it has to run. */

import { expect, test } from 'vitest';

import { progress } from '../src/lab/cell_run_progress';
import { codeCells, resumption } from '../src/lab/resume';
import type { Reply } from '../src/lab/resume';

interface Given {
  /** What the kernel says of each cell, in turn. */
  told: Record<string, Reply>;
  errors?: Record<string, string>;
  ready?: boolean;
  during?: (id: string) => void;
  /** How many cells are stale when all ran. */
  stale?: number;
}

function notebook({ told, errors = {}, ready = true, during, stale = 0 }: Given) {
  const asked: object[] = [];
  const ran: string[] = [];
  const said: string[] = [];
  const shown: string[] = [];
  const now = progress();
  now.listen(() => shown.push(`${now.going ? '' : 'ended'}${now.says}`));
  const run = resumption({
    ready: async () => ready,
    async ask(what) {
      asked.push(what);
      const about = (what as { ask?: { id: string } }).ask;
      return about ? (told[about.id] ?? {}) : {};
    },
    cells: () => Object.keys(told).map((id) => ({ id, source: id })),
    async run(id) {
      ran.push(id);
      during?.(id);
      return errors[id] ?? null;
    },
    stale: async () => stale,
    say: (text) => said.push(text),
  }, now);
  return { made: { run }, now, asked, ran, said, shown };
}

const SKIP: Reply = { run: false };
const RUN: Reply = { run: true };

test('cells are run that have to, and it is said how many', async () => {
  const { made, asked, ran, said } = notebook({ told: { a: SKIP, b: SKIP, c: RUN, d: RUN } });

  await made.run();

  expect(ran).toEqual(['c', 'd']);
  expect(said).toEqual(['Ran 2 cells, skipped 2.']);
  expect([asked[0], asked.at(-1)]).toEqual([{ begin: null }, { end: true }]);
});

test('what cannot be put back is run first', async () => {
  const { made, ran, said } = notebook({ told: { a: SKIP, b: RUN, c: SKIP, d: { run: true, back: true } } });

  await made.run();

  expect(ran).toEqual(['b', 'c', 'd']);
  expect(said).toEqual(['Ran 3 cells, skipped 1.']);
});

test('what a cell further down made stale runs again, too', async () => {
  const { made, said } = notebook({ told: { a: RUN, b: RUN }, stale: 1 });

  await made.run();

  expect(said).toEqual(['Ran 3 cells.']);
});

test('after a cell that fails none is run', async () => {
  const { made, ran, said } = notebook({ told: { a: RUN, b: RUN }, errors: { a: 'ValueError: no' } });

  await made.run();

  expect(ran).toEqual(['a']);
  expect(said).toEqual(['Ran 1 cell. The last one failed (ValueError: no): those after it were not run.']);
});

test('asked again while it goes, it stops after the cell that runs', async () => {
  const { made, ran, said } = notebook({ told: { a: RUN, b: RUN }, during: () => void made.run() });

  await made.run();

  expect(ran).toEqual(['a']);
  expect(said).toEqual(['Ran 1 cell. Stopped.']);
});

test('meanwhile it is shown which cell runs of how many, and that it was stopped', async () => {
  const { made, now, shown } = notebook({ told: { a: SKIP, b: RUN, c: RUN }, during: () => now.stop() });

  await made.run();

  expect(shown).toEqual(['Waiting for the kernel.', 'Running cell 2 of 3.', 'Running cell 2 of 3. Stops after it.', 'ended']);
  expect([now.going, now.stopped]).toEqual([false, false]);
});

test('without wfnb nothing is run', async () => {
  const { made, asked, ran } = notebook({ told: { a: RUN }, ready: false });

  await made.run();

  expect([ran, asked]).toEqual([[], [{ end: true }]]);
});

test('a cell that was edited while another ran is asked for as it is', () => {
  let text = 'x = 1';
  const model = { type: 'code', id: 'a', sharedModel: { getSource: () => text } };
  const [cell] = codeCells({ content: { widgets: [{ model }] } } as never);

  text = 'x = 2';

  expect(cell?.source).toBe('x = 2');
});
