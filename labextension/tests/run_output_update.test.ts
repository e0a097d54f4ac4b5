import type { Notebook } from '@jupyterlab/notebook';
import { expect, test } from 'vitest';

import { showEnds } from '../src/lab/run_output_update';
import type { Link } from '../src/link';
import type { News } from '../src/protocol';

const output = (run: string, status: string): { data: object } => ({ data: { 'application/vnd.wfnb+json': { run, status } } });

/** A cell with these outputs; `answer` gives what the kernel was asked for. */
function opened(list: { data: object }[]): { end(run: string): void; answer(): Promise<void>; asked: string[] } {
  const outputs = {
    get length() {
      return list.length;
    },
    get: (at: number) => list[at],
    set: (at: number, { data }: { data: object }) => void (list[at] = { data }),
  };
  const asked: string[] = [];
  let tell: (told: News) => void = () => undefined;
  const waiting: (() => void)[] = [];
  const link = {
    on: (f: typeof tell) => ((tell = f), () => undefined),
    ask: (_: string, { run }: { run: string }) =>
      new Promise((done) => {
        asked.push(run);
        waiting.push(() => done(output(run, 'success').data));
      }),
  } as unknown as Link;
  showEnds({ model: { cells: [{}, { outputs }] } } as unknown as Notebook, link);
  return {
    end: (name) => tell({ kind: 'delta', runs: [{ name, ended: 1 }] } as unknown as News),
    answer: async () => {
      waiting.splice(0).forEach((done) => done());
      await Promise.resolve();
    },
    asked,
  };
}

test('the end stands where the run was shown as going on', async () => {
  const list = [output('talk-1', 'running')];
  const cell = opened(list);
  cell.end('talk-1');
  await cell.answer();
  expect(list).toEqual([output('talk-1', 'success')]);
});

test.each([['the cell ran again', [output('talk-2', 'running')]], ['its outputs were cleared', []]])(
  'the end of a run goes nowhere else: %s meanwhile',
  async (_, now) => {
    const list = [output('talk-1', 'running')];
    const cell = opened(list);
    cell.end('talk-1');
    list.splice(0, 1, ...now);
    await cell.answer();
    expect(list).toEqual(now);
  },
);

test('only what is shown as going on is asked for', () => {
  const cell = opened([output('talk-1', 'success'), output('talk-2', 'running'), { data: {} }]);
  cell.end('talk-1');
  cell.end('talk-3');
  expect(cell.asked).toEqual([]);
});
