/** Rows by place, of which only some are here: what a window needs is asked for in pages of 100, two at a time, the
 *  newest wish first. A row that is asked for again and is as it was stays the same object. Used for the whole history
 *  and for what a filter lets pass.
 */

import type { Row, RowsPage } from './protocol';

/** Rows. */
export const PAGE_ROWS = 100;
const AT_ONCE = 2;
const PAUSE = 2000;

export interface Pages {
  row(place: number): Row | undefined;
  /** The kernel told it: also where it is as it was, something else of its step is not. */
  put(place: number, row: Row): void;
  /** The place of the row with this key, among those that are here. */
  place(key: number): number | undefined;
  want(first: number, count: number): void;
  /** Keep the rows, but ask again for what is wanted from now on. */
  refresh(): void;
  /** Another picture: what is here is shown until it is asked for again; places from `count` on are gone. */
  renew(count: number): void;
  clear(): void;
}

export function pages(
  ask: (first: number, count: number) => Promise<RowsPage>,
  total: () => number,
  arrived: (page: RowsPage) => void,
): Pages {
  const rows = new Map<number, Row>();
  const places = new Map<number, number>();
  /** Under way, with the places that news touched meanwhile: these are newer than the answer. */
  const pending = new Map<number, Set<number>>();
  const failed = new Map<number, number>();
  const old = new Set<number>();
  let wanted: readonly [number, number] = [0, 0];
  let life = 0;

  const set = (place: number, row: Row): void => {
    const before = rows.get(place);
    if (before !== undefined && before.key !== row.key && places.get(before.key) === place) {
      places.delete(before.key);
    }
    rows.set(place, row);
    places.set(row.key, place);
  };
  const lacks = (page: number): boolean => {
    const end = Math.min((page + 1) * PAGE_ROWS, total());
    for (let place = page * PAGE_ROWS; place < end; place++) {
      if (!rows.has(place)) {
        return true;
      }
    }
    return old.has(page) && page * PAGE_ROWS < end;
  };

  const refresh = (): void => rows.forEach((_, place) => old.add(Math.floor(place / PAGE_ROWS)));
  /** Answers that are under way are for nobody. */
  const forget = (): void => {
    life++;
    pending.clear();
    failed.clear();
    old.clear();
    wanted = [0, 0];
  };

  async function load(page: number): Promise<void> {
    const touched = new Set<number>();
    const began = life;
    pending.set(page, touched);
    old.delete(page);
    try {
      const answer = await ask(page * PAGE_ROWS, PAGE_ROWS);
      if (began !== life) {
        return;
      }
      answer.rows.forEach((row, i) => {
        const place = answer.first + i;
        if (!touched.has(place) && JSON.stringify(rows.get(place)) !== JSON.stringify(row)) {
          set(place, row);
        }
      });
      pending.delete(page);
      failed.set(page, Date.now());
      arrived(answer);
      if (!lacks(page)) {
        failed.delete(page);
      }
    } catch {
      if (began === life) {
        pending.delete(page);
        failed.set(page, Date.now());
      }
    }
    if (began === life) {
      pump();
    }
  }

  function pump(): void {
    const [first, end] = wanted;
    for (let page = Math.floor(first / PAGE_ROWS); page * PAGE_ROWS < end; page++) {
      const pause = Date.now() - (failed.get(page) ?? -Infinity) < PAUSE;
      if (pending.size < AT_ONCE && !pending.has(page) && !pause && lacks(page)) {
        failed.delete(page);
        void load(page);
      }
    }
  }

  return {
    row: (place) => rows.get(place),
    place: (key) => places.get(key),
    put(place, row) {
      pending.forEach((touched) => touched.add(place));
      set(place, row);
    },
    want(first, count) {
      wanted = [Math.max(0, first), Math.min(first + count, total())];
      pump();
    },
    refresh,
    renew(count) {
      forget();
      for (const [place, { key }] of rows) {
        if (place >= count) {
          rows.delete(place);
          places.delete(key);
        }
      }
      refresh();
    },
    clear() {
      forget();
      rows.clear();
      places.clear();
    },
  };
}
