/** A graph → where its boxes are: as they are laid out, but for those that a person moved. */

import * as React from 'react';

import type { Graph } from './graph';
import type { EditorHost } from './host';
import { NOTHING, layout, placeBoxes, shapeOf } from './layout';
import type { Layout } from './layout';
import { memoize } from './memo';
import type { Frames } from './nested_frames';
import { useNarrow, usePlaces } from './host_hooks';

/** As they were when the diagram was put away, before an undo, in a tab that was closed. */
const known = memoize<Layout>();

/** `body` is the room for it. */
export function useLayout(host: EditorHost, body: React.RefObject<HTMLElement>, graph: Graph, frames: Frames, isDrawn: boolean) {
  const [places, move, arrange] = usePlaces(host);
  const down = useNarrow(body, isDrawn);
  const shape = isDrawn && down !== null ? shapeOf(graph, frames) : '';
  const whole = shape === '' ? NOTHING : known(`${down} ${shape}`, () => layout(graph, down === true, frames));
  const laid = React.useMemo(() => placeBoxes(whole, graph, places), [whole, graph, places]);
  return { laid, down, move, arrange, isMoved: Object.keys(places).length > 0 };
}
