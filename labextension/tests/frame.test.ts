import { afterEach, describe, expect, test, vi } from 'vitest';

import { frame } from '../src/render/frame';
import type { View } from '../src/render/frame';
import { h } from '../src/render/dom';
import { PATIENCE } from '../src/render/patience';
import type { RunHead } from '../src/picture';
import type { MakeTab } from '../src/render/tab';
import type { Answers, FakeLink } from './fake';
import { delta, fakeHost, fakeLink, head, many, picture, row, settled } from './fake';
import { seen } from './shown';

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const shows: string[] = [];

function tab(name: string, count: number | null = null): MakeTab {
  return () => ({
    name,
    root: h('div', {}, h('button', {}, name)),
    show: (_, changed) => void shows.push(`${name}: ${[...changed].sort().join(' ')}`),
    count: () => count,
    dispose: () => void shows.push(`${name} ends`),
  });
}

async function framed(
  answers: Answers = {},
  made: MakeTab[] = [tab('One'), tab('Two', 3), tab('Three', 0)],
): Promise<{ link: FakeLink; host: ReturnType<typeof fakeHost>; root: HTMLElement; end: View }> {
  const rows = many(3);
  const link = fakeLink(rows, { snapshot: () => picture(rows), ...answers });
  const host = fakeHost();
  const root = document.body.appendChild(document.createElement('div'));
  const end = frame(root, link, host, made);
  await settled();
  shows.length = 0;
  return { link, host, root, end };
}

const tabs = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[role="tab"]')];
const open = (root: HTMLElement): (string | null)[] =>
  [...root.querySelectorAll<HTMLElement>('[role="tabpanel"]')].filter((p) => !p.hidden).map((p) => p.textContent);
const hear = (root: HTMLElement): string | null | undefined => root.querySelector('[aria-live]')?.textContent;

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

  expect(shows).toEqual(['One: runs', 'Two: count head inquiry lines row runs stages']);
});

test('the header says where the session is', async () => {
  const { link, root } = await framed();

  link.tell(delta(1, { head: { total: 6, strategy: 'react', stage: 'plan', says: '3 steps' } }));

  expect(root.querySelector('.wfnb-session')?.textContent).toBe('sensor-drift');
  expect(root.querySelector('.wfnb-key')?.textContent).toBe('react · plan');
  expect(root.querySelector('.wfnb-says')?.textContent).toBe('3 steps');
  const bar = root.querySelector<HTMLElement>('[role="progressbar"]');
  expect([bar?.getAttribute('aria-valuenow'), bar?.getAttribute('aria-valuemax')]).toEqual(['3', '6']);
  expect(bar?.querySelector<HTMLElement>('i')?.style.width).toBe('50%');
});

const deed = (root: HTMLElement, name: string): HTMLElement =>
  root.querySelector(`[aria-label="${name}"]`) as HTMLElement;
const cannot = (root: HTMLElement): (string | null)[] =>
  ['undo', 'redo'].map((name) => deed(root, name).getAttribute('aria-disabled'));

test.each(['undo', 'redo'])('a double click on %s does it once', async (word) => {
  const { link, root } = await framed({ undo: () => 'Step 3 is undone.', redo: () => 'Step 3 is back.' });
  link.tell(delta(1, { head: { can_undo: true, can_redo: true } }));

  deed(root, word).click();
  await settled();
  deed(root, word).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 2 }));

  expect(link.asked.filter((each) => each.word === word)).toHaveLength(1);
});

test('until the answer is there neither undo nor redo can be asked for, whatever is told meanwhile', async () => {
  let answer: (says: string) => void = () => undefined;
  const { link, root } = await framed({ undo: () => new Promise<string>((done) => (answer = done)) });
  link.tell(delta(1, { head: { can_undo: true, can_redo: true } }));

  deed(root, 'undo').click();
  link.tell(delta(2, { head: { steps: 2 } }));
  const meanwhile = cannot(root);
  deed(root, 'undo').click();
  answer('Step 3 is undone.');
  await settled();

  expect(meanwhile).toEqual(['true', 'true']);
  expect(cannot(root)).toEqual([null, null]);
  expect(link.asked.filter(({ word }) => word === 'undo')).toHaveLength(1);
});

test('undo and redo do something only while they can be done, and say what they did', async () => {
  const { link, host, root } = await framed({ undo: () => 'Step 3 is undone.' });
  const before = cannot(root);
  deed(root, 'undo').click();
  await settled();
  const asked = link.asked.some(({ word }) => word === 'undo');
  link.tell(delta(1, { head: { can_undo: true } }));

  deed(root, 'undo').click();
  deed(root, 'redo').click();
  await settled();

  expect([before, asked, cannot(root)]).toEqual([['true', 'true'], false, [null, 'true']]);
  expect(host.did).toEqual([['say', 'Step 3 is undone.']]);
});

test('the arrow that undid the last thing that there was keeps the focus', async () => {
  const { link, root } = await framed({ undo: () => 'Step 1 is undone.' });
  link.tell(delta(1, { head: { can_undo: true } }));
  deed(root, 'undo').focus();

  link.tell(delta(2, { head: { can_undo: false, can_redo: true } }));

  expect(document.activeElement).toBe(deed(root, 'undo'));
  expect([seen(deed(root, 'undo')), cannot(root)]).toEqual([true, ['true', null]]);
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

test('what waits on a busy kernel says so and offers to interrupt, until it is answered', async () => {
  let answer: (says: string) => void = () => undefined;
  const undo = (): Promise<string> => new Promise((done) => (answer = done));
  const { link, host, root } = await framed({ undo });
  vi.useFakeTimers();
  link.turn('busy');
  link.tell(delta(1, { head: { can_undo: true } }));
  const notice = root.querySelector('.wfnb-notice') as HTMLElement;

  root.querySelector<HTMLElement>('[aria-label="undo"]')?.click();
  vi.advanceTimersByTime(PATIENCE - 1);
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

const asking = (name: string, ...asked: string[]): RunHead => ({
  name, workflow: 'release', status: 'running', sign: '▶', step: 1, done: 0, total: 2, now: [], started: null, ended: null,
  error: null, here: true, resumable: false,
  asks: asked.map((question) => ({
    run: name, call: 1, action: 'sure', question, choices: ['yes'], default: null, secret: false, otherwise: '',
  })),
});
const asked = (root: HTMLElement): HTMLElement => root.querySelector('.wfnb-asked') as HTMLElement;

test('a question that waits is announced once and stands above whatever tab is open, until it is answered', async () => {
  const { link, root } = await framed();
  const before = asked(root).hidden;

  link.tell(delta(1, { runs: [asking('a-1', 'Release it?'), asking('b-1', 'Which tag?')] }));
  const heard = hear(root);
  tabs(root)[1]?.click();
  const words = asked(root).firstElementChild?.textContent;
  link.tell(delta(2, { runs: [{ name: 'a-1', done: 1 }], head: { says: 'on it goes' } }));
  const later = hear(root);
  link.tell(delta(3, { runs: [{ name: 'a-1', asks: [] }, { name: 'b-1', asks: [] }] }));

  expect(before).toBe(true);
  expect(heard).toBe('a-1 asks: Release it? b-1 asks: Which tag?');
  expect(words).toBe('b-1 asks: Which tag? · 1 more');
  expect(later).toBe('on it goes');
  expect(asked(root).hidden).toBe(true);
});

test('a question that waited before anybody looked is announced, too', async () => {
  const { root } = await framed({ snapshot: () => picture(many(3), { runs: [asking('a-1', 'Release it?')] }) });

  expect(hear(root)).toBe('a-1 asks: Release it?');
  expect(asked(root).hidden).toBe(false);
});

test('Answer opens the tab that has the form, at the run that asks', async () => {
  const answered: string[] = [];
  const form: MakeTab = (link, host) => ({ ...tab('Runs')(link, host), answer: (run) => void answered.push(run) });
  const { link, root } = await framed({}, [tab('One'), form]);
  link.tell(delta(1, { runs: [asking('a-1', '<b>Release</b> it?')] }));

  asked(root).querySelector('button')?.click();

  expect(answered).toEqual(['a-1']);
  expect(open(root)).toEqual(['Runs']);
  expect(asked(root).querySelector('b')).toBe(null);
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
