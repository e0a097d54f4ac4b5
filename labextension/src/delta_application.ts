/** A picture and a delta → the picture after it, and what of it changed. What did not change is the same object. */

import type { Changed, Delta, Drawing, Head, Inquiry, Ledger, Line, Marks, RunHead } from './protocol';
import { spliced } from './list_splices';

export interface Picture {
  readonly head: Head;
  readonly lines: readonly Line[];
  readonly count: number;
  readonly stages: Drawing | null;
  readonly runs: readonly RunHead[];
  readonly inquiry: Inquiry | null;
  readonly ledger: Ledger | null;
}

export function applied(before: Picture, delta: Delta): Partial<Picture> {
  const { head, lines, count, stages, marks, runs, inquiry, ledger } = delta;
  const now = stages === undefined ? before.stages : stages;
  return {
    ...(head && { head: { ...before.head, ...head } }),
    ...(lines && { lines: merged(before.lines, lines, 'id') }),
    ...(count !== undefined && { count }),
    ...(stages !== undefined && { stages }),
    ...(marks && now && { stages: marked(now, marks) }),
    ...(runs && { runs: merged(before.runs, runs, 'name') }),
    ...(inquiry !== undefined && { inquiry: part<Inquiry>(before.inquiry, inquiry) }),
    ...(ledger !== undefined && { ledger: part<Ledger>(before.ledger, ledger) }),
  };
}

/** A part that there may be: it comes whole where there was none, else what differs of it. */
function part<T extends object>(before: T | null, now: T | Changed<T> | null): T | null {
  return now && (before ? spliced(before, now as Changed<T>) : (now as T));
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
