/** What is said where no step is shown. */

import { expect, test } from 'vitest';

import { none } from '../src/render/empty_list';
import { everything } from '../src/render/row_source';
import type { State } from '../src/store';
import { fakeHost, head } from './fake';

const state = { count: 0, rows: [], runs: [], head: head() } as unknown as State;

test.each([
  ['where cells can be written the buttons are named', { ...fakeHost(), makeStep: async () => undefined },
    'No step yet. New step below makes the first one, or Make this cell a step over a cell.'],
  ['elsewhere it is the magic', { say: () => undefined }, 'No step yet. A cell that begins with %%step makes the first one.'],
])('%s', (_, host, says) => {
  expect(none(everything(state), state, host)).toBe(says);
});
