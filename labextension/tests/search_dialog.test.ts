/** A search through all sessions says whether it goes on. */

import { expect, test, vi } from 'vitest';

import type { FoundPage } from '../src/protocol';
import { settled } from './fake';

const box = vi.hoisted(() => ({ node: null as unknown as HTMLElement }));

vi.mock('@jupyterlab/apputils', () => ({
  Dialog: class {
    static cancelButton = (): object => ({});
    constructor({ body }: { body: { node: HTMLElement } }) {
      box.node = body.node;
    }
    launch = (): Promise<void> => new Promise(() => undefined);
  },
}));

import { search } from '../src/lab/search_dialog';

/** A hundred sessions, ten a page, and more behind them where there `are`. */
function find(are: boolean) {
  return async (_: string, first: number): Promise<FoundPage> => ({
    sessions: Array.from({ length: 10 }, (_, i) => ({ session: `s${first + i}`, notebooks: [], archived: false, count: 1, hits: [] })),
    next: first < 90 || are ? first + 10 : null,
  });
}

const says = (): string | null => box.node.querySelector('[role=status]')?.textContent ?? null;

test.each([
  [false, '100 in 100 sessions'],
  [true, '100 in 100 sessions, and there are more: add words'],
])('where it ended, it does not say that it searches: more %s', async (are, said) => {
  void search(find(are), 'word');
  for (let page = 0; page < 12; page++) {
    await settled();
  }

  expect(says()).toBe(said);
});
