/** Confidence over the steps → lines in an SVG, a colour and a shape a line of steps. What no longer counts is hollow
 *  and dashed. The names of the levels stay where the steps scroll.
 */

import type { Inquiry, Line } from '../protocol';
import { __, _n, term } from '../translation';
import { attribute, h, s } from './dom';
import { round } from './graph_drawing';
import { reachable } from './tables';

type Point = Inquiry['confidence'][number];

interface Placed extends Point {
  line: string;
  number: number;
  x: number;
  y: number;
}

const ROW = 18;
const EDGE = 12;
const PITCH = 26;
const LEAST = 9;
const LETTER = 6.2;
const COLOURS = 5;
const LABEL = 22;

export interface Chart {
  root: HTMLElement;
  show(inquiry: Pick<Inquiry, 'confidence' | 'levels'>, lines: readonly Line[]): void;
}

export function chart(): Chart {
  const names = s('svg', { class: 'wfnb-levels', 'aria-hidden': 'true' });
  const svg = s('svg', { role: 'img' });
  const root = h('div', { class: 'wfnb-chart wfnb-scroll', role: 'group', 'aria-label': __('Confidence') }, names, svg);

  let drawn: readonly unknown[] = [];

  return {
    root,
    show({ confidence, levels }, lines) {
      const now = [confidence, levels, root.clientWidth];
      if (now.every((value, i) => value === drawn[i])) {
        return;
      }
      drawn = now;
      const top = (levels.length - 1) * ROW + EDGE;
      const left = Math.ceil(LETTER * Math.max(0, ...levels.map((level) => level.length))) + EDGE;
      const room = Math.max(160, (root.clientWidth || 280) - left - 2 * EDGE);
      const pitch = Math.max(LEAST, Math.min(PITCH, room / Math.max(1, confidence.length - 1)));
      const width = Math.max(room, pitch * (confidence.length - 1)) + 2 * EDGE;
      const points = confidence.map((point, at) => ({
        ...point,
        ...placeOf(point),
        x: EDGE + at * pitch,
        y: top - point.place * ROW,
      }));
      sized(names, left, top + EDGE + ROW);
      sized(svg, Math.round(width), top + EDGE + ROW);
      attribute(svg, 'aria-label', says(confidence));
      names.replaceChildren(
        ...levels.map((level, place) => s('text', { x: left - 6, y: top - place * ROW + 4 }, level)),
      );
      const lanes = new Map(lines.map((line) => [line.id, line]));
      svg.replaceChildren(
        s('path', { class: 'wfnb-grid', d: levels.map((_, i) => `M0 ${top - i * ROW}H${Math.round(width) - EDGE / 2}`).join('') }),
        ...points.filter(known).map((point, _, all) => rail(point, all, lanes)),
        ...points.filter(known).map((point) => mark(point, lanes.get(point.line)?.lane ?? 0)),
        ...numbers(points, pitch, top + EDGE + ROW - 4),
      );
      root.scrollLeft = root.scrollWidth;
      reachable(root);
    },
  };
}

/** The chart in a sentence. */
function says(points: readonly Point[]): string {
  const went = points.filter(({ state }) => state === '').map(({ level }) => level);
  const turns = went.filter((level, at) => level !== went[at - 1]).slice(-8);
  return _n('Confidence over %1 step: %2', 'Confidence over %1 steps: %2', points.length, turns.join(', '));
}

function sized(svg: SVGSVGElement, width: number, height: number): void {
  attribute(svg, 'width', width);
  attribute(svg, 'height', height);
}

/** "robust:3" → line and number. */
function placeOf({ step }: Point): { line: string; number: number } {
  const at = step.lastIndexOf(':');
  return { line: at < 0 ? 'main' : step.slice(0, at), number: Number(step.slice(at + 1)) };
}

function known({ place }: Point): boolean {
  return place >= 0;
}

/** From the point before it on its line; the first of a branch comes from the line that it left. */
function rail(point: Placed, all: readonly Placed[], lines: ReadonlyMap<string, Line>): SVGElement {
  let before: Placed | undefined;
  const seen = new Set<string>();
  for (let line: string | null = point.line; !before && line !== null && !seen.has(line); ) {
    const on: string = line;
    seen.add(on);
    before = all
      .filter((each) => each.line === on && each.number < point.number)
      .filter(({ state }) => state === '' || point.state !== '')
      .at(-1);
    line = lines.get(on)?.parent ?? null;
  }
  const lane = (lines.get(point.line)?.lane ?? 0) % COLOURS;
  const gone = point.state === '' ? '' : ' wfnb-gone';
  const d = before ? `M${round(before.x)} ${before.y}L${round(point.x)} ${point.y}` : '';
  return s('path', { class: `wfnb-way wfnb-lane-${lane}${gone}`, d });
}

function mark({ x, y, step, level, state }: Placed, lane: number): SVGElement {
  const hollow = state === '' ? '' : ' wfnb-hollow';
  const [cx, cy] = [round(x), y];
  const shapes = [
    () => s('rect', { x: cx - 4, y: cy - 4, width: 8, height: 8 }),
    () => s('path', { d: `M${cx} ${cy - 5}l5 5l-5 5l-5 -5Z` }),
    () => s('path', { d: `M${cx} ${cy - 5}l5 9h-10Z` }),
  ];
  const shape = lane === 0 ? undefined : shapes[(lane - 1) % shapes.length];
  return s(
    'g',
    { class: `wfnb-mark wfnb-lane-${lane % COLOURS}${hollow}` },
    s('title', {}, [__('step %1: %2', step, level), term(state)].filter(Boolean).join(', ')),
    shape ? shape() : s('circle', { cx, cy, r: 4 }),
  );
}

/** Numbers of steps below, as many as have room. */
function numbers(points: readonly Placed[], pitch: number, y: number): SVGElement[] {
  const every = Math.max(1, Math.ceil(LABEL / pitch));
  return points
    .filter((_, at) => at % every === 0)
    .map(({ x, number }) => s('text', { class: 'wfnb-middle', x: round(x), y }, Number.isFinite(number) ? number : ''));
}
