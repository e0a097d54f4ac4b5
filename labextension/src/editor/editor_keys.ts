/** A key in the editor → the deed that it stands for, in the diagram and in the outline alike. */

import type * as React from 'react';

import { idOf, pathOf } from './nested_frames';
import type { Frames } from './nested_frames';
import type { Graph } from './graph';
import type { EditorHost } from './host';
import type { Layout } from './layout';
import type { Edits } from './use_edits';
import { edgeId } from './action_edge';

const ARROWS = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'];

export interface KeyContext {
  host: EditorHost;
  root: HTMLElement | null;
  graph: Graph;
  laid: Layout;
  frames: Frames;
  picked: readonly string[];
  isDiagram: boolean;
  deeds: Edits;
  toForm(): void;
  toPalette(): void;
}

export function onKey(event: React.KeyboardEvent, context: KeyContext): void {
  const { host, root, graph, deeds, isDiagram, picked } = context;
  const target = event.target as HTMLElement;
  const edge = target.closest<HTMLElement>('.react-flow__edge')?.dataset.id;
  const typing = isTyping(target);
  const control = event.ctrlKey || event.metaKey;
  const onPicture = target.closest('.wfnb-canvas, .wfnb-outline') !== null;
  if (control && event.key.toLowerCase() === 'z') {
    event.preventDefault();
    event.stopPropagation();
    (event.shiftKey ? host.redo : host.undo)();
  } else if (onPicture && (event.key === 'Delete' || event.key === 'Backspace')) {
    event.preventDefault();
    void deeds.remove();
  } else if (!typing && !control && onPicture && !(event.key === 'Enter' && target.closest('button'))) {
    const deed = {
      F2: () => root?.querySelector<HTMLElement>('.wfnb-name-field')?.focus(),
      Enter: () => (edge === undefined ? context.toForm() : deeds.chooseWay(graph.ways.find((each) => edgeId(each) === edge) ?? null)),
      Escape: () => deeds.select([], false),
      a: context.toPalette,
      c: () => void deeds.connect(),
      i: () => void deeds.wayOn().then((way) => {
        if (way) {
          deeds.setWay(way);
          context.toPalette();
        }
      }),
      o: () => picked.length === 1 && deeds.toggle(picked[0] as string),
      ...(isDiagram && Object.fromEntries(ARROWS.map((key) => [key, () => follow(key, context)]))),
    }[event.key];
    if (deed) {
      event.preventDefault();
      event.stopPropagation();
      deed();
    }
  }
}

/** Out of a field or the form, once that has had its key: a name that is half typed is given up by it. */
export function onEscape({ key, target }: React.KeyboardEvent, toChosen: () => void): void {
  const from = target as HTMLElement;
  if (key === 'Escape' && from.closest('.wfnb-form, input, textarea, select') && !isOpen(from)) {
    toChosen();
  }
}

/** Along what leads from one to the next: right and left; up and down to those beside. In a frame, within it. */
function follow(key: string, { root, picked, deeds, ...whole }: KeyContext): void {
  const id = picked.at(-1);
  const above = pathOf(id ?? '');
  const from = above.pop() || whole.graph.nodes[0]?.name;
  const { graph, laid } = within(whole, above);
  const boxes = new Map(graph.nodes.map(({ name }, place) => [name, laid.boxes[place]]));
  const box = boxes.get(from ?? '');
  const beside = [...boxes.keys()].filter((each) => {
    const other = boxes.get(each);
    return box && other && Math.abs(other.x - box.x) < box.width;
  }).sort((a, b) => (boxes.get(a)?.y ?? 0) - (boxes.get(b)?.y ?? 0));
  const next = id === undefined ? from
    : key === 'ArrowRight' ? graph.ways.find((each) => each.from === from)?.to
      : key === 'ArrowLeft' ? graph.ways.find((each) => each.to === from)?.from
        : beside[beside.indexOf(from ?? '') + (key === 'ArrowDown' ? 1 : -1)];
  if (next !== undefined) {
    const to = idOf([...above, next]);
    deeds.show(to);
    root?.querySelector<HTMLElement>(`.react-flow__node[data-id=${CSS.escape(to)}]`)?.focus();
  }
}

/** The graph at the end of a path of actions, and where its boxes are. */
function within(whole: Pick<KeyContext, 'graph' | 'laid' | 'frames'>, path: readonly string[]): { graph: Graph; laid: Layout } {
  let { graph, laid, frames } = whole;
  for (const name of path) {
    const [frame, inner] = [frames.get(name), laid.inner[graph.nodes.findIndex((node) => node.name === name)]];
    if (frame?.graph && inner) {
      [graph, laid, frames] = [frame.graph, inner, frame.inner];
    }
  }
  return { graph, laid };
}

export function isTyping(target: EventTarget): boolean {
  return (target as HTMLElement).closest('input, textarea, select') !== null;
}

/** Whether a field offers names: Escape is for them then. */
function isOpen(target: HTMLElement): boolean {
  return target.dataset.open !== undefined;
}
