/** What the kernel tells → the state that is drawn. */

import { __, translation } from './translation';
import { applied } from './delta_application';
import type { Picture } from './delta_application';
import { inOrder } from './message_order';
import type { Dispose, Link } from './link';
import { pages } from './paged_rows';
import { PROTOCOL } from './protocol';
import type { Delta, Row, Snapshot, News } from './protocol';

export interface State extends Picture {
  /** The row at this place in the order of creation, if it is here. */
  row(index: number): Row | undefined;
  /** The kernel's clock, in seconds since 1970. */
  clock(): number;
  /** Have these rows brought, if they are not here; listeners hear of `row` when they came. */
  want(first: number, count: number): void;
}

export interface Store {
  /** Null until the first picture, and when there is none: then `why` is a sentence. */
  readonly state: State | null;
  readonly why: string;
  /** There is none yet, and one can be begun. */
  readonly empty: boolean;
  listen(f: (changed: ReadonlySet<keyof State>) => void): Dispose;
  dispose(): void;
}

export const EVERYTHING: ReadonlySet<keyof State> = new Set<keyof State>([
  'head', 'lines', 'count', 'stages', 'runs', 'inquiry', 'ledger', 'row',
]);

type MutableState = { -readonly [K in keyof State]: State[K] };

export function store(link: Link): Store {
  const listeners = new Set<(changed: ReadonlySet<keyof State>) => void>();
  let state: MutableState | null = null;
  let why = __('Waiting for the kernel.');
  let empty = false;
  /** By how many seconds the kernel's clock is ahead of the page's. */
  let ahead = 0;

  const tell = (changed: ReadonlySet<keyof State>): void => [...listeners].forEach((f) => f(changed));
  const rows = pages(
    (first, count) => link.ask('rows', { first, count }),
    () => state?.count ?? 0,
    () => tell(new Set<keyof State>(['row'])),
  );

  const clock = (): number => Date.now() / 1000 + ahead;
  function hears(now: number | undefined): void {
    ahead = now === undefined ? ahead : now - Date.now() / 1000;
  }

  function take(snapshot: Snapshot): void {
    if (snapshot.protocol !== PROTOCOL) {
      return none(__('The kernel speaks another version of wfnb than this page. Reload the page.'));
    }
    if (state?.head.session === snapshot.head.session) {
      rows.renew(snapshot.count);
    } else {
      rows.clear();
    }
    const { head, lines, count, stages, runs, inquiry, ledger } = snapshot;
    hears(snapshot.now);
    state = { head, lines, count, stages, runs, inquiry, ledger, row: rows.row, want: rows.want, clock };
    snapshot.rows.forEach((row) => rows.put(row.index, row));
    tell(EVERYTHING);
  }

  function none(says: string, none = false): void {
    state = null;
    empty = none;
    why = says;
    rows.clear();
    tell(EVERYTHING);
  }

  function apply(kept: MutableState, delta: Delta): ReadonlySet<keyof State> {
    hears(delta.now);
    const news = applied(kept, delta);
    Object.assign(kept, news);
    const changed = new Set(Object.keys(news) as (keyof State)[]);
    if (delta.rows !== undefined) {
      delta.rows.forEach((row) => rows.put(row.index, row));
      changed.add('row');
    }
    return changed;
  }

  const hear = (told: News): void => {
    switch (told.kind) {
      case 'snapshot':
        return take(told);
      case 'delta':
        return state === null ? undefined : tell(apply(state, told));
      case 'gone':
        return none(translation(told.says), told.empty);
    }
  };
  const deaf = inOrder(link, hear);

  return {
    get state() {
      return state;
    },
    get why() {
      return why;
    },
    get empty() {
      return empty;
    },
    listen(f) {
      listeners.add(f);
      return () => void listeners.delete(f);
    },
    dispose() {
      deaf();
      listeners.clear();
      rows.clear();
    },
  };
}
