/** A drawing laid out by Python → SVG: boxes with sign and label, the current one framed, ways taken solid. It is
 *  changed in place: a box or a way is drawn again where it differs.
 */

import type { DrawnEdge, DrawnNode, Drawing } from '../protocol';
import { __, term } from '../translation';
import { attribute, each, h, s } from './dom';
import { look, reachable } from './tables';

const LINE = 15;
/** A drawing that is too wide is made this much smaller; wider ones scroll. */
const SMALLEST = 0.75;
const BELOW = 30;
const PATH = /^M[MCL\d\s.,-]*$/;
const COUNT = /^\d+×$/;
/** States of which the sign says enough. */
const USUAL = new Set(['ok', 'current', 'not yet']);

export interface DrawingView {
  root: HTMLElement;
  show(drawing: Drawing): void;
}

export function drawingView(): DrawingView {
  const ways = s('g');
  const boxes = s('g');
  const svg = s('svg', { role: 'img' }, ways, boxes);
  const least = s('svg', { 'aria-hidden': 'true', class: 'wfnb-least', height: 0 });
  const root = h('div', { class: 'wfnb-drawing wfnb-scroll', role: 'group' }, svg, least);
  const drawEdges = each<DrawnEdge, SVGGElement>(
    ways,
    ({ tail, head }) => JSON.stringify([tail, head]),
    () => s('g'),
    differing(way),
  );
  const drawNodes = each<DrawnNode, SVGGElement>(boxes, ({ id }) => id, () => s('g'), differing(box));

  return {
    root,
    show(drawing) {
      const { width, height } = drawing;
      attribute(root, 'aria-label', __('Drawing of %1', drawing.title));
      attribute(svg, 'aria-label', says(drawing));
      attribute(svg, 'viewBox', `0 0 ${width} ${height}`);
      attribute(svg, 'width', width);
      attribute(svg, 'height', height);
      attribute(least, 'width', Math.round(width * SMALLEST));
      drawEdges(drawing.edges);
      drawNodes(drawing.nodes);
      reachable(root);
    },
  };
}

/** The drawing in a sentence. */
function says({ title, nodes }: Drawing): string {
  const here = nodes.filter(({ state }) => state === 'current' || state === 'running');
  return [title, ...here.map((node) => `${term(node.state)}: ${plain(node)}`)].join(', ');
}

/** The label of a box in one line; names were broken after `_`. */
export function plain({ label }: DrawnNode): string {
  return label.replace(/_\n/g, '_').replace(/\n/g, ' ');
}

/** Fill a group where its value is not what it shows. */
function differing<T>(draw: (value: T) => SVGElement[]): (group: SVGGElement, value: T) => void {
  const shown = new WeakMap<Element, string>();
  return (group, value) => {
    const now = JSON.stringify(value);
    if (shown.get(group) !== now) {
      shown.set(group, now);
      group.replaceChildren(...draw(value));
    }
  };
}

function box(node: DrawnNode): SVGElement[] {
  const { x, y, width, height, end, sign, label, state, note } = node;
  const lines = label.split('\n');
  const foot = [USUAL.has(state) ? '' : term(state), note].filter(Boolean).join(' · ');
  const count = lines.length + (foot ? 1 : 0);
  const first = y + height / 2 - ((count - 1) * LINE) / 2 + 4;
  const middle = x + width / 2;
  const at = (line: number): { x: number; y: number } => ({ x: middle, y: round(first + line * LINE) });
  return [
    s('title', {}, node.tooltip || `${plain(node)}: ${term(state)}`),
    s('rect', { class: `wfnb-box ${look(state)}`, x, y, width, height, rx: end ? Math.min(height / 2, 12) : 3 }),
    ...lines.map((words, line) =>
      s(
        'text',
        { class: 'wfnb-label', ...at(line) },
        line === 0 && sign && s('tspan', { class: look(state) }, sign),
        line === 0 && sign ? ` ${words}` : words,
      ),
    ),
    ...(foot ? [s('text', { class: 'wfnb-label wfnb-small', ...at(lines.length) }, cut(foot))] : []),
  ];
}

function way({ path, taken, label, label_x, label_y }: DrawnEdge): SVGElement[] {
  if (!PATH.test(path)) {
    return [];
  }
  const look = taken > 0 ? 'wfnb-edge wfnb-taken' : 'wfnb-edge';
  return [
    s('path', { class: look, d: path }),
    s('path', { class: `wfnb-tip ${taken > 0 ? 'wfnb-taken' : ''}`, d: tip(path) }),
    ...(label && label_x !== null && label_y !== null ? [beside(label, label_x, label_y + 4)] : []),
  ];
}

/** A count alone came after the drawing was laid out: its place is on the way, so it stands right of it. */
function beside(label: string, x: number, y: number): SVGElement {
  const alone = COUNT.test(label);
  const look = `wfnb-label wfnb-small${alone ? ' wfnb-right-of' : ''}`;
  return s('text', { class: look, x: alone ? x + 6 : x, y }, label);
}

/** A triangle at the end of a path, in the direction in which it arrives. */
function tip(path: string): string {
  const [x0 = 0, y0 = 0, x = 0, y = 0] = (path.match(/-?[\d.]+/g) ?? []).map(Number).slice(-4);
  const length = Math.hypot(x - x0, y - y0) || 1;
  const [dx, dy] = [(x - x0) / length, (y - y0) / length];
  const corner = (side: number): string =>
    `L${round(x - 8 * dx - 3 * side * dy)} ${round(y - 8 * dy + 3 * side * dx)}`;
  return `M${x} ${y}${corner(1)}${corner(-1)}Z`;
}

function cut(words: string): string {
  const letters = [...words];
  return letters.length > BELOW ? `${letters.slice(0, BELOW - 1).join('')}…` : words;
}

/** To what is seen of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
