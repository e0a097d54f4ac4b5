/** Stale steps whose cells are run one after the other, as the kernel says each time which is the next. */

import { expect, test } from 'vitest';

import { staleRun } from '../src/lab/run_stale';
import type { Asks, NextStale } from '../src/protocol';
import { row } from './fake';

const step = (key: number, more: Partial<NextStale> = {}): NextStale => ({
  target: key, key, place: `${key}`, cell_id: `cell-${key}`, part: 0, digest: `d${key}`, ...more,
});

interface Given {
  /** What the kernel answers, in turn; then null, or the refusal. */
  steps: (NextStale | Error)[];
  /** How cells end that do not end well. */
  errors?: Record<string, string>;
  /** The digests of cells that were edited; null: the cell is gone. */
  edited?: Record<string, string | null>;
  during?: (cell: string) => void;
}

/** A notebook whose every cell opens one step; what it was asked, what it ran, what it said. */
function notebook({ steps, errors = {}, edited = {}, during }: Given) {
  const asked: Asks['next_stale'][0][] = [];
  const ran: string[] = [];
  const said: string[] = [];
  const shown: string[] = [];
  const left = [...steps];
  const run = staleRun({
    async ask({ key, done }) {
      asked.push({ ...(key !== undefined && { key }), done: [...done] });
      const next = left.shift() ?? null;
      if (next instanceof Error) {
        throw next;
      }
      return next;
    },
    texts: {
      opens: (id) => (edited[id] === null ? 0 : 1),
      digest: (id) => edited[id] ?? id.replace('cell-', 'd'),
    },
    async run(id) {
      ran.push(id);
      during?.(id);
      return errors[id] ?? null;
    },
    say: (text) => said.push(text),
  });
  run.listen(() => shown.push(run.says));
  return { run, asked, ran, said, shown };
}

test('the cells are run in the order of the kernel, which is asked again after each', async () => {
  const { run, asked, ran, said, shown } = notebook({ steps: [step(2), step(4)] });

  await run.run();

  expect(ran).toEqual(['cell-2', 'cell-4']);
  expect(asked).toEqual([{ done: [] }, { done: [2] }, { done: [2, 4] }]);
  expect(shown).toEqual(['Waiting for the kernel.', 'Running step 2.', 'Running step 4.', '']);
  expect([said, run.going]).toEqual([['Ran 2 cells.'], false]);
});

test('what a step rests on is run before it, and counts as no target that was run', async () => {
  const { run, asked, ran } = notebook({ steps: [step(1, { target: 3 }), step(3)] });

  await run.run(row(2));

  expect(ran).toEqual(['cell-1', 'cell-3']);
  expect(asked).toEqual([{ key: 3, done: [] }, { key: 3, done: [] }, { key: 3, done: [3] }]);
});

test('where nothing is left, nothing is run and that is said', async () => {
  const { run, ran, said } = notebook({ steps: [] });

  await run.run();

  expect([ran, said, run.says]).toEqual([[], ['No cell was run.'], '']);
});

const RECORDED = '`%wfnb run-stale 3` in a cell runs its code as it was recorded.';

test.each<[string, Partial<Given>, Partial<NextStale>, string]>([
  [
    'was edited', { edited: { 'cell-3': 'other' } }, {},
    `Ran 1 cell. The cell of step 3 was edited since it ran: run it yourself, or ${RECORDED}`,
  ],
  ['is gone', { edited: { 'cell-3': null } }, {}, `Ran 1 cell. Step 3 has no cell in this notebook: ${RECORDED}`],
  ['is not known', {}, { cell_id: null }, `Ran 1 cell. Step 3 has no cell in this notebook: ${RECORDED}`],
  ['opens fewer steps', {}, { part: 1 }, `Ran 1 cell. Step 3 has no cell in this notebook: ${RECORDED}`],
  [
    'fails', { errors: { 'cell-3': 'ValueError: no' } }, {},
    'Ran 1 cell. Step 3 failed when it was run again (ValueError: no). Stale steps after it were not run.',
  ],
  [
    'is interrupted', { errors: { 'cell-3': 'KeyboardInterrupt' } }, {},
    'Ran 1 cell. Step 3 was interrupted. Stale steps after it were not run.',
  ],
  [
    'does not end', { errors: { 'cell-3': '' } }, {},
    'Ran 1 cell. Step 3 did not run to its end. Stale steps after it were not run.',
  ],
])('a step whose cell %s ends it', async (_, given, third, says) => {
  const { run, ran, said } = notebook({ steps: [step(2), step(3, third), step(4)], ...given });

  await run.run();

  expect([run.says, run.going, said]).toEqual([says, false, []]);
  expect(ran).not.toContain('cell-4');
});

test('a cell whose source was not kept whole is run: whether it was edited is not known', async () => {
  const { run, ran } = notebook({ steps: [step(2, { digest: null })], edited: { 'cell-2': 'other' } });

  await run.run();

  expect(ran).toEqual(['cell-2']);
});

test('a refusal of the kernel ends it in its own words', async () => {
  const { run } = notebook({ steps: [step(2), new Error('Step 3 cannot be run again here: k is missing.')] });

  await run.run();

  expect(run.says).toBe('Ran 1 cell. Step 3 cannot be run again here: k is missing.');
});

test('it stops after the cell that runs, and goes on from there the next time', async () => {
  const made = notebook({ steps: [step(2), step(3), step(3)], during: (id) => id === 'cell-2' && made.run.stop() });

  await made.run.run();
  const stopped = [...made.ran];
  const says = made.run.says;
  await made.run.run();

  expect([stopped, says]).toEqual([['cell-2'], 'Ran 1 cell. Stopped.']);
  expect(made.shown).toContain('Running step 2. Stops after it.');
  expect(made.ran).toEqual(['cell-2', 'cell-3']);
});

test('while it goes it is not begun a second time', async () => {
  const made = notebook({ steps: [step(2)], during: () => void made.run.run() });

  await made.run.run();

  expect([made.ran, made.asked.length]).toEqual([['cell-2'], 2]);
});

test('a step that others need again and again does not run for ever', async () => {
  const again = step(1, { target: 3 });
  const { run, ran } = notebook({ steps: Array.from({ length: 50 }, () => again) });

  await run.run();

  expect(ran).toHaveLength(3);
  expect(run.says).toContain('Step 1 was run 3 times');
});
