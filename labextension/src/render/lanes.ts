/** Lines of steps → their lanes, for the rows that are drawn: a mark a step, told apart by shape and by colour, and
 *  curves where a branch leaves and where it was merged.
 */

import type { Line, Row } from '../protocol';
import { attribute, s } from './dom';
import { against, away } from './state_signs';

const GAP = 18;
const EDGE = 12;
/** Pixels of all lanes beside each other. */
const MAX_WIDTH = 108;
const SHARE = 0.27;
const COLOURS = 5;
const HALF = 14;

/** Rows `first`..`end` of the timeline; `y` is the middle of a row's line. */
export interface Drawn {
  first: number;
  end: number;
  y(place: number): number;
  row(place: number): Row | undefined;
  lines: readonly Line[];
  /** Where the next step comes: this line goes on a little. */
  line: string;
  current: number | null;
  /** Rows in their order of creation without a gap; only then do lines mean something. */
  whole: boolean;
}

export interface Columns {
  width: number;
  x(lane: number): number;
}

/** The columns of as many lanes as there are; many lanes, or little room, and they stand closer. */
export function columns(lines: readonly Line[], room: number): Columns {
  const last = lines.reduce((most, line) => Math.max(most, line.lane), 0);
  const most = Math.max(3 * EDGE, Math.min(MAX_WIDTH, room * SHARE));
  const gap = Math.min(GAP, (most - 2 * EDGE) / Math.max(1, last));
  return { width: Math.round(2 * EDGE + gap * last), x: (lane) => EDGE + gap * lane };
}

export function drawLanes(svg: SVGSVGElement, drawn: Drawn, { width, x }: Columns): void {
  const lanes = new Map(drawn.lines.map((line) => [line.id, line.lane]));
  const ways = drawn.whole ? drawn.lines.flatMap((line) => way(line, drawn, lanes, x)) : [];
  const marks: SVGElement[] = [];
  for (let place = drawn.first; place < drawn.end; place++) {
    const row = drawn.row(place);
    if (row !== undefined) {
      marks.push(mark(row, lanes.get(row.branch) ?? 0, drawn, x, place));
    }
  }
  attribute(svg, 'width', width);
  svg.replaceChildren(...ways, ...marks);
}

/** A line's own stretch, the curve to it and the curve from it; nothing where none of it is drawn. */
function way(line: Line, drawn: Drawn, lanes: Map<string, number>, x: Columns['x']): SVGElement[] {
  const laneAt = (place: number): number =>
    lanes.get(drawn.row(place)?.branch ?? line.parent ?? '') ?? 0;
  const near = (place: number): boolean => place >= drawn.first - 1 && place <= drawn.end;
  const held = (place: number): number => drawn.y(Math.max(drawn.first - 1, Math.min(drawn.end, place)));
  const here = x(line.lane);
  const paths: string[] = [];

  let start = line.first;
  if (line.from !== null) {
    if (line.first === null) {
      const y = held(line.from);
      return near(line.from) ? [path(line, curve(x(laneAt(line.from)), y, here, y + HALF + 6))] : [];
    }
    start = Math.min(line.from + 1, line.first);
    if (near(line.from) && near(start)) {
      paths.push(curve(x(laneAt(line.from)), held(line.from), here, held(start)));
    }
  }
  if (start === null || line.last === null) {
    return [];
  }
  let last = Math.max(line.last, start);
  if (line.joins !== null) {
    const leaves = line.joins > last ? line.joins - 1 : last;
    if (near(line.joins) && near(leaves)) {
      paths.push(curve(here, held(leaves), x(laneAt(line.joins)), held(line.joins)));
    }
    last = leaves;
  }
  const goesOn = line.id === drawn.line && line.joins === null && last < drawn.end ? HALF : 0;
  if (last >= drawn.first - 1 && start <= drawn.end && (last > start || goesOn > 0)) {
    paths.push(`M${here} ${held(start)}V${held(last) + goesOn}`);
  }
  return paths.length > 0 ? [path(line, paths.join(''))] : [];
}

function curve(x0: number, y0: number, x1: number, y1: number): string {
  const down = (y1 - y0) * 0.6;
  return `M${x0} ${y0}C${x0} ${y0 + down} ${x1} ${y1 - down} ${x1} ${y1}`;
}

function path(line: Line, d: string): SVGElement {
  const over = against(line) === '' ? '' : ' wfnb-over';
  return s('path', { class: `wfnb-way wfnb-lane-${line.lane % COLOURS}${over}`, d });
}

function mark(row: Row, lane: number, drawn: Drawn, x: Columns['x'], place: number): SVGElement {
  const hollow = `${row.stale || row.withdrawn ? ' wfnb-hollow' : ''}${away(row) ? ' wfnb-away' : ''}`;
  const [cx, cy] = [x(lane), drawn.y(place)];
  const current = row.key === drawn.current && s('circle', { class: 'wfnb-ring', cx, cy, r: 8 });
  return s(
    'g',
    { class: `wfnb-mark wfnb-lane-${lane % COLOURS}${hollow}` },
    current,
    shape(lane, cx, cy),
  );
}

function shape(lane: number, x: number, y: number): SVGElement {
  if (lane === 0) {
    return s('circle', { cx: x, cy: y, r: 5 });
  }
  switch ((lane - 1) % 3) {
    case 0:
      return s('rect', { x: x - 5, y: y - 5, width: 10, height: 10 });
    case 1:
      return s('path', { d: `M${x} ${y - 7}l7 7l-7 7l-7 -7Z` });
    default:
      return s('path', { d: `M${x} ${y - 6}l6.5 11h-13Z` });
  }
}
