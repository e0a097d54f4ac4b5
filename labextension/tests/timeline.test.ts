import { afterEach, expect, test, vi } from 'vitest';

import { frame } from '../src/render/view_frame';
import { timeline } from '../src/render/timeline';
import { card, delta, fakeLink, head, many, picture, row, settled } from './fake';
import { golden } from './golden';
import { scroll, selected, shown, titles } from './given_timeline';
import { inRoom, room } from './room';

inRoom();
afterEach(() => void vi.useRealTimers());

test('of ten thousand steps only those in sight are in the page, the newest first', async () => {
  const { list } = await shown(many(10000));

  const rows = titles(list);

  expect(rows.length).toBeLessThan(40);
  expect(rows.at(-1)).toBe('Step number 10000');
  expect(list.getAttribute('aria-rowcount')).toBe('10000');
  expect(list.scrollTop).toBe(10000 * 28 + 8 - 560);
});

test('where there is little room a row has two lines, and the first in sight stays so', async () => {
  const { link, list } = await shown(many(500));
  const looks = (): unknown[] => [
    list.hasAttribute('data-narrow'), list.style.getPropertyValue('--wfnb-row'), list.scrollTop, titles(list).includes('Step number 101'),
    list.querySelector<HTMLElement>('[aria-rowindex="101"]')?.style.transform,
  ];
  let seq = 0;
  const wide = async (width: number): Promise<unknown[]> => {
    room.width = width;
    link.tell(delta(++seq, { rows: [row(499)] }));
    await settled();
    return looks();
  };
  scroll(list, 100 * 28 + 5);

  const told = [await wide(399), await wide(0), await wide(400)];

  expect(told).toEqual([
    [true, '44px', 4400, true, 'translateY(4400px)'],
    [true, '44px', 4400, true, 'translateY(4400px)'],
    [false, '28px', 2800, true, 'translateY(2800px)'],
  ]);
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

test('a row says who recorded its step, where that was not the notebook', async () => {
  const { list } = await shown([row(0), row(1, { by: 'helper <b>2.1</b>' })]);

  const said = [...list.querySelectorAll('.wfnb-row')].map((each) => each.textContent?.includes('by helper <b>2.1</b>'));

  expect(said).toEqual([false, true]);
});

test('a card names its author once, and takes back what that one did from its step on', async () => {
  const rows = [row(0), row(1, { by: 'helper 2.1' })];
  const facts = [{ name: 'by', value: 'helper 2.1' }];
  const { link, list, key } = await shown(rows, { card: (asked) => card(rows, asked.key, { facts }) });
  const offered = (): HTMLElement | undefined =>
    [...list.querySelectorAll<HTMLElement>('.wfnb-card .wfnb-wraps button:not([hidden])')].find((one) =>
      one.textContent?.startsWith('take back'),
    );
  const there: (string | null | undefined)[] = [];
  ['Home', 'Enter'].forEach((name) => key(name));
  there.push(offered()?.textContent);
  key('ArrowDown');
  await settled(100);
  there.push(offered()?.textContent);
  offered()?.click();

  expect(there).toEqual([undefined, 'take back what helper 2.1 did from here on']);
  expect([...list.querySelectorAll('.wfnb-values > *')].map(({ textContent }) => textContent)).toEqual(['by', 'helper 2.1']);
  expect(link.asked.at(-1)).toEqual({ word: 'undo', args: { work: { by: 'helper 2.1', key: 2 } } });
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

test('the footer acts on the selected step, or on the last', async () => {
  const { host, root, key } = await shown(many(3));
  const button = (name: string): HTMLElement | undefined =>
    [...root.querySelectorAll<HTMLElement>('.wfnb-foot button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);

  button('Branch')?.click();
  key('Home');
  button('Revise')?.click();
  button('New step')?.click();
  button('next step')?.click();

  expect(host.did).toEqual([['branchFrom', row(2)], ['revise', row(0)], ['newStep', undefined, row(0)]]);
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
    [...list.querySelectorAll<HTMLElement>('.wfnb-card .wfnb-wraps button:not([hidden])')].find(
      (one) => one.textContent === 'restore',
    );
  ['Home', 'Enter'].forEach((name) => key(name));
  await settled(100);

  const shownKept = list.querySelector('.wfnb-kept');
  offered()?.click();
  await settled();
  const says = list.querySelector('.wfnb-card > [role=status]');
  const [said, now] = [says?.textContent, shownKept?.isConnected];
  key('ArrowDown');
  await settled(100);

  expect(shownKept?.getAttribute('aria-label')).toBe('kept by version 1');
  expect([...(shownKept?.querySelectorAll('dt, dd') ?? [])].map((one) => one.textContent)).toEqual([
    'df', 'pandas.DataFrame · 3 rows', 'log', 'not kept: it is an open file',
  ]);
  expect(shownKept?.textContent).toContain('… 2 more');
  expect(host.did).toEqual([['restore', rows[0]]]);
  expect([said, now]).toEqual(['step 1 · Load · 1 back', true]);
  expect(says?.textContent).toBe('');
  expect(offered()).toBeUndefined();
  expect(list.querySelector('.wfnb-kept')).toBeNull();
});

test('a card is asked for again where its step is told again, though its row says the same', async () => {
  let reason = 'step 1 has changed';
  const rows = many(3, (i) => row(i, { stale: i === 2 }));
  const { link, list, key } = await shown(rows, {
    card: (asked) => card(rows, asked.key, { facts: [{ name: 'stale', value: reason }] }),
  });
  key('End');
  key('Enter');
  await expect.poll(() => list.querySelector('.wfnb-card dd')?.textContent).toBe('step 1 has changed');

  reason = 'step 2 has changed';
  link.tell(delta(1, { rows: [row(2, { stale: true })] }));

  await expect.poll(() => list.querySelector('.wfnb-card dd')?.textContent).toBe('step 2 has changed');
});

test('the card of a stale step offers to run what is stale up to it, while nothing is run', async () => {
  const rows = [row(0), row(1, { stale: true }), row(2, { stale: true, withdrawn: true })];
  const { host, list, key } = await shown(rows);
  const offered = (): HTMLElement | undefined =>
    [...list.querySelectorAll<HTMLElement>('.wfnb-card .wfnb-wraps button:not([hidden])')].find(
      (one) => one.textContent === 'run stale up to here',
    );
  const there: boolean[] = [];
  ['Home', 'Enter'].forEach((name) => key(name));
  there.push(offered() !== undefined);
  key('ArrowDown');
  there.push(offered() !== undefined);
  offered()?.click();
  host.stale.goes(true, 'Running step 2.');
  there.push(offered() !== undefined);
  host.stale.goes(false, '');
  there.push(offered() !== undefined);
  key('ArrowDown');
  there.push(offered() !== undefined);

  expect(there).toEqual([false, true, false, true, false]);
  expect(host.did).toEqual([['runStale', rows[1]]]);
});

test('what the host cannot do is not offered', async () => {
  const link = fakeLink([], { snapshot: () => picture(many(3)) });
  const root = document.body.appendChild(document.createElement('div'));
  frame(root, link, { say: () => undefined }, [timeline]);
  await settled();

  const names = [...root.querySelectorAll('.wfnb-foot button')].map((one) => one.getAttribute('aria-label'));

  expect(names).toEqual(['first step', 'previous step', 'next step', 'last step']);
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

test('a step that is no longer there is said to be so', async () => {
  const { end, host } = await shown(many(5), { card: () => Promise.reject(new Error('There is no step 99.')) });

  end.show(99);
  await settled();

  expect(host.did).toEqual([['say', 'There is no step 99.']]);
});

test('a session that has runs and no step says where they are', async () => {
  const run = golden('runs').picture.runs.slice(0, 1);
  const [none, some] = [await shown([]), await shown([], {}, { runs: run })];

  const says = [none, some].map(({ root }) => root.querySelector('.wfnb-timeline > .wfnb-empty')?.textContent);

  expect(says[0]).not.toContain('Runs');
  expect(says[1]).toContain('in the tab Runs');
});

test('where all steps are hidden it is not said that there is none', async () => {
  const { root } = await shown([], {}, { head: head({ steps: 0, hidden: 2 }) });

  expect(root.querySelector('.wfnb-empty:not([hidden])')?.textContent).toBe('All steps are hidden.');
});
