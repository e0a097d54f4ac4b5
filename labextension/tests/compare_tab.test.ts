import { expect, test, vi } from 'vitest';

import { Refused } from '../src/link';
import type { Comparison } from '../src/protocol';
import { compare } from '../src/render/compare_tab';
import { delta, picture, row } from './fake';
import { lines, of, soon, view } from './given_compare';
import { golden } from './golden';
import { cells, harm, heads, seen, shown } from './shown';

test('lines are columns and facts are rows, as Python compared them; the line with the best values is the first', async () => {
  const { picture: whole, comparison } = golden('branches');
  const order = [1, 0, 2];

  const made = shown(compare, whole, { compare: () => comparison });
  await soon();

  const table = made.one('table');
  expect(heads(table)).toEqual(['fact', 'ridge ⟵ 2', 'main', 'forest ⟵ 2']);
  expect(cells(table)).toEqual(
    comparison.rows.map(({ name, cells: values, best }) => [
      name, ...order.map((i) => (best.includes(i) ? `${values[i]} (best)` : values[i])),
    ]),
  );
  expect(made.asked('compare')).toEqual([{ lines: whole.lines.map(({ id }) => id) }]);
});

test('the best value of a row is bold and said, the others are not', async () => {
  const made = await view(lines('main', 'robust'));

  expect(made.all('b').map((cell) => cell.textContent)).toEqual(['0.1']);
  expect(made.one('td .wfnb-hidden').textContent).toBe(' (best)');
});

test.each<[number[][], string[]]>([
  [[[], []], ['a', 'b', 'c']],
  [[[2], []], ['c', 'a', 'b']],
  [[[2], [1]], ['b', 'c', 'a']],
  [[[2], [1, 2]], ['c', 'b', 'a']],
])('lines stand in the order of how often they are the best: %j', async (best, order) => {
  const made = await view(lines('a', 'b', 'c'), {
    compare: ({ lines: ids }) => ({
      ...of(ids ?? []), rows: best.map((of, row) => ({ name: `row ${row}`, cells: ids as string[], best: of })),
    }),
  });

  expect(heads(made.one('table')).slice(1)).toEqual(order);
  expect(cells(made.one('table')).map(([, ...values]) => values.map((value) => value[0]))).toEqual(best.map(() => order));
});

test('rows in which the lines do not differ can be left out, and come back', async () => {
  let rows = [['rmse', '1', '2'], ['n', '3', '3'], ['why', '–', 'x']];
  const made = await view(lines('main', 'robust'), {
    compare: ({ lines: ids }) => ({ ...of(ids ?? []), rows: rows.map(([name = '', ...cells]) => ({ name, cells, best: [] })) }),
  });
  const box = made.one<HTMLInputElement>('.wfnb-only input');
  const names = (): (string | undefined)[] => cells(made.one('table')).map(([name]) => name);

  box.click();
  const differing = names();
  rows = [['rmse', '1', '1'], ['n', '3', '4'], ['why', 'x', 'x']];
  made.link.tell(delta(1, { rows: [row(0)] }));
  await soon();
  const later = names();
  rows = [['rmse', '1', '2'], ['n', '3', '4']];
  made.link.tell(delta(2, { rows: [row(0)] }));
  await soon();
  const all = [names(), seen(box)];
  rows = [['rmse', '1', '2'], ['n', '3', '3']];
  made.link.tell(delta(3, { rows: [row(0)] }));
  await soon();
  box.click();

  expect([differing, later, all, names()]).toEqual([['rmse', 'why'], ['n'], [['rmse', 'n'], false], ['rmse', 'n']]);
});

test('when another value is the best its line comes first', async () => {
  let best = [0];
  const made = await view(lines('main', 'robust'), {
    compare: ({ lines: ids }) => ({ ...of(ids ?? []), rows: [{ name: 'rmse', cells: ['1', '2'], best }] }),
  });
  best = [1];
  made.link.tell(delta(1, { rows: [row(0)] }));
  await soon();

  expect(cells(made.one('table'))).toEqual([['rmse', '2 (best)', '1']]);
});

test('a value that says itself that it is the best is not taken for it', async () => {
  let values = ['1 (best)', '2'];
  let best: number[] = [];
  const made = await view(lines('main', 'robust'), {
    compare: ({ lines: ids }) => ({ ...of(ids ?? []), rows: [{ name: 'rmse', cells: values, best }] }),
  });
  expect(made.all('b')).toEqual([]);
  [values, best] = [['1', '2'], [0]];
  made.link.tell(delta(1, { rows: [row(0)] }));
  await soon();

  expect(made.all('b').map((cell) => cell.textContent)).toEqual(['1']);
});

test('an outcome that failed looks so, beside its sign and its words', async () => {
  const made = await view(lines('main', 'robust'), {
    compare: () => ({ ...of(['main', 'robust']), rows: [{ name: 'outcome', cells: ['✓ ok', '✕ failed at 4'], best: [] }] }),
  });

  expect(made.all('td').map((cell) => [cell.className, cell.textContent])).toEqual([
    ['wfnb-is-ok', '✓ ok'], ['wfnb-is-failed', '✕ failed at 4'],
  ]);
});

test('many changes while an answer is under way are asked for once more', async () => {
  let answer: (comparison: Comparison) => void = () => undefined;
  const made = await view(lines('main', 'robust'), { compare: () => new Promise((resolve) => (answer = resolve)) });
  for (let seq = 1; seq <= 20; seq++) {
    made.link.tell(delta(seq, { rows: [row(0)] }));
    await vi.advanceTimersByTimeAsync(100);
  }
  await soon();
  expect(made.asked('compare')).toHaveLength(1);

  answer(of(['main', 'robust']));
  await soon();

  expect(made.asked('compare')).toHaveLength(2);
});

test('a line alone has nothing to be compared with', async () => {
  const made = await view(lines('main'));

  expect(made.all('button').filter(seen)).toEqual([]);
});

test('a refused comparison is said in place, and the next one takes it back', async () => {
  let refuse = true;
  const made = await view(lines('main', 'robust'), {
    compare: ({ lines: ids }) => {
      if (refuse) {
        throw new Refused('NothingRecorded', 'Nothing is recorded yet.');
      }
      return of(ids ?? []);
    },
  });
  expect(made.all('.wfnb-refused').filter(seen).map((each) => each.textContent)).toEqual(['Nothing is recorded yet.']);
  refuse = false;
  made.link.tell(delta(1, { rows: [row(0)] }));
  await soon();

  expect(made.all('.wfnb-refused').filter(seen)).toEqual([]);
});

test('hostile names and values stay text', async () => {
  const { picture: whole, comparison } = golden('hostile');

  const made = shown(compare, whole, { compare: () => comparison });
  await soon();
  made.button(`Abandon ${whole.lines[1]?.id}`).click();

  expect(harm(made.root)).toEqual([]);
  expect(cells(made.one('table')).map(([name]) => name)).toEqual(comparison.rows.map(({ name }) => name));
});

test('a closed tab has no timer, no listener, and shows no late answer', async () => {
  let answer: (comparison: Comparison) => void = () => undefined;
  const made = await view(lines('main', 'robust'), { compare: () => new Promise((resolve) => (answer = resolve)) });
  made.link.tell(delta(1, { rows: [row(0)] }));
  made.dispose();
  answer(of(['main', 'robust']));
  await soon();

  expect(vi.getTimerCount()).toBe(0);
  expect(made.link.listeners).toBe(0);
  expect(made.all('td')).toEqual([]);
});

test('while no step was made there is nothing to compare', async () => {
  const made = shown(compare, picture([]), { compare: ({ lines: ids }) => of(ids ?? []) });
  await soon();
  const before = [made.asked('compare').length, made.all('table').filter(seen).length];

  made.link.tell(delta(1, { head: { steps: 1 }, count: 1, rows: [row(0)] }));
  await soon();

  expect(before).toEqual([0, 0]);
  expect([made.asked('compare').length, made.all('table').filter(seen).length]).toEqual([1, 1]);
});

test('the code of two lines is asked for once it is opened, and is text', async () => {
  const asks: string[][] = [];
  const made = await view(lines('main', 'robust', 'ridge'), {
    compare_code: ({ lines: ids }) => {
      asks.push(ids);
      return { says: 'one step differs', steps: [{ steps: '2 → robust:2', title: '<b>Fit</b>', says: '', diff: ' x\n-<i>\n+z' }] };
    },
  });
  expect(asks).toEqual([]);

  const part = made.one<HTMLDetailsElement>('.wfnb-code-beside');
  part.open = true;
  part.dispatchEvent(new Event('toggle'));
  await soon();

  expect(part.querySelector('h3')?.textContent).toBe('2 → robust:2 · <b>Fit</b>');
  expect(part.querySelector('.wfnb-removed')?.textContent).toBe('-<i>\n');
  const [, other] = part.querySelectorAll('select');
  (other as HTMLSelectElement).value = 'ridge';
  other?.dispatchEvent(new Event('change'));
  await soon();
  expect(asks.map((ids) => ids[1])).toEqual([asks[0]?.[1], 'ridge']);
  expect(harm(made.root)).toEqual([]);
});

test('a number alone stands at the right, and no other cell', async () => {
  const values = ['0.25', '-1,200', '3 of 4', '✓ ok'];
  const made = await view(lines('a', 'b', 'c', 'd'), {
    compare: ({ lines: ids }) => ({ ...of(ids ?? []), rows: [{ name: 'n', cells: values, best: [] }] }),
  });

  expect(made.all('td').map((cell) => cell.classList.contains('wfnb-right'))).toEqual([true, true, false, false]);
});

test('under them stands what the last step of each line that showed something has shown', async () => {
  const comparison = of(['main', 'alt', 'bare']);
  [{ key: 3, number: 2, figures: ['a', 'b'] }, { key: 5, number: 4, figures: ['c'] }].forEach((had, at) => {
    (comparison.lines[at] as Comparison['lines'][0]).shown = had;
  });
  const asked: [number, number][] = [];
  const figure = async ({ key }: { key: number }, place: number): Promise<null> => (asked.push([key, place]), null);

  const made = shown((link, host) => compare(link, { ...host, figure }), picture([row(0)], { lines: lines('main', 'alt', 'bare') }), {
    compare: () => comparison,
  });
  await soon();

  const said = 'A figure of this step is not kept any more.';
  expect([...made.one('.wfnb-wraps').children].map(({ textContent }) => textContent)).toEqual([
    `main · step 2${said}${said}`, `alt · step 4${said}`,
  ]);
  expect(asked).toEqual([[3, 0], [3, 1], [5, 0]]);
});
