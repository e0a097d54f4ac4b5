/** What the kernel says of the workflows that actions run → what stands in the frames of those that are opened in place. */

import type { NestedDefinition } from '../protocol';
import type { Data } from './definition_data';
import { graph } from './graph';
import type { ActionNode, Graph } from './graph';

/** Between the names of the actions that lead to one within another: no name has it. */
const INTO = ' › ';

/** A workflow that an action runs; its graph is there once it is opened. */
export interface Frame {
  of: NestedDefinition;
  open: boolean;
  data: Data;
  graph: Graph | null;
  /** Those that its own actions run, by their names. */
  inner: Frames;
}

export type Frames = ReadonlyMap<string, Frame>;

export const NO_FRAMES: Frames = new Map();

export function idOf(path: readonly string[]): string {
  return path.join(INTO);
}

export function pathOf(id: string): string[] {
  return id.split(INTO);
}

/** `opened`: the ids of the actions whose frames are wanted. */
export function framesOf(nested: readonly NestedDefinition[], opened: readonly string[], above: readonly string[] = []): Frames {
  const here = nested.filter(({ path }) => path.length === above.length + 1 && above.every((name, place) => path[place] === name));
  return new Map(here.map((of) => {
    const open = opened.includes(idOf(of.path));
    const data = of.definition && open ? (of.definition as Data) : null;
    return [of.path.at(-1) as string, {
      of, open,
      data: data ?? {},
      graph: data && graph(data),
      inner: data ? framesOf(nested, opened, of.path) : NO_FRAMES,
    }];
  }));
}

/** An action within others, and what it is an action of. */
export interface Inside {
  frame: Frame;
  node: ActionNode;
}

export function inside(frames: Frames, id: string): Inside | null {
  const path = pathOf(id);
  const last = path.pop();
  let frame: Frame | undefined;
  for (const name of path) {
    frame = (frame?.inner ?? frames).get(name);
    if (!frame) {
      return null;
    }
  }
  const node = frame?.graph?.nodes.find(({ name }) => name === last);
  return frame && node ? { frame, node } : null;
}
