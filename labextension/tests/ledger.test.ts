import { expect, test } from 'vitest';

import type { Ledger } from '../src/protocol';
import { stages } from '../src/render/strategy_tab';
import { delta, head, picture } from './fake';
import { shown } from './shown';

const rounds = (more: Partial<Ledger> = {}): Ledger => ({
  title: 'rounds',
  heads: ['round', 'n', 'changed'],
  rows: [['1', '3', ''], ['2', '<b>5</b>', 'n']],
  lacks: [],
  ...more,
});

const table = (ledger: Ledger | null) =>
  shown(stages, picture([], { head: head({ strategy: 'scratchpad', stage: 'iterate' }), ledger }));

test('what a strategy keeps is a table under its drawing, and its cells are texts', () => {
  const view = table(rounds());

  const own = view.one('.wfnb-ledger') as HTMLElement;
  expect(own.hidden).toBe(false);
  expect(own.getAttribute('aria-label')).toBe('rounds');
  expect([...own.querySelectorAll('thead th')].map((cell) => cell.textContent)).toEqual(['round', 'n', 'changed']);
  expect([...own.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['1', '3', ''],
    ['2', '<b>5</b>', 'n'],
  ]);
});

test('a row that comes is put below, and one that is there stays the same node', () => {
  const view = table(rounds());
  const first = view.one('.wfnb-ledger tbody tr');

  view.link.tell(delta(1, { ledger: { rows: [[2, 0, ['3', '8', 'n']]], lacks: [[0, 0, 'round 4 is open']] } }));

  expect(view.one('.wfnb-ledger tbody tr')).toBe(first);
  expect(view.all('.wfnb-ledger tbody tr').length).toBe(3);
  expect(view.one('.wfnb-ledger p').textContent).toBe('missing: round 4 is open');
});

test('another strategy has another table, and none where nothing is kept', () => {
  const view = table(rounds());

  view.link.tell(delta(1, { ledger: { title: 'votes', heads: [[0, 3, 'answer', 'paths']], rows: [[0, 2, ['42', '3']]] } }));
  expect([...view.one('.wfnb-ledger').querySelectorAll('th')].map((cell) => cell.textContent)).toEqual(['answer', 'paths', '42']);

  view.link.tell(delta(2, { ledger: null }));
  expect((view.one('.wfnb-ledger') as HTMLElement).hidden).toBe(true);
});
