import { afterEach, expect, test, vi } from 'vitest';

import type { Row, Snapshot } from '../src/picture';
import { frame } from '../src/render/frame';
import type { View } from '../src/render/frame';
import { timeline } from '../src/render/timeline';
import { card, delta, fakeHost, fakeLink, head, line, many, picture, row, settled } from './fake';
import type { Answers, FakeLink } from './fake';
import { golden } from './golden';
import { inRoom } from './room';

inRoom();
afterEach(() => void vi.useRealTimers());

interface Shown {
  link: FakeLink;
  host: ReturnType<typeof fakeHost>;
  list: HTMLElement;
  root: HTMLElement;
  end: View;
  key(name: string, more?: KeyboardEventInit): void;
}

async function shown(rows: readonly Row[], answers: Answers = {}, more: Partial<Snapshot> = {}): Promise<Shown> {
  const link = fakeLink(rows, { snapshot: () => picture(rows, more), ...answers });
  const host = fakeHost();
  const root = document.body.appendChild(document.createElement('div'));
  const end = frame(root, link, host, [timeline]);
  await settled();
  await settled();
  const list = root.querySelector('.wfnb-list') as HTMLElement;
  const key = (name: string, init: KeyboardEventInit = {}): void => {
    const target = list.contains(document.activeElement) ? (document.activeElement as Element) : list;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...init }));
  };
  return { link, host, list, root, end, key };
}

const titles = (list: HTMLElement): string[] =>
  [...list.querySelectorAll('.wfnb-title')].map((title) => title.textContent ?? '');
const selected = (list: HTMLElement): string | null | undefined =>
  list.querySelector('[aria-selected="true"] .wfnb-title')?.textContent;
const click = (element: Element | null | undefined): unknown =>
  element?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
const scroll = (list: HTMLElement, to: number): void => {
  list.scrollTop = to;
  list.dispatchEvent(new Event('scroll'));
};

test('of ten thousand steps only those in sight are in the page, the newest first', async () => {
  const { list } = await shown(many(10000));

  const rows = titles(list);

  expect(rows.length).toBeLessThan(40);
  expect(rows.at(-1)).toBe('Step number 10000');
  expect(list.getAttribute('aria-rowcount')).toBe('10000');
  expect(list.scrollTop).toBe(10000 * 28 + 8 - 560);
});

test('scrolling draws anew only where rows would be missing, and none is', async () => {
  const { list } = await shown(many(60));
  scroll(list, 10 * 28);
  const before = titles(list);
  scroll(list, 14 * 28);
  const near = titles(list);
  const missing: number[] = [];
  for (let to = 14 * 28; to < 60 * 28 - 560; to += 41) {
    scroll(list, to);
    const there = new Set(titles(list));
    for (let place = Math.floor(to / 28); place < (to + 560) / 28; place++) {
      if (!there.has(`Step number ${place + 1}`)) {
        missing.push(place);
      }
    }
  }

  expect(near).toEqual(before);
  expect(titles(list)).not.toEqual(before);
  expect(missing).toEqual([]);
});

test('scrolling asks for the pages that come in sight, and draws them when they came', async () => {
  const { link, list } = await shown(many(10000));
  link.asked.length = 0;

  scroll(list, 5000 * 28);
  const before = titles(list);
  await settled();

  expect(link.asked.map(({ word, args }) => [word, args])).toEqual([
    ['rows', { first: 4900, count: 100 }],
    ['rows', { first: 5000, count: 100 }],
  ]);
  expect(before.every((title) => title === '')).toBe(true);
  expect(titles(list)).toContain('Step number 5001');
  expect(titles(list).length).toBeLessThan(40);
});

test('a new step is followed when the end was in sight', async () => {
  const { link, list } = await shown(many(100));

  link.tell(delta(1, { count: 101, rows: [row(100)] }));

  expect(list.scrollTop).toBe(101 * 28 + 8 - 560);
  expect(titles(list).at(-1)).toBe('Step number 101');
});

test('a new step leaves what somebody reads further up where it is', async () => {
  const { link, list } = await shown(many(100));
  scroll(list, 700);

  link.tell(delta(1, { count: 101, rows: [row(100)] }));

  expect(list.scrollTop).toBe(700);
});

test('a change of a row is filled into the row that is there', async () => {
  const { link, list } = await shown(many(10));
  const before = list.querySelectorAll('.wfnb-row')[4];

  link.tell(delta(1, { rows: [row(4, { stale: true, title: 'Another' })] }));

  const after = list.querySelectorAll('.wfnb-row')[4];
  expect(after).toBe(before);
  expect(after?.querySelector('.wfnb-title')?.textContent).toBe('Another');
  expect(after?.querySelector('.wfnb-sign')?.textContent).toBe('◌ stale');
});

test.each([
  [['ArrowDown'], 10],
  [['ArrowUp'], 9],
  [['End', 'ArrowUp', 'ArrowUp'], 8],
  [['Home'], 1],
  [['Home', 'ArrowUp'], 1],
  [['Home', 'ArrowDown'], 2],
  [['End', 'ArrowDown'], 10],
  [['Home', 'PageDown'], 10],
])('the keys %s select step %i', async (keys, number) => {
  const { list, key } = await shown(many(10));

  keys.forEach((name) => key(name));

  expect(selected(list)).toBe(`Step number ${number}`);
  expect(list.getAttribute('aria-activedescendant')).toBe(list.querySelector('[aria-selected="true"]')?.id);
});

test('a step far away is selected before it has come, and shown when it came', async () => {
  const { list, key } = await shown(many(10000));

  key('Home');
  await settled();

  expect(list.scrollTop).toBe(0);
  expect(selected(list)).toBe('Step number 1');
});

test('the selected step stays in the page when it is scrolled away', async () => {
  const { list, key } = await shown(many(10000));
  key('End');

  scroll(list, 0);
  await settled();

  expect(selected(list)).toBe('Step number 10000');
  expect(list.getAttribute('aria-activedescendant')).not.toBeNull();
});

test('Enter opens the selected step into its card and closes it again', async () => {
  const { link, list, key } = await shown(many(10));
  key('Home');

  key('Enter');
  await settled(100);

  const opened = list.querySelector('[aria-expanded="true"]');
  expect(opened?.textContent).toBe('Step number 1');
  expect(opened?.closest('[role="row"]')?.querySelector('.wfnb-card')?.textContent).toContain('About 1.');
  expect(link.asked.filter(({ word }) => word === 'card').map(({ args }) => args)).toEqual([{ key: 1 }]);
  key('Enter');
  expect(list.querySelector('.wfnb-card')).toBeNull();
});

test('rows below an open card stand lower by its height', async () => {
  const { list, key } = await shown(many(10));
  key('Home');

  key('Enter');

  const places = [...list.querySelectorAll<HTMLElement>('.wfnb-row')].map((one) => one.style.transform);
  expect(places.slice(0, 3)).toEqual(['translateY(0px)', 'translateY(128px)', 'translateY(156px)']);
  expect(list.querySelector<HTMLElement>('.wfnb-canvas')?.style.height).toBe('388px');
});

test('while arrows go on, the card goes with the selection and only the last is asked for', async () => {
  const { link, list, key } = await shown(many(10));

  ['Home', 'Enter', 'ArrowDown', 'ArrowDown'].forEach((name) => key(name));
  await settled(100);

  expect(list.querySelector('.wfnb-card')?.getAttribute('aria-label')).toBe('Step 3');
  expect(link.asked.filter(({ word }) => word === 'card').map(({ args }) => args)).toEqual([{ key: 3 }]);
});

test('a click opens a step where it is, a second click closes it', async () => {
  const { list } = await shown(many(100));
  const line = list.querySelectorAll('.wfnb-line')[10];

  click(line);
  const opened = selected(list);
  click(line);

  expect(opened).toBe(line?.querySelector('.wfnb-title')?.textContent);
  expect(list.querySelector('.wfnb-card')).toBeNull();
});

test('Escape in a card gives the focus back to the list', async () => {
  const { list, key } = await shown(many(10));
  ['Home', 'Enter'].forEach((name) => key(name));
  list.querySelector<HTMLElement>('.wfnb-card button:not([hidden])')?.focus();

  key('Escape');

  expect(document.activeElement).toBe(list);
  expect(list.querySelector('.wfnb-card')).toBeNull();
});

test('what has the focus in a card keeps it while the step changes', async () => {
  const versions = [{ version: 1, says: 'ok', source: 'x = 1' }];
  const { link, list, key } = await shown(many(10), { card: ({ key }) => card([], key, { versions }) });
  ['Home', 'Enter'].forEach((name) => key(name));
  await settled(100);
  const focused = list.querySelector<HTMLElement>('.wfnb-card pre');
  focused?.focus();

  link.tell(delta(1, { rows: [row(0, { attempts: 2 })] }));
  await settled(100);

  expect(link.asked.filter(({ word }) => word === 'card').length).toBe(2);
  expect(document.activeElement).toBe(focused);
});

test('where what has the focus goes away, the list has it', async () => {
  const { link, list, key } = await shown([row(0, { stale: true })], { confirm: () => null });
  ['Home', 'Enter'].forEach((name) => key(name));
  const confirm = list.querySelector<HTMLElement>('.wfnb-card button');
  confirm?.focus();
  confirm?.click();

  link.tell(delta(1, { rows: [row(0)] }));

  expect(link.asked).toContainEqual({ word: 'confirm', args: { key: 1 } });
  expect(document.activeElement).toBe(list);
});

test('Ctrl+Enter goes to the cell; a step without one says so', async () => {
  const { host, key } = await shown([row(0), row(1, { cell_id: null })]);

  key('Home');
  key('Enter', { ctrlKey: true });
  key('End');
  key('Enter', { ctrlKey: true });

  expect(host.did).toEqual([
    ['goToCell', 'cell-1', 0],
    ['say', 'Step 2 is in no cell of this notebook.'],
  ]);
});

test('the footer acts on the selected step, or on the last', async () => {
  const { host, root, key } = await shown(many(3));
  const button = (name: string): HTMLElement | undefined =>
    [...root.querySelectorAll<HTMLElement>('.wfnb-foot button')].find((one) => one.textContent === name);

  button('Branch')?.click();
  key('Home');
  button('Revise')?.click();
  button('New step')?.click();
  button('›')?.click();

  expect(host.did).toEqual([['branchFrom', row(2)], ['revise', row(0)], ['newStep']]);
  expect(selected(root)).toBe('Step number 2');
});

test('a card says what was kept and what could not be, and offers to restore it', async () => {
  const rows = [row(0, { kept: 1 }), row(1)];
  const kept = {
    says: 'kept by version 1',
    values: [{ name: 'df', value: 'pandas.DataFrame · 3 rows' }, { name: 'log', value: 'not kept: it is an open file' }],
    more: 2,
  };
  const { host, list, key } = await shown(rows, {
    card: (asked) => card(rows, asked.key, { kept: asked.key === 1 ? kept : null }),
  });
  const offered = (): HTMLElement | undefined =>
    [...list.querySelectorAll<HTMLElement>('.wfnb-card .wfnb-deeds button:not([hidden])')].find(
      (one) => one.textContent === 'restore',
    );
  ['Home', 'Enter'].forEach((name) => key(name));
  await settled(100);

  const shownKept = list.querySelector('.wfnb-kept');
  offered()?.click();
  key('ArrowDown');
  await settled(100);

  expect(shownKept?.getAttribute('aria-label')).toBe('kept by version 1');
  expect([...(shownKept?.querySelectorAll('dt, dd') ?? [])].map((one) => one.textContent)).toEqual([
    'df', 'pandas.DataFrame · 3 rows', 'log', 'not kept: it is an open file',
  ]);
  expect(shownKept?.textContent).toContain('… 2 more');
  expect(host.did).toEqual([['restore', rows[0]]]);
  expect(offered()).toBeUndefined();
  expect(list.querySelector('.wfnb-kept')).toBeNull();
});

test('what the host cannot do is not offered', async () => {
  const link = fakeLink([], { snapshot: () => picture(many(3)) });
  const root = document.body.appendChild(document.createElement('div'));
  frame(root, link, { say: () => undefined }, [timeline]);
  await settled();

  const names = [...root.querySelectorAll('.wfnb-foot button')].map((one) => one.textContent);

  expect(names).toEqual(['«', '‹', '›', '»']);
});

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

test('after an undo a step that is gone is not selected', async () => {
  const { link, list, key } = await shown(many(10));
  key('End');

  link.tell(picture(many(9)));

  expect(selected(list)).toBeUndefined();
  expect(titles(list).length).toBe(9);
});

test('without a step the timeline says how one is made', async () => {
  const { root } = await shown([]);

  expect(root.querySelector('.wfnb-timeline .wfnb-empty')?.textContent).toContain('%%step');
});

test('hostile texts stay texts, in rows and in cards', async () => {
  const { picture: whole, cards } = golden('hostile');
  const { list, key } = await shown(whole.rows, {
    snapshot: () => whole,
    card: ({ key }) => cards.find((one) => one.key === key) as (typeof cards)[0],
  });

  vi.useFakeTimers();
  for (const one of whole.rows) {
    key(one.index === 0 ? 'Home' : 'ArrowDown');
    if (one.index === 0) {
      key('Enter');
    }
    await vi.advanceTimersByTimeAsync(100);
    const view = list.querySelector('[aria-selected="true"]') as HTMLElement;
    expect(view.querySelector('.wfnb-title')?.textContent).toBe(one.title);
    expect(view.querySelector('.wfnb-error')?.textContent).toBe(cards[one.index]?.error);
  }

  const made = [...document.querySelectorAll('*')].map((element) => element.tagName.toLowerCase());
  expect(made.filter((tag) => ['script', 'img', 'style', 'iframe', 'a'].includes(tag))).toEqual([]);
  const attributes = new Set([...list.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()));
  expect([...attributes].filter((name) => /^(on|href|src)/.test(name))).toEqual([]);
});

test('nothing is hung on the page or the window, which outlive the view', async () => {
  const spies = [document, window].map((target) => vi.spyOn(target, 'addEventListener'));

  await shown(many(10));

  expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0]);
  vi.restoreAllMocks();
});

test('nothing listens, and nothing is left in the page, after the end', async () => {
  const { link, list, root, end, key } = await shown(many(10));
  ['Home', 'Enter'].forEach((name) => key(name));

  end();
  link.asked.length = 0;
  await settled(100);

  expect(link.listeners).toBe(0);
  expect(link.asked).toEqual([]);
  expect(root.childNodes.length).toBe(0);
  expect(list.isConnected).toBe(false);
});

test('a step is shown from outside: selected, open, in sight, whether its row is here or not', async () => {
  const { list, end, root } = await shown(many(10000));

  end.show(9990);
  await settled();
  const near = [selected(list), list.querySelector('.wfnb-card') !== null];
  end.show(5000);
  await settled();
  await settled();
  const far = [selected(list), list.querySelector('.wfnb-card') !== null];
  root.querySelector<HTMLElement>('[aria-label="next step"]')?.click();

  expect(near).toEqual(['Step number 9990', true]);
  expect(far).toEqual(['Step number 5000', true]);
  expect(selected(list)).toBe('Step number 5001');
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

test('a step that is no longer there is said to be so', async () => {
  const { end, host } = await shown(many(5), { card: () => Promise.reject(new Error('There is no step 99.')) });

  end.show(99);
  await settled();

  expect(host.did).toEqual([['say', 'There is no step 99.']]);
});
