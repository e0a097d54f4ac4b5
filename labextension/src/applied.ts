/** A picture and a delta → the picture after it, and what of it changed. What did not change is the same object. */

import type { Changed, Delta, Drawing, Head, Inquiry, Line, Marks, RunHead } from './picture';
import { spliced } from './spliced';

export interface Picture {
  readonly head: Head;
  readonly lines: readonly Line[];
  readonly count: number;
  readonly stages: Drawing | null;
  readonly runs: readonly RunHead[];
  readonly inquiry: Inquiry | null;
}

export function applied(before: Picture, delta: Delta): Partial<Picture> {
  const { head, lines, count, stages, marks, runs, inquiry } = delta;
  const now = stages === undefined ? before.stages : stages;
  return {
    ...(head && { head: { ...before.head, ...head } }),
    ...(lines && { lines: merged(before.lines, lines, 'id') }),
    ...(count !== undefined && { count }),
    ...(stages !== undefined && { stages }),
    ...(marks && now && { stages: marked(now, marks) }),
    ...(runs && { runs: merged(before.runs, runs, 'name') }),
    ...(inquiry !== undefined && {
      inquiry:
        inquiry && (before.inquiry ? spliced(before.inquiry, inquiry as Changed<Inquiry>) : (inquiry as Inquiry)),
    }),
  };
}

/** A list of a picture after what was told of it. New ones come whole and last; of the others comes what differs. */
export function merged<T extends object>(
  before: readonly T[],
  news: readonly Partial<T>[],
  key: keyof T,
): T[] {
  const named = new Map(before.map((value) => [value[key], value]));
  for (const value of news as readonly T[]) {
    named.set(value[key], { ...named.get(value[key]), ...value });
  }
  return [...named.values()];
}

function marked(drawing: Drawing, { nodes, edges }: Marks): Drawing {
  const boxes = new Map(nodes.map((node) => [node.id, node]));
  const ways = new Map(edges.map((edge) => [JSON.stringify([edge.tail, edge.head]), edge]));
  return {
    ...drawing,
    nodes: drawing.nodes.map((node) => ({ ...node, ...boxes.get(node.id) })),
    edges: drawing.edges.map((edge) => ({
      ...edge,
      ...ways.get(JSON.stringify([edge.tail, edge.head])),
    })),
  };
}
