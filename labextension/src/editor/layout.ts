/** A graph → where its nodes are, by dagre; the same graph always has the same picture. */

import { Graph as Layered, layout as layered } from '@dagrejs/dagre';

import { NO_FRAMES } from './nested_frames';
import type { Frame, Frames } from './nested_frames';
import type { ActionNode, Graph, Way } from './graph';
import type { Places } from './host';

export const WIDTH = 200;
/** Ways back that are laid out; of more, each an arc, since a place is sought for every rank that they pass. */
const MAX_BACK = 20;
/** Nodes beyond which the ranks are those of the longest way to each: edges are not as short then, and it takes half as long. */
const LARGE = 300;
const HEAD = 46;
const MARK = 19;
/** Beside and below what stands in a frame. */
const EDGE = 8;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function height({ marks }: ActionNode): number {
  return HEAD + marks.length * MARK;
}

/** Where what stands in a frame begins, from the corner of its action. */
export function beginning(node: ActionNode): { x: number; y: number } {
  return { x: EDGE, y: height(node) };
}

/** How a way is drawn: through these points, with its label there. */
export interface Line {
  points: { x: number; y: number }[];
  x: number;
  y: number;
}

export interface Layout {
  /** In the order of the graph's nodes: the upper left corner and the size. */
  boxes: Box[];
  /** In the order of the graph's ways; none leads through a box. Null: an arc back, which is not laid out. */
  lines: (Line | null)[];
  /** How large it is in all. */
  width: number;
  height: number;
  /** What stands in the frames of its nodes, in their order, too. */
  inner: (Layout | undefined)[];
}

export const NOTHING: Layout = { boxes: [], lines: [], width: 0, height: 0, inner: [] };

/** All that the layout depends on: of names, no more than which is which. */
export function shapeOf(graph: Graph, frames: Frames = NO_FRAMES): string {
  return JSON.stringify(shape(graph, frames));
}

function shape({ nodes, ways }: Graph, frames: Frames): unknown {
  const places = placesOf(nodes);
  return [
    nodes.map((node) => [places.get(node.name), height(node), opened(frames.get(node.name))]),
    ways.map(({ from, to, label }) => [places.get(from), places.get(to), labelWidth(label)]),
  ];
}

/** A name may be any word: `__proto__`. */
function placesOf(nodes: readonly ActionNode[]): Map<string, number> {
  return new Map(nodes.map(({ name }, place) => [name, place]));
}

function opened(frame: Frame | undefined): unknown {
  return frame?.graph ? shape(frame.graph, frame.inner) : frame?.open;
}

function labelWidth(label: string): number {
  return Math.min(label.length, 24) * 6 + 8;
}

/** `down`: from top to bottom, else from left to right. */
export function layout(graph: Graph, down = false, frames: Frames = NO_FRAMES): Layout {
  const inner = graph.nodes.map(({ name }) => {
    const frame = frames.get(name);
    return frame?.graph ? layout(frame.graph, down, frame.inner) : undefined;
  });
  const size = (node: ActionNode, place: number): { width: number; height: number } => {
    const within = inner[place];
    if (within) {
      return { width: Math.max(WIDTH, within.width + 2 * EDGE), height: height(node) + within.height + EDGE };
    }
    return { width: WIDTH, height: height(node) + (frames.get(node.name)?.open ? MARK : 0) };
  };
  const drawn = new Layered({ multigraph: true });
  const ranker = graph.nodes.length > LARGE ? 'longest-path' : 'network-simplex';
  drawn.setGraph({ ranker, rankdir: down ? 'TB' : 'LR', nodesep: 28, edgesep: 24, ranksep: down ? 40 : 64, marginx: 16, marginy: 16 });
  drawn.setDefaultEdgeLabel(() => ({}));
  const places = placesOf(graph.nodes);
  const id = (name: string): string => `n${places.get(name)}`;
  graph.nodes.forEach((node, place) => drawn.setNode(id(node.name), size(node, place)));
  const back = waysBack(graph);
  const arcs = back.size > MAX_BACK ? back : new Set<number>();
  graph.ways.forEach(({ from, to, label }, place) =>
    arcs.has(place) || drawn.setEdge(id(from), id(to), { width: labelWidth(label), height: 16, labelpos: 'c' }, String(place)),
  );
  layered(drawn);
  const boxes = graph.nodes.map(({ name }) => {
    const { x, y, width, height: tall } = drawn.node(id(name)) as Box;
    return { x: x - width / 2, y: y - tall / 2, width, height: tall };
  });
  const lines = graph.ways.map(({ from, to }, place) => {
    if (arcs.has(place)) {
      return null;
    }
    const { points, x, y } = drawn.edge(id(from), id(to), String(place)) as Line;
    return { points, x, y };
  });
  const whole = drawn.graph() as { width: number; height: number };
  return { boxes, lines, inner, width: whole.width, height: whole.height };
}

/** With some of its boxes elsewhere: what leads to or from those is not laid out. */
export function placeBoxes(laid: Layout, { nodes, ways }: Graph, places: Places): Layout {
  const elsewhere = new Map(Object.entries(places));
  const boxes = laid.boxes.map((box, at) => {
    const [x, y] = elsewhere.get((nodes[at] as ActionNode).name) ?? [box.x, box.y];
    return { ...box, x, y };
  });
  const lines = laid.lines.map((line, at) => {
    const { from, to } = ways[at] as Way;
    return elsewhere.has(from) || elsewhere.has(to) ? null : line;
  });
  return { ...laid, boxes, lines };
}

/** The places of the ways that lead to where one has come from, as the nodes are written. */
export function waysBack({ nodes, ways }: Graph): Set<number> {
  const leaving = new Map<string, [to: string, place: number][]>(nodes.map(({ name }) => [name, []]));
  ways.forEach(({ from, to }, place) => leaving.get(from)?.push([to, place]));
  const back = new Set<number>();
  const [open, seen] = [new Set<string>(), new Set<string>()];
  for (const { name } of nodes) {
    const stack = seen.has(name) ? [] : [{ name, next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1) as { name: string; next: number };
      open.add(top.name);
      seen.add(top.name);
      const way = leaving.get(top.name)?.[top.next];
      top.next += 1;
      if (way === undefined) {
        open.delete(top.name);
        stack.pop();
      } else if (open.has(way[0])) {
        back.add(way[1]);
      } else if (!seen.has(way[0])) {
        stack.push({ name: way[0], next: 0 });
      }
    }
  }
  return back;
}
