/** A kernel for tests: it has rows, answers what is asked of them, and tells what a test wants told. */

import type { Host, Item, StaleRun } from '../src/view_host';
import type { Dispose, Link, LinkState } from '../src/link';
import { Refused } from '../src/link';
import type { Ask, Asks, Card, Delta, Filter, Head, Line, Row, Snapshot, News } from '../src/protocol';

export function row(index: number, more: Partial<Row> = {}): Row {
  return {
    index, key: index + 1, number: index + 1, branch: 'main', title: `Step number ${index + 1}`, outcome: 'ok',
    stale: false, withdrawn: false, here: true, stage: null, revises: null, revised_by: null, attempts: 1, versions: 1,
    cell_id: `cell-${index + 1}`, part: 0, kept: 0, duration: 0.1, runs: [], confidence: null, ...more,
  };
}

export function line(id: string, lane: number, more: Partial<Line> = {}): Line {
  return {
    id, lane, parent: lane === 0 ? null : 'main', from: null, first: null, last: null, joins: null, state: 'open',
    open: true, over: false, score: null, reason: null, steps: 0, ...more,
  };
}

export function head(more: Partial<Head> = {}): Head {
  return {
    session: 'sensor-drift', position: 1, says: 'some steps', steps: 1, total: null, stale: 0, hidden: 0, solved: false,
    line: 'main', stage: null, next_stages: [], next_why: {}, strategy: null, kind: null, current: null, stages: [],
    outcomes: ['ok'], can_undo: false, can_redo: false, can_run_stale: false, recording: false, ...more,
  };
}

export function picture(rows: readonly Row[], more: Partial<Snapshot> = {}): Snapshot {
  const last = rows.length - 1;
  return {
    kind: 'snapshot', protocol: 1, seq: 0,
    head: head({ current: rows[last]?.key ?? null, steps: rows.length }),
    lines: [line('main', 0, { first: rows.length ? 0 : null, last: rows.length ? last : null, steps: rows.length })],
    count: rows.length, rows: rows.slice(-60), stages: null, runs: [], inquiry: null, ledger: null, ...more,
  };
}

export const many = (count: number, of = (i: number): Row => row(i)): Row[] =>
  Array.from({ length: count }, (_, i) => of(i));

export type Answers = { [K in Ask]?: (args: Asks[K][0]) => Asks[K][1] | Promise<Asks[K][1]> };

export interface FakeLink extends Link {
  state: LinkState;
  /** Every request, in order. */
  asked: { word: Ask; args: Record<string, unknown> }[];
  tell(told: News): void;
  turn(state: LinkState): void;
  /** How many listen. */
  readonly listeners: number;
}

export function fakeLink(rows: readonly Row[] = [], answers: Answers = {}): FakeLink {
  const told = new Set<(told: News) => void>();
  const watch = new Set<(state: LinkState) => void>();
  const known: Answers = { rows: (args) => page(rows, args), card: ({ key }) => card(rows, key), ...answers };
  const hear = <F>(set: Set<F>, f: F): Dispose => {
    set.add(f);
    return () => void set.delete(f);
  };
  return {
    state: 'live',
    asked: [],
    async ask(word, args) {
      this.asked.push({ word, args });
      const answer = known[word] as ((args: unknown) => never) | undefined;
      if (answer === undefined) {
        throw new Refused('Unknown', `Nothing answers ${word}.`);
      }
      return answer(args);
    },
    on: (f) => hear(told, f),
    watch: (f) => hear(watch, f),
    tell: (news) => [...told].forEach((f) => f(news)),
    turn(state) {
      this.state = state;
      [...watch].forEach((f) => f(state));
    },
    get listeners() {
      return told.size + watch.size;
    },
  };
}

function page(rows: readonly Row[], { first, count, filter }: Asks['rows'][0]): Asks['rows'][1] {
  const passing = filter ? rows.filter((row) => passes(row, filter)) : rows;
  return { first, count: passing.length, rows: passing.slice(first, first + count) };
}

function passes(row: Row, { branch, stage, outcome, text, hidden }: Filter): boolean {
  return (
    (!branch || row.branch === branch) &&
    (!stage || row.stage === stage) &&
    (!outcome || (outcome === 'stale' ? row.stale : row.outcome === outcome)) &&
    (hidden ?? false) === (row.hidden ?? false) &&
    (text ?? '').toLowerCase().split(' ').every((word) => row.title.toLowerCase().includes(word))
  );
}

export function card(rows: readonly Row[], key: number, more: Partial<Card> = {}): Card {
  const { index, number, branch, title, cell_id, part } = rows.find((row) => row.key === key) ?? row(0);
  return {
    key, index, number, branch, title, says: `step ${number}`, html: `<p>About ${number}.</p>`, facts: [], error: null,
    result: null, values: [], kept: null, findings: [], versions: [], cell_id, part, notebook: null, description: title, ...more,
  };
}

export function delta(seq: number, more: Partial<Delta> = {}): Delta {
  return { kind: 'delta', seq, ...more };
}

/** Runs no cell: a test says how it goes. */
export interface FakeStaleRun extends StaleRun {
  goes(going: boolean, says: string): void;
}

function fakeStaleRun(keep: (name: string) => (...args: unknown[]) => void): FakeStaleRun {
  const listeners = new Set<() => void>();
  const now = { going: false, says: '' };
  return {
    get going() {
      return now.going;
    },
    get says() {
      return now.says;
    },
    run: async (...upTo) => (keep('runStale')(...upTo.slice(0, upTo[0] ? 1 : 0)), 0),
    stop: keep('stopStale'),
    listen: (f) => (listeners.add(f), () => void listeners.delete(f)),
    goes(going, says) {
      Object.assign(now, { going, says });
      listeners.forEach((f) => f());
    },
  };
}

/** A host that remembers what it was asked. */
export interface FakeHost extends Host {
  did: unknown[][];
  stale: FakeStaleRun;
  /** The menus that were opened, the last one last. */
  menus: { items: readonly Item[]; at: [number, number]; closed: () => void }[];
}

export function fakeHost(): FakeHost {
  const did: unknown[][] = [];
  const menus: FakeHost['menus'] = [];
  const keep = (name: string) => (...args: unknown[]): void => void did.push([name, ...args]);
  return {
    did, menus, menu: (items, x, y, closed) => void menus.push({ items, at: [x, y], closed }), stale: fakeStaleRun(keep), goToCell: keep('goToCell'), newStep: keep('newStep'), branchFrom: keep('branchFrom'),
    revise: keep('revise'), restore: async (...args) => (keep('restore')(...args), 'step 1 · Load · 1 back'), insertCell: keep('insertCell'), putBack: keep('putBack'), interrupt: keep('interrupt'), say: keep('say'),
  };
}

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Answers have come, and what waits at most so long has happened, with the frame that draws it: on a busy machine both
 *  are late, in their order.
 */
export const settled = (ms = 0): Promise<void> => (ms < 100 ? wait(ms) : wait(ms).then(() => wait(40)));
