/** A graph → where its nodes are, by dagre; the same graph always has the same picture. */

import { Graph as Layered, layout as layered } from '@dagrejs/dagre';

import { NO_FRAMES } from './frames';
import type { Frame, Frames } from './frames';
import type { ActionNode, Graph } from './graph';

export const WIDTH = 200;
/** Ways back that are laid out; of more, each an arc, since a place is sought for every rank that they pass. */
const MOST_BACK = 20;
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
  /** By name: the upper left corner and the size. */
  boxes: Map<string, Box>;
  /** In the order of the graph's ways; none leads through a box. Null: an arc back, which is not laid out. */
  lines: (Line | null)[];
  /** How large it is in all. */
  width: number;
  height: number;
  /** What stands in its frames. */
  inner: ReadonlyMap<string, Layout>;
}

export const NOTHING: Layout = { boxes: new Map(), lines: [], width: 0, height: 0, inner: new Map() };

/** All that the layout depends on. */
export function shapeOf(graph: Graph, frames: Frames = NO_FRAMES): string {
  return JSON.stringify(shape(graph, frames));
}

function shape({ nodes, ways }: Graph, frames: Frames): unknown {
  return [
    nodes.map((node) => [node.name, height(node), opened(frames.get(node.name))]),
    ways.map(({ from, to, label }) => [from, to, labelWidth(label)]),
  ];
}

function opened(frame: Frame | undefined): unknown {
  return frame?.graph ? shape(frame.graph, frame.inner) : frame?.open;
}

function labelWidth(label: string): number {
  return Math.min(label.length, 24) * 6 + 8;
}

/** `down`: from top to bottom, else from left to right. */
export function layout(graph: Graph, down = false, frames: Frames = NO_FRAMES): Layout {
  const inner = new Map<string, Layout>();
  for (const [name, frame] of frames) {
    if (frame.graph) {
      inner.set(name, layout(frame.graph, down, frame.inner));
    }
  }
  const size = (node: ActionNode): { width: number; height: number } => {
    const within = inner.get(node.name);
    if (within) {
      return { width: Math.max(WIDTH, within.width + 2 * EDGE), height: height(node) + within.height + EDGE };
    }
    return { width: WIDTH, height: height(node) + (frames.get(node.name)?.open ? MARK : 0) };
  };
  const drawn = new Layered({ multigraph: true });
  const ranker = graph.nodes.length > LARGE ? 'longest-path' : 'network-simplex';
  drawn.setGraph({ ranker, rankdir: down ? 'TB' : 'LR', nodesep: 28, edgesep: 24, ranksep: down ? 40 : 64, marginx: 16, marginy: 16 });
  drawn.setDefaultEdgeLabel(() => ({}));
  const ids = new Map(graph.nodes.map(({ name }, place) => [name, `n${place}`])); // a name may be any word: `__proto__`
  const id = (name: string): string => ids.get(name) as string;
  for (const node of graph.nodes) {
    drawn.setNode(id(node.name), size(node));
  }
  const back = waysBack(graph);
  const arcs = back.size > MOST_BACK ? back : new Set<number>();
  graph.ways.forEach(({ from, to, label }, place) =>
    arcs.has(place) || drawn.setEdge(id(from), id(to), { width: labelWidth(label), height: 16, labelpos: 'c' }, String(place)),
  );
  layered(drawn);
  const boxes = graph.nodes.map(({ name }) => {
    const { x, y, width, height: tall } = drawn.node(id(name)) as Box;
    return [name, { x: x - width / 2, y: y - tall / 2, width, height: tall }] as const;
  });
  const lines = graph.ways.map(({ from, to }, place) => {
    if (arcs.has(place)) {
      return null;
    }
    const { points, x, y } = drawn.edge(id(from), id(to), String(place)) as Line;
    return { points, x, y };
  });
  const whole = drawn.graph() as { width: number; height: number };
  return { boxes: new Map(boxes), lines, inner, width: whole.width, height: whole.height };
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
