import { describe, expect, test, vi } from 'vitest';

import { frame } from '../src/render/view_frame';
import { h } from '../src/render/dom';
import { BUSY_AFTER } from '../src/render/slow_answers';
import type { MakeTab } from '../src/render/tab';
import { delta, fakeHost, fakeLink, head, many, picture, row, settled } from './fake';
import { cleared, framed, hear, open, shows, tab, tabs } from './given_frame';

cleared();

test('one tab is open, and a number stands beside a name that has one', async () => {
  const { root } = await framed();

  expect(open(root)).toEqual(['One']);
  expect(tabs(root).map((one) => one.textContent)).toEqual(['One', 'Two 3', 'Three']);
  expect(tabs(root).map((one) => one.getAttribute('aria-selected'))).toEqual(['true', 'false', 'false']);
  expect(tabs(root).map((one) => one.tabIndex)).toEqual([0, -1, -1]);
});

test('arrows go from tab to tab, round the end', async () => {
  const { root } = await framed();

  for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft']) {
    const focused = tabs(root).find((one) => one.tabIndex === 0);
    focused?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }

  expect(open(root)).toEqual(['Three']);
  expect(document.activeElement).toBe(tabs(root)[2]);
});

test('a change is shown by the open tab alone, and whole when another is opened', async () => {
  const { link, root } = await framed();

  link.tell(delta(1, { runs: [] }));
  tabs(root)[1]?.click();

  expect(shows).toEqual(['One: runs', 'Two: count head inquiry ledger lines row runs stages']);
});

test('a screen reader hears the newest step and how it went, once', async () => {
  const { link, root } = await framed();

  link.tell(delta(1, { count: 4, rows: [row(3, { title: 'Plot', outcome: 'running' })] }));
  const running = hear(root);
  link.tell(delta(2, { rows: [row(3, { title: 'Plot', outcome: 'failed' })] }));
  const failed = hear(root);
  link.tell(delta(3, { head: { says: '4 steps · 1 stale' } }));

  expect([running, failed, hear(root)]).toEqual([
    'Step 4: Plot. running.',
    'Step 4: Plot. failed.',
    '4 steps · 1 stale',
  ]);
});

test('another session is not read out', async () => {
  const { link, root } = await framed();

  link.tell(picture(many(9), { head: head({ session: 'another' }) }));

  expect(hear(root)).toBe('');
});

test('before the first picture, and when there is none, a sentence says why', async () => {
  const { link, root } = await framed();

  link.tell({ kind: 'gone', says: 'This notebook has no session.' });

  expect(root.querySelector<HTMLElement>('.wfnb-body')?.hidden).toBe(true);
  expect(root.querySelector('.wfnb-empty')?.textContent).toBe('This notebook has no session.');
});

test('a link that is gone is said, and what was told stays', async () => {
  const { link, root } = await framed();

  link.turn('gone');

  expect(root.querySelector<HTMLElement>('.wfnb-body')?.hidden).toBe(false);
  expect(root.querySelector('.wfnb-notice')?.textContent).toContain('The kernel is gone.');
});

test('while a notebook is resumed, that it waits for the kernel is said where its cells are counted', async () => {
  const [rows, host] = [many(3), fakeHost()];
  const link = fakeLink(rows, { snapshot: () => picture(rows) });
  const says = 'Waiting for the kernel.';
  const stop = vi.fn();
  const end = frame(document.body, link, { ...host, resume: { ...host.stale, going: true, says, stop, run: vi.fn() } }, [tab('One')]);
  await settled();

  link.turn('connecting');

  const said = [...document.querySelectorAll<HTMLElement>('.wfnb-notice')].filter(({ hidden }) => !hidden);
  expect(said.map((each) => each.querySelector('span')?.textContent)).toEqual([says]);
  end.dispose();
});

test('what waits on a busy kernel says so and offers to interrupt, until it is answered', async () => {
  let answer: (says: string) => void = () => undefined;
  const undo = (): Promise<string> => new Promise((done) => (answer = done));
  const { link, host, root } = await framed({ undo });
  vi.useFakeTimers();
  link.turn('busy');
  link.tell(delta(1, { head: { can_undo: true } }));
  const notice = root.querySelector('.wfnb-notice') as HTMLElement;

  root.querySelector<HTMLElement>('[aria-label="undo"]')?.click();
  vi.advanceTimersByTime(BUSY_AFTER - 1);
  const early = notice.hidden;
  vi.advanceTimersByTime(1);
  const late = notice.textContent;
  notice.querySelector('button')?.click();
  answer('done');
  await vi.advanceTimersByTimeAsync(1);

  expect(early).toBe(true);
  expect(late).toBe('The kernel is busy: this waits until the cell ends.Interrupt the cell');
  expect(host.did[0]).toEqual(['interrupt']);
  expect(notice.hidden).toBe(true);
});

test('a step can be shown from outside: in its tab, as soon as there is a picture', async () => {
  const revealed: number[] = [];
  const steps: MakeTab = (link, host) => ({ ...tab('Steps')(link, host), reveal: (key) => void revealed.push(key) });
  const link = fakeLink([]);
  link.state = 'connecting';
  const root = document.body.appendChild(document.createElement('div'));
  const view = frame(root, link, fakeHost(), [tab('One'), steps]);

  view.show(7);
  const early = [...revealed];
  link.tell(picture(many(3)));
  const opened = open(root);
  view.show(2);
  view.dispose();

  expect([early, revealed]).toEqual([[], [7, 2]]);
  expect(opened).toEqual(['Steps']);
  expect(root.childNodes.length).toBe(0);
});

describe('the keyboard', () => {
  const way = (has: boolean): MakeTab => (link, host) => {
    const made = tab('Steps')(link, host);
    const inside = made.root.querySelector('button') as HTMLElement;
    return { ...made, focus: () => (has && inside.focus(), has) };
  };
  const focused = (): string | null | undefined => document.activeElement?.textContent;

  test('goes to what the open tab is about, else to the name of the tab', async () => {
    const full = await framed({}, [way(true), tab('Two')]);
    const bare = await framed({}, [way(false), tab('Two')]);

    full.end.focus();
    const inside = document.activeElement?.closest('[role="tabpanel"]') !== null && focused();
    bare.end.focus();

    expect(inside).toBe('Steps');
    expect(document.activeElement).toBe(tabs(bare.root)[0]);
  });

  test('goes there once there is a picture, unless it was taken elsewhere meanwhile', async () => {
    const rows = many(3);
    const none = { snapshot: () => new Promise<never>(() => undefined) };
    const [first, second] = [await framed(none, [way(true)]), await framed(none, [way(true)])];
    const other = document.body.appendChild(h('button', {}, 'elsewhere'));

    first.end.focus();
    first.link.tell(picture(rows));
    const waited = first.root.contains(document.activeElement) && focused();
    (document.activeElement as HTMLElement).blur();
    second.end.focus();
    other.focus();
    second.link.tell(picture(rows));

    expect(waited).toBe('Steps');
    expect(document.activeElement).toBe(other);
  });
});

test('two views stand side by side without sharing an id', async () => {
  await framed();
  await framed();

  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);

  expect(new Set(ids).size).toBe(ids.length);
});

test('nothing is left after the end', async () => {
  const { link, root, end } = await framed();

  end();
  end();

  expect(shows).toEqual(['One ends', 'Two ends', 'Three ends']);
  expect(link.listeners).toBe(0);
  expect(root.childNodes.length).toBe(0);
});
