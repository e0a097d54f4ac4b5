/** What the kernel tells → which step a cell holds. The steps before the first picture are asked for page by page. */

import type { Dispose, Link } from '../link';
import { inOrder } from '../message_order';
import { merged } from '../delta_application';
import type { Head, Line, Row, News } from '../protocol';

/** Rows that are asked for at once. */
const PAGE_ROWS = 500;
/** So many steps back, badges are shown. */
const FURTHEST = 5_000;

export interface RecordedCells {
  readonly head: Head | null;
  /** The step that the next one follows, where it is known. */
  readonly current: Row | undefined;
  /** The last step that came out of the cell and was not withdrawn; of the first `opens` of it. */
  row(cell_id: string, opens?: number): Row | undefined;
  /** The line of a step. */
  line(row: Row): Line | undefined;
  /** Newest last. */
  rows(): readonly Row[];
  listen(f: () => void): Dispose;
  dispose: Dispose;
}

export function recordedCells(link: Link): RecordedCells {
  const listeners = new Set<() => void>();
  let head: Head | null = null;
  let lines: readonly Line[] = [];
  let rows = new Map<number, Row>();
  let newest = new Map<string, Row>();
  /** The places whose rows are of the picture that is there, and not of the one before. */
  let fresh = new Set<number>();
  /** Which picture the pages that are under way belong to. */
  let picture = 0;

  function put(row: Row): void {
    const before = rows.get(row.index);
    fresh.add(row.index);
    rows.set(row.index, row);
    const cell = row.cell_id;
    if (before && before.cell_id !== cell) {
      index();
    } else if (cell && (newest.get(cell)?.index ?? -1) <= row.index) {
      row.withdrawn ? index() : newest.set(cell, row);
    }
  }

  function index(): void {
    newest = new Map();
    for (const row of sorted(rows.values())) {
      if (row.cell_id && !row.withdrawn) {
        newest.set(row.cell_id, row);
      }
    }
  }

  function hear(told: News): void {
    if (told.kind !== 'delta') {
      picture += 1;
      fresh = new Set();
      if (told.kind === 'snapshot' && told.head.session === head?.session) {
        rows = new Map([...rows].filter(([place]) => place < told.count)); // until they come again
      } else {
        rows = new Map();
      }
      index();
      head = null;
      lines = [];
    }
    if (told.kind !== 'gone') {
      head = told.kind === 'snapshot' ? told.head : head && { ...head, ...told.head };
      lines = merged(lines, told.lines ?? [], 'id');
      told.rows?.forEach(put);
    }
    if (told.kind === 'snapshot') {
      void older(Math.min(told.count, ...told.rows.map((row) => row.index)));
    }
    tell();
  }

  async function older(end: number): Promise<void> {
    const mine = picture;
    const stop = Math.max(0, end - FURTHEST);
    for (let last = end; last > stop && mine === picture; ) {
      const first = Math.max(stop, last - PAGE_ROWS);
      const page = await link.ask('rows', { first, count: last - first }).catch(() => null);
      if (page === null || mine !== picture) {
        return;
      }
      page.rows.filter((row) => !fresh.has(row.index)).forEach(put);
      last = first;
      tell();
    }
  }

  const tell = (): void => [...listeners].forEach((f) => f());
  const deaf = inOrder(link, hear);
  return {
    get head() {
      return head;
    },
    get current() {
      return [...rows.values()].find((row) => row.key === head?.current);
    },
    line: ({ branch }) => lines.find(({ id }) => id === branch),
    row(cell_id, opens = Infinity) {
      const last = newest.get(cell_id);
      return last === undefined || last.part < opens
        ? last
        : sorted(rows.values()).reverse().find((row) => row.cell_id === cell_id && !row.withdrawn && row.part < opens);
    },
    rows: () => sorted(rows.values()),
    listen(f) {
      listeners.add(f);
      return () => void listeners.delete(f);
    },
    dispose() {
      deaf();
      picture += 1;
      listeners.clear();
    },
  };
}

const sorted = (rows: Iterable<Row>): Row[] => [...rows].sort((a, b) => a.index - b.index);
