/** A page to look at: the view over a session made up here, or over a golden one. Its address says which, and how. */

import branches from '../../../tests/golden/branches.json';
import hostile from '../../../tests/golden/hostile.json';
import investigation from '../../../tests/golden/investigation.json';
import runs from '../../../tests/golden/runs.json';
import strategy from '../../../tests/golden/strategy.json';
import type { Card } from '../../src/protocol';
import { mount } from '../../src/render/view';
import { card, fakeHost, fakeLink, head, line, many, picture, row } from '../fake';
import type { Answers, FakeLink } from '../fake';
import type { Golden } from '../golden';

const wanted = new URLSearchParams(location.hash.slice(1));
const html = '<p>The logger restarted on the 4th and the 17th; both days hold zeros. Without them the baseline\'s error halves.</p>';
const small = [
  row(0, { title: 'Load the March readings' }),
  row(1, { title: 'Fit the baseline', revised_by: 4 }),
  row(2, { number: 3, title: 'A robust loss instead', branch: 'robust' }),
  row(3, { number: 4, title: 'Tune epsilon', branch: 'robust', outcome: 'failed' }),
  row(4, { number: 3, title: 'Are the residuals drifting?', stale: true }),
  row(5, { number: 4, title: 'Drop the two broken days first', revises: 2, duration: 0.8 }),
];
const lanes = many(24, (i) =>
  row(i, {
    title: ['Try a wider window', 'Check against the other sensor', 'Compare', 'Keep what is left'][i % 4] as string,
    branch: ['main', 'main', 'wide', 'wide', 'other', 'main', 'third-way-with-a-long-name', 'wide'][i % 8] as string,
    outcome: i === 23 ? 'running' : i % 9 === 5 ? 'interrupted' : 'ok',
    stale: i % 11 === 4, withdrawn: i === 17, stage: i % 3 ? 'observation' : 'reasoning',
  }),
);
const sets = {
  mock: {
    rows: small,
    lines: [
      line('main', 0, { first: 0, last: 5, steps: 4 }),
      line('robust', 1, { from: 1, first: 2, last: 3, steps: 2 }),
    ],
    says: '5 steps on 2 lines · 1 stale · not solved yet',
  },
  lanes: {
    rows: lanes,
    lines: [
      line('main', 0, { first: 0, last: 21 }),
      line('wide', 1, { from: 1, first: 2, last: 18, joins: 21, state: 'merged' }),
      line('other', 2, { from: 1, first: 4, last: 20, state: 'abandoned' }),
      line('third-way-with-a-long-name', 3, { parent: 'wide', from: 3, first: 6, last: 22 }),
      line('new', 4, { from: 21 }),
    ],
    says: '24 steps on 5 lines · 3 stale',
  },
  many: { rows: many(10000), lines: [line('main', 0, { first: 0, last: 9999 })], says: '10,000 steps' },
};
const goldens = { branches, hostile, investigation, runs, strategy } as unknown as Record<string, Golden>;

function madeUp(name: string): FakeLink {
  const { rows, lines, says } = sets[name as keyof typeof sets];
  return fakeLink(rows, {
    snapshot: () =>
      picture(rows, {
        lines,
        head: head({
          says, position: 3, total: 5, strategy: 'react', stage: 'observation', current: rows.length, can_undo: true,
          stale: 1, stages: ['reasoning', 'observation'], outcomes: ['ok', 'failed'],
        }),
      }),
    card: ({ key }) =>
      card(rows, key, {
        html, facts: [{ name: 'revises', value: '2' }, { name: 'took', value: '0.8 s' }],
        ...(wanted.has('full') && {
          error: 'ValueError: no such column', values: [{ name: 'rmse', value: '0.31' }],
          kept: {
            says: 'kept', more: 0,
            values: [
              { name: 'readings', value: 'pandas.DataFrame · 1,096 rows × 3 columns' },
              { name: 'log', value: 'not kept: it is an open file' },
            ],
          },
          findings: ['Two days are broken.'], versions: [{ version: 1, says: 'failed', source: 'X = clean(raw)' }],
        }),
      }),
  });
}

function recorded(golden: Golden): FakeLink {
  const answers: Answers = {
    snapshot: () => golden.picture,
    card: ({ key }) => golden.cards.find((one) => one.key === key) as Card,
    compare: () => golden.comparison,
    run: ({ run }) => golden.runs[run] as Golden['runs'][string],
    workflows: () => [],
    close_run: () => null,
  };
  return fakeLink(golden.picture.rows, answers);
}

const set = wanted.get('set') ?? 'mock';
const found = goldens[set];
const link = found ? recorded(found) : madeUp(set);

if (wanted.has('dark')) {
  document.body.dataset.jpThemeLight = 'false';
  document.documentElement.style.colorScheme = 'dark';
}
const root = document.getElementById('root') as HTMLElement;
root.style.width = `${wanted.get('w') ?? 420}px`;
root.className = wanted.has('widget') ? 'wfnb-in-cell' : '';
mount(root, link, fakeHost());
root.querySelectorAll<HTMLElement>('[role="tab"]')[Number(wanted.get('tab') ?? 0)]?.click();
const key = (name: string): boolean =>
  (root.querySelector('.wfnb-list') as HTMLElement).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
setTimeout(() => {
  root.querySelector<HTMLElement>('.wfnb-list')?.focus();
  (wanted.get('keys') ?? '').split(' ').filter(Boolean).forEach(key);
  if (wanted.has('filter')) {
    root.querySelector<HTMLElement>('.wfnb-filter .wfnb-button')?.click();
    const words = root.querySelector('input') as HTMLInputElement;
    words.value = wanted.get('filter') ?? '';
    words.dispatchEvent(new Event('input'));
  }
}, 50);
