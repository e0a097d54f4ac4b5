/** Where rows are: every row is `row` px high but the open one, which is `extra` higher. Pure arithmetic. */

const ONE_LINE = 28;
/** With what is beside the title under it. */
const TWO_LINES = 44;
const NARROW = 400;
/** Room under the last row. */
export const FOOT = 8;
const SPARE = 6;

export interface Layout {
  count: number;
  row: number;
  open: number | null;
  extra: number;
}

/** How high rows are where there is so much room beside each other. */
export function rowHeight(width: number): number {
  return width < NARROW ? TWO_LINES : ONE_LINE;
}

export function top({ row, open, extra }: Layout, place: number): number {
  return place * row + (open !== null && place > open ? extra : 0);
}

export function height({ count, row, open, extra }: Layout): number {
  return count * row + (open === null ? 0 : extra) + FOOT;
}

/** The row at this height. */
export function at({ count, row, open, extra }: Layout, y: number): number {
  const below = open !== null && y >= (open + 1) * row;
  const place = Math.floor((below ? Math.max((open + 1) * row - 1, y - extra) : y) / row);
  return Math.max(0, Math.min(count, place));
}

/** First and end of the rows that have to be drawn, some above and below those in sight. */
export function band(layout: Layout, scrolled: number, room: number, spare = SPARE): [number, number] {
  const first = Math.max(0, at(layout, scrolled) - spare);
  return [first, Math.min(layout.count, at(layout, scrolled + room) + 1 + spare)];
}

/** How far to scroll so that a row, with its card, is in sight: its head before its end. */
export function reveal(layout: Layout, place: number, scrolled: number, room: number): number {
  const start = top(layout, place);
  const end = start + layout.row + (layout.open === place ? layout.extra : 0);
  if (start < scrolled) {
    return start;
  }
  return end > scrolled + room ? Math.min(start, end - room) : scrolled;
}
