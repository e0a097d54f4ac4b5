/** Where a step is among the rows that are here, by its key. */

import type { Row } from '../protocol';
import type { State } from '../store';

const NEAR = 200;

/** The row of the step that new ones follow, where it is here and among the last ones. */
export function current(state: State): Row | null {
  const place = state.head.current === null ? null : placeOf(state, state.head.current, state.count - NEAR);
  return place === null ? null : (state.row(place) ?? null);
}

/** The newest first, down to place `least`. */
export function placeOf({ count, row }: State, key: number, least = 0): number | null {
  for (let place = count - 1; place >= Math.max(0, least); place--) {
    if (row(place)?.key === key) {
      return place;
    }
  }
  return null;
}
