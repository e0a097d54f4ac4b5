/** A kernel's link and the journal as one link: which of them is shown, and that nothing is lost where they change. */

import { afterEach, expect, test, vi } from 'vitest';

import { EVERY, RECONNECT_TIME, history } from '../src/lab/history_link';
import type { Journal } from '../src/lab/server_journal';
import { Refused } from '../src/link';
import type { News } from '../src/protocol';
import { store } from '../src/store';
import { fakeLink, head, many, picture, row } from './fake';

afterEach(() => void vi.useRealTimers());

const gone = (says: string, empty?: boolean): News => ({ kind: 'gone', says, ...(empty && { empty }) });

/** What the server answers is `now`; an Error is thrown. */
function server(now: News | Error | null): Journal & { now: News | Error | null; looks: (string | undefined)[] } {
  return {
    now,
    looks: [],
    async look(version) {
      this.looks.push(version);
      if (this.now instanceof Error) {
        throw this.now;
      }
      return this.now;
    },
    figure: async () => null,
    search: async () => ({ sessions: [], next: null }),
    ask: async (word) => `journal ${word}` as never,
  };
}

function shown(...given: Parameters<typeof history>): { link: ReturnType<typeof history>; told: News[] } {
  const link = history(...given);
  const told: News[] = [];
  link.on((each) => told.push(each));
  return { link, told };
}

const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const of = (titles: string[], version = '1'): News =>
  picture(titles.map((title, i) => row(i, { title, here: false })), { version });

test('while a kernel answers, the journal is not read', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  const journal = server(of(['a']));
  const { link, told } = shown(kernel, journal);

  kernel.tell(picture([row(0)]));
  await pass(5 * EVERY);

  expect(link.state).toBe('live');
  expect(told).toHaveLength(1);
  expect(journal.looks).toEqual([]);
});

test('without wfnb in the kernel the journal is shown, and it is not said that there is nothing', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const { link, told } = shown(kernel, server(of(['a'])));

  kernel.tell(gone('not loaded'));
  await pass();

  expect(link.state).toBe('journal');
  expect(told.map(({ kind }) => kind)).toEqual(['snapshot']);
  expect(await link.ask('card', { key: 1 })).toBe('journal card');
});

test('what others record in the journal is shown; the same picture is not told twice', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const journal = server(of(['a']));
  const { told } = shown(kernel, journal);
  await pass();

  journal.now = null;
  await pass(EVERY);
  journal.now = of(['a', 'b'], '2');
  await pass(EVERY);

  expect(told.map((each) => each.kind === 'snapshot' && each.count)).toEqual([1, 2]);
  expect(journal.looks.slice(0, 3)).toEqual([undefined, '1', '1']);
});

test('nobody asks for what nobody sees', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const journal = server(of(['a']));
  let seen = false;
  shown(kernel, journal, () => seen);

  await pass(10 * EVERY);
  expect(journal.looks).toHaveLength(1);
  seen = true;
  await pass(EVERY);
  expect(journal.looks).toHaveLength(2);
});

test('a kernel that restarts is waited for before the journal is read, and goes live without a gap', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  const journal = server(of(['a']));
  const link = history(kernel, journal);
  const known = store(link);
  const states: boolean[] = [];
  known.listen(() => states.push(known.state !== null));
  kernel.tell(picture([row(0)]));

  kernel.turn('connecting');
  await pass(RECONNECT_TIME - 1);
  expect(known.state?.row(0)?.here).toBe(true);
  await pass(1);
  expect(known.state?.row(0)?.here).toBe(false);
  expect(link.state).toBe('connecting');

  kernel.turn('live');
  kernel.tell(picture([row(0)], { seq: 1 }));

  expect(known.state?.row(0)?.here).toBe(true);
  expect(link.state).toBe('live');
  expect(new Set(states)).toEqual(new Set([true]));
});

test('a server that is lost is said to be lost, and its history is shown as soon as it is back', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  const journal = server(new TypeError('failed to fetch'));
  const { link, told } = shown(kernel, journal);
  kernel.tell(picture([row(0)]));

  kernel.turn('lost');
  expect(link.state).toBe('connecting');
  await pass(RECONNECT_TIME);
  expect(link.state).toBe('lost');
  expect(told).toHaveLength(1);

  journal.now = of(['a', 'b']);
  await pass(EVERY);
  expect(link.state).toBe('journal');
  expect(told).toHaveLength(2);
});

test('where there is no history either, it is told once', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const { link, told } = shown(kernel, server(gone('no history yet', true)));

  kernel.tell(gone('not loaded'));
  await pass(3 * EVERY);

  expect(link.state).toBe('gone');
  expect(told).toEqual([gone('no history yet', true)]);
});

test('where the server cannot read journals, what the kernel said holds, and it is not asked again', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const journal = server(new Refused('404', 'Not Found'));
  const { told } = shown(kernel, journal);

  kernel.tell(gone('not loaded'));
  await pass(10 * EVERY);

  expect(told).toEqual([gone('not loaded')]);
  expect(journal.looks.length).toBeLessThanOrEqual(2);
});

test('who listens later hears why there is nothing', async () => {
  const kernel = fakeLink();
  kernel.state = 'gone';
  const link = history(kernel, server(gone('no history yet', true)));
  await new Promise((done) => setTimeout(done, 5));

  const told: News[] = [];
  link.on((each) => told.push(each));
  await Promise.resolve();

  expect(told).toEqual([gone('no history yet', true)]);
  link.dispose();
});

test('who listens later is told the picture of the journal, also while the kernel is waited for', async () => {
  const kernel = fakeLink();
  kernel.state = 'connecting';
  const link = history(kernel, server(of(['a', 'b'])));
  await new Promise((done) => setTimeout(done, 5));

  const known = store(link);
  await Promise.resolve();

  expect(link.state).toBe('connecting');
  expect(known.state?.count).toBe(2);
  link.dispose();
});

test('after it is disposed nothing is asked or told', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const journal = server(of(['a']));
  const { link, told } = shown(kernel, journal);

  link.dispose();
  kernel.tell(picture(many(3), { head: head() }));
  await pass(5 * EVERY);

  expect(told).toEqual([]);
  expect(journal.looks).toEqual([]);
});

test('a history that the server cannot read any more is not shown as the journal', async () => {
  vi.useFakeTimers();
  const kernel = fakeLink();
  kernel.state = 'gone';
  const journal = server(of(['a']));
  const { link, told } = shown(kernel, journal);
  await pass(EVERY);
  expect(link.state).toBe('journal');

  journal.now = new Refused('InternalError', 'wfnb failed at this.');
  await pass(2 * EVERY);

  expect([link.state, told.at(-1)]).toEqual(['gone', gone('wfnb failed at this.')]);
  journal.now = of(['a', 'b'], '2');
  await pass(2 * EVERY);
  expect([link.state, told.at(-1)?.kind]).toEqual(['journal', 'snapshot']);
});
