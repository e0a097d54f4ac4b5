import { expect, test } from 'vitest';

import { delta, head, line, many, row, settled } from './fake';
import { selected, shown, titles } from './given_timeline';
import { inRoom } from './room';

inRoom();

async function search(root: HTMLElement, words: string): Promise<void> {
  const input = root.querySelector('input') as HTMLInputElement;
  input.value = words;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await settled(250);
}

test('words are searched for by the kernel, and what passes is drawn', async () => {
  const { link, list, root } = await shown(many(1000));
  link.asked.length = 0;

  await search(root, '77');

  expect(link.asked[0]).toEqual({ word: 'rows', args: { first: 0, count: 100, filter: { text: '77' } } });
  expect(titles(list)[0]).toBe('Step number 77');
  expect(list.getAttribute('aria-rowcount')).toBe('19');
  expect(root.querySelector('.wfnb-found')?.textContent).toBe('19 of 1,000 steps · show all');
});

test('branch, stage and outcome are filtered by the kernel too', async () => {
  const more = {
    lines: [line('main', 0), line('b', 1)],
    head: head({ stages: ['plan'], outcomes: ['ok', 'failed'], stale: 2 }),
  };
  const { link, root } = await shown(many(10), {}, more);

  for (const [name, value] of [['branch', 'b'], ['stage', 'plan'], ['outcome', 'stale']]) {
    const select = root.querySelector(`select[aria-label="${name}"]`) as HTMLSelectElement;
    select.value = value as string;
    select.dispatchEvent(new Event('change'));
  }

  expect(link.asked.at(-1)?.args['filter']).toEqual({ branch: 'b', stage: 'plan', outcome: 'stale' });
});

test('a selected step that passes the filter stays selected, there and back', async () => {
  const { list, root, key } = await shown(many(200));
  ['Home', 'ArrowDown'].forEach((name) => key(name));

  await search(root, 'number 2');
  const there = selected(list);
  await search(root, '');

  expect([there, selected(list)]).toEqual(['Step number 2', 'Step number 2']);
});

test('what passes follows when steps change', async () => {
  const rows = many(10);
  const { link, list, root } = await shown(rows);
  await search(root, 'special');
  const before = titles(list);

  rows.push(row(10, { title: 'a special one' }));
  link.tell(delta(1, { count: 11, rows: rows.slice(10) }));
  await settled(250);

  expect([before, titles(list)]).toEqual([[], ['a special one']]);
});

test('"/" goes to the search, Escape empties it and goes back', async () => {
  const { list, root, key } = await shown(many(10));
  list.focus();

  key('/');
  const there = document.activeElement;
  (there as HTMLInputElement).value = 'nothing like it';
  there?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));

  expect(there).toBe(root.querySelector('input'));
  expect((there as HTMLInputElement).value).toBe('');
  expect(document.activeElement).toBe(list);
});

test('a step that a filter does not let pass is shown without the filter', async () => {
  const { list, end, root } = await shown(many(30));
  const words = root.querySelector('input') as HTMLInputElement;
  words.value = 'number 7';
  words.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await settled();

  end.show(20);
  await settled();

  expect(words.value).toBe('');
  expect(selected(list)).toBe('Step number 20');
});

test('where nothing passes there is no empty list to be in: the search has the keyboard', async () => {
  const { list, root } = await shown(many(10));
  const words = root.querySelector('input') as HTMLInputElement;
  words.value = 'nothing like it';

  words.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await settled();

  expect([list.hidden, document.activeElement === words]).toEqual([true, true]);
  expect(root.querySelector('.wfnb-empty:not([hidden])')?.textContent).toContain('No step passes');
  words.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  expect([list.hidden, document.activeElement === list]).toEqual([false, true]);
});
