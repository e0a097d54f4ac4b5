/** The selected step: where it is among the rows that are shown, and its row once that has come. */

import type { Row } from '../picture';
import type { Source } from './source';

export interface Picked {
  place: number;
  row: Row | null;
}

/** The selection follows its step to where it is now; null where it is no longer. */
export function settled(picked: Picked, from: Source): Picked | null {
  const here = from.row(picked.place);
  const another = picked.row !== null && here !== undefined && here.key !== picked.row.key;
  const place = picked.row !== null && another ? from.place(picked.row) : picked.place;
  if (place === undefined || place >= (from.count ?? 0)) {
    return null;
  }
  return { place, row: from.row(place) ?? null };
}
