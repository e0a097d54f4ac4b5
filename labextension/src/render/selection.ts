/** Which step is selected: where it is among the rows that are shown, its row once that has come, and whether its
 *  card is open.
 */

import type { Row } from '../protocol';
import type { Source } from './row_source';

interface Picked {
  place: number;
  row: Row | null;
}

export interface Selection {
  readonly place: number | null;
  readonly row: Row | null;
  /** Whether the card of the step is open. */
  readonly open: boolean;
  pick(place: number, row: Row | null, open: boolean): void;
  /** The step that new ones follow, whichever that is, until a person picks another. */
  follow(): void;
  close(): void;
  /** Other rows are shown now: the same step is selected again when it is known which. */
  seek(): void;
  /** The rows are others, or elsewhere; `current` is the step that new ones follow. */
  settle(from: Source, current: Row | null): void;
}

export function selection(): Selection {
  let picked: Picked | null = null;
  /** The step to select again when what is shown is known. */
  let sought: Row | null = null;
  let open = false;
  let follows = false;

  function follow(from: Source, current: Row | null): void {
    const place = current === null ? undefined : from.place(current);
    picked = place === undefined ? picked : { place, row: current };
  }

  return {
    get place() {
      return picked?.place ?? null;
    },
    get row() {
      return picked?.row ?? null;
    },
    get open() {
      return open && picked?.row !== null && picked !== null;
    },
    pick(place, row, opened) {
      picked = { place, row };
      open = opened;
      follows = false;
    },
    follow() {
      follows = true;
    },
    close() {
      open = false;
    },
    seek() {
      sought = picked?.row ?? null;
      picked = null;
    },
    settle(from, current) {
      if (sought !== null && from.count !== null) {
        const place = from.place(sought);
        picked = place === undefined ? picked : { place, row: sought };
        sought = null;
      }
      if (follows) {
        follow(from, current);
      }
      if (picked !== null) {
        picked = settled(picked, from);
        open = open && picked !== null;
      }
    },
  };
}

/** The selection follows its step to where it is now; null where it is no longer. */
function settled(picked: Picked, from: Source): Picked | null {
  const here = from.row(picked.place);
  const another = picked.row !== null && here !== undefined && here.key !== picked.row.key;
  const place = picked.row !== null && another ? from.place(picked.row) : picked.place;
  if (place === undefined || place >= (from.count ?? 0)) {
    return null;
  }
  return { place, row: from.row(place) ?? null };
}
