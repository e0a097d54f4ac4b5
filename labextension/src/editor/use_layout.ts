/** A graph → where its boxes are: as they are laid out, but for those that a person moved. */

import * as React from 'react';

import type { Frames } from './frames';
import type { Graph, Way } from './graph';
import { useNarrow, usePlaces } from './hooks';
import type { EditorHost } from './host';
import { NOTHING, layout, shapeOf } from './layout';
import type { Layout } from './layout';

/** `body` is the room for it; null where it is not drawn. */
export function useLayout(host: EditorHost, body: React.RefObject<HTMLElement>, graph: Graph, frames: Frames, isDrawn: boolean) {
  const [places, move, arrange] = usePlaces(host);
  const down = useNarrow(body);
  const shape = isDrawn ? shapeOf(graph, frames) : '';
  const whole = React.useMemo<Layout>(
    () => (shape === '' ? NOTHING : layout(graph, down, frames)),
    [shape, down], // what is typed into a field moves nothing
  );
  const laid = React.useMemo<Layout>(() => {
    const boxes = new Map(whole.boxes);
    for (const [moved, [x, y]] of Object.entries(places)) {
      const box = boxes.get(moved);
      if (box) {
        boxes.set(moved, { ...box, x, y });
      }
    }
    const lines = whole.lines.map((line, at) => {
      const { from, to } = (graph.ways[at] ?? {}) as Way;
      return from in places || to in places ? null : line;
    });
    return { ...whole, boxes, lines };
  }, [whole, places, graph]);
  return { laid, down, move, arrange, isMoved: Object.keys(places).length > 0 };
}
