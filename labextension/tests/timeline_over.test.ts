import { expect, test } from 'vitest';

import { delta, line, row } from './fake';
import { shown } from './given_timeline';
import { inRoom } from './room';

inRoom();

const STEPS = [row(0), row(1, { branch: 'tree' }), row(2, { branch: 'line' }), row(3, { branch: 'net' })];
const of = (list: HTMLElement, place: number): HTMLElement => list.querySelectorAll<HTMLElement>('.wfnb-row')[place] as HTMLElement;
const pill = (list: HTMLElement, place: number): HTMLElement => of(list, place).querySelector('.wfnb-side .wfnb-pill:not([hidden])') as HTMLElement;
const LINES = [
  line('main', 0, { first: 0, last: 0, steps: 1 }),
  line('tree', 1, { from: 0, first: 1, last: 1, steps: 1, state: 'abandoned', reason: 'it overfits' }),
  line('line', 2, { from: 0, first: 2, last: 2, steps: 1, over: true }),
  line('net', 3, { from: 0, first: 3, last: 3, steps: 1, state: 'selected' }),
];

test('steps of lines that were decided against say so by sign, word and title', async () => {
  const { list } = await shown(STEPS, {}, { lines: LINES });

  const said = [1, 2, 3].map((place) => [pill(list, place).textContent, pill(list, place).title]);

  expect(said).toEqual([
    ['✕ tree · abandoned', 'tree · abandoned · it overfits'],
    ['✕ line · passed over', 'line · passed over'],
    ['net', 'net'],
  ]);
  expect([0, 1, 2, 3].map((place) => of(list, place).dataset['over'])).toEqual([
    undefined, 'abandoned', 'passed over', undefined,
  ]);
  expect(pill(list, 1).querySelector('[aria-hidden]')?.textContent).toBe('✕ ');
});

test('their lines are dashed, those of the others are not', async () => {
  const { list } = await shown(STEPS, {}, { lines: LINES });

  const dashed = [...list.querySelectorAll('.wfnb-way')].map((way) => way.classList.contains('wfnb-over'));

  expect(dashed).toEqual([false, true, true, false]);
});

test('a step says what became of its line as soon as that is decided, and no longer once it is chosen', async () => {
  const { link, list } = await shown(STEPS, {}, { lines: LINES });

  link.tell(delta(1, { lines: [{ id: 'net', state: 'abandoned' }, { id: 'line', over: false, state: 'selected' }] }));

  expect([2, 3].map((place) => pill(list, place).textContent)).toEqual(['line', '✕ net · abandoned']);
});
