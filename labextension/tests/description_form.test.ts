/** A step's card where it is edited, hidden, or has lost its cell. */

import { expect, test } from 'vitest';

import { card, row, settled } from './fake';
import { click, shown } from './given_timeline';
import type { Shown } from './given_timeline';
import type { Row } from '../src/protocol';

const deed = (root: Element, name: string): HTMLButtonElement =>
  [...root.querySelectorAll<HTMLButtonElement>('.wfnb-card button')].find(({ textContent }) => textContent === name)!;
const offers = (root: Element, name: string): boolean => deed(root, name)?.hidden === false;

async function opened(more: Partial<Row> = {}, answers: Parameters<typeof shown>[1] = {}): Promise<Shown> {
  const rows = [row(0, more)];
  const found = await shown(rows, {
    card: ({ key }) => card(rows, key, { description: 'Load\n\nwhy', notebook: 'other.ipynb' }),
    ...answers,
  });
  click(found.list.querySelector('.wfnb-title'));
  await settled(120);
  return found;
}

test('title, reason and tags are asked for where they were changed, and nothing else', async () => {
  const { root, link } = await opened({ tags: ['data'] }, { describe: () => null, tag: () => null });
  click(deed(root, 'edit title'));
  const [title, tags] = root.querySelectorAll<HTMLInputElement>('.wfnb-describing input');
  expect([title?.value, root.querySelector('textarea')?.value, tags?.value]).toEqual(['Load', 'why', 'data']);
  expect(document.activeElement).toBe(title);

  title!.value = 'Load both';
  click(deed(root, 'Save'));
  await settled();

  const asked = link.asked.filter(({ word }) => word === 'describe' || word === 'tag');
  expect(asked).toEqual([{ word: 'describe', args: { key: 1, title: 'Load both' } }]);
  expect(root.querySelector<HTMLElement>('.wfnb-describing')?.hidden).toBe(true);
});

test('what is refused is said in the form, and what was typed stays', async () => {
  const { root } = await opened({}, {
    tag: () => {
      throw new Error('tag is no tag.');
    },
  });
  click(deed(root, 'edit title'));
  const tags = root.querySelectorAll<HTMLInputElement>('.wfnb-describing input')[1]!;

  tags.value = 'a, #b a';
  click(deed(root, 'Save'));
  await settled();

  expect(root.querySelector('.wfnb-describing .wfnb-refused')?.textContent).toBe('tag is no tag.');
  expect(tags.value).toBe('a, #b a');
});

test('keys that are typed in the form are not those of the list', async () => {
  const { root, list, link } = await opened();
  click(deed(root, 'edit title'));
  const title = root.querySelector<HTMLInputElement>('.wfnb-describing input')!;

  for (const key of ['ArrowUp', '/', ' ']) {
    title.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }
  expect(document.activeElement).toBe(title);
  title.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));

  expect(root.querySelector<HTMLElement>('.wfnb-describing')?.hidden).toBe(true);
  expect(list.querySelector('.wfnb-card')).not.toBeNull();
  expect(link.asked.some(({ word }) => word === 'describe')).toBe(false);
});

test('a step is hidden from its card, and a hidden one is shown again', async () => {
  const seen = await opened({}, { hide: () => null });
  click(deed(seen.root, 'hide'));

  expect(seen.link.asked).toContainEqual({ word: 'hide', args: { key: 1 } });
  expect([offers(seen.root, 'hide'), offers(seen.root, 'show again')]).toEqual([true, false]);
});

test('a step whose cell is gone says where it was, and offers to put it back', async () => {
  const rows = [row(0)];
  const found = await shown(rows, { card: ({ key }) => card(rows, key, { notebook: 'other.ipynb' }) });
  let changed = (): void => undefined;
  let there = true;
  Object.assign(found.host, {
    holds: () => there,
    notebook: () => 'this.ipynb',
    cellsChanged: (f: () => void) => ((changed = f), () => undefined),
  });
  // the host is asked as the view is made: make it anew with one that knows of cells
  found.end();
  const { frame } = await import('../src/render/view_frame');
  const { timeline } = await import('../src/render/timeline');
  const root = document.body.appendChild(document.createElement('div'));
  const end = frame(root, found.link, found.host, [timeline]);
  await settled();
  await settled();
  click(root.querySelector('.wfnb-title'));
  await settled(120);
  const lost = (): boolean => !root.querySelector<HTMLElement>('.wfnb-lost')?.hidden;
  const before = [lost(), offers(root, 'insert its cell below'), offers(root, 'go to cell')];

  there = false;
  changed();
  click(deed(root, 'insert its cell below'));

  expect(before).toEqual([false, false, true]);
  expect([lost(), offers(root, 'go to cell')]).toEqual([true, false]);
  expect(root.querySelector('.wfnb-card')?.textContent).toContain(
    'Its cell is not in this notebook. It was recorded in other.ipynb.',
  );
  expect(found.host.did.at(-1)?.[0]).toBe('insertCell');
  end();
});

test('a version says what it changed, and is put back into the cell', async () => {
  const versions = [
    { version: 2, says: 'ok', source: 'x = 2', changed: '…\n-x = 1\n+x = <2>' },
    { version: 1, says: 'ok', source: 'x = 1' },
  ];
  const rows = [row(0)];
  const { root, host } = await shown(rows, { card: ({ key }) => card(rows, key, { versions }) });
  click(root.querySelector('.wfnb-title'));
  await settled(120);

  const lines = [...root.querySelectorAll('.wfnb-difference > span')];
  expect(lines.map(({ textContent, className }) => [textContent, className])).toEqual([
    ['…\n', 'wfnb-dim'], ['-x = 1\n', 'wfnb-removed'], ['+x = <2>\n', 'wfnb-added'],
  ]);
  click(root.querySelectorAll('[aria-label^="put version"]')[1]!);
  expect(host.did.at(-1)).toEqual(['putBack', expect.objectContaining({ key: 1 }), 1]);
});

test('the hidden steps are shown by themselves, and all others again', async () => {
  const rows = [row(0), row(1, { hidden: true, title: 'A mistake' })];
  const { root, list, link } = await shown(rows.slice(0, 1), {
    rows: ({ filter }) => ({ first: 0, count: 1, rows: filter?.hidden ? rows.slice(1) : rows.slice(0, 1) }),
  }, { head: (await import('./fake')).head({ hidden: 1, steps: 1 }) });
  const toggle = root.querySelector<HTMLButtonElement>('.wfnb-hides')!;
  const titles = (): (string | null)[] => [...list.querySelectorAll('.wfnb-title')].map((each) => each.textContent);

  expect([toggle.hidden, toggle.textContent]).toEqual([false, '1 hidden']);
  click(toggle);
  await settled(50);
  const hidden = titles();
  click(toggle);
  await settled(50);

  expect(hidden).toEqual(['A mistake']);
  expect(titles()).toEqual(['Step number 1']);
  expect(link.asked).toContainEqual({ word: 'rows', args: { first: 0, count: 100, filter: { hidden: true } } });
});
