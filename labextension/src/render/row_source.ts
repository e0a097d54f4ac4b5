/** Where the timeline takes its rows from: the whole history, or what a filter lets pass (the kernel filters). */

import type { Link } from '../link';
import { pages } from '../paged_rows';
import type { Filter, Row } from '../protocol';
import type { State } from '../store';

export interface Source {
  /** Null while it is not known. */
  readonly count: number | null;
  /** Whether rows follow each other without a gap. */
  readonly whole: boolean;
  row(place: number): Row | undefined;
  /** Where this row is now, as far as it is known. */
  place(row: Row): number | undefined;
  want(first: number, count: number): void;
  /** Rows have changed or come. */
  refresh(): void;
}

export function everything(state: State): Source {
  return {
    whole: true,
    get count() {
      return state.count;
    },
    row: state.row,
    place: (row) => (state.row(row.index)?.key === row.key ? row.index : undefined),
    want: state.want,
    refresh: () => undefined,
  };
}

export function passing(link: Link, filter: Filter, arrived: () => void): Source {
  let count: number | null = null;
  /** Whether `count` is of now; else one more row may pass, and the first page is asked for even where none did. */
  let known = false;
  const kept = pages(
    (first, number) => link.ask('rows', { first, count: number, filter }),
    () => (count === null ? Infinity : known ? count : Math.max(count, 1)),
    (page) => {
      count = page.count;
      known = true;
      arrived();
    },
  );
  return {
    whole: false,
    get count() {
      return count;
    },
    row: kept.row,
    place: ({ key }) => {
      const place = kept.place(key);
      return place !== undefined && place < (count ?? 0) ? place : undefined;
    },
    want: (first, number) => kept.want(first, Math.max(number, 1)),
    refresh() {
      known = false;
      kept.refresh();
    },
  };
}
