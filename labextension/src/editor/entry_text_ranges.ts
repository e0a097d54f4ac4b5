/** A tree → the lines and the signs of the text that belong to each of its entries.
 *
 * To an entry on lines of its own belong the comments directly above it, indented as it is, one on its last line, and
 * those directly below that are indented deeper. Blank lines, and comments apart from all entries, belong to none. In
 * brackets, to an entry belong what stands before it, its comma, and a comment on the same line.
 */

import type { Collection, Node, Tree } from './syntax_tree';
import { isCollection } from './syntax_tree';

export interface Extent {
  start: number;
  end: number;
}

export interface FlowPart extends Extent {
  /** After its value. */
  stop: number;
  /** Where its comma is; -1: it has none. */
  comma: number;
}

const extents = new WeakMap<Collection, Extent[]>();

export function extentStart(tree: Tree, node: Collection, n: number): number {
  return extentsOf(tree, node)[n]!.start;
}

export function extentEnd(tree: Tree, node: Collection, n: number): number {
  return extentsOf(tree, node)[n]!.end;
}

export function extentsOf(tree: Tree, node: Collection): Extent[] {
  let found = extents.get(node);
  if (found === undefined) {
    found = node.flow ? flowParts(tree, node) : blockExtents(tree, node);
    extents.set(node, found);
  }
  return found;
}

/** From the first character that belongs to a value to the last; of a value on lines of its own, whole lines. */
export function region(tree: Tree, node: Node): [number, number] {
  if (!isCollection(node) || node.flow) {
    return [node.from, node.to];
  }
  return [extentStart(tree, node, 0), extentEnd(tree, node, node.entries.length - 1)];
}

/** How far a character is from the beginning of its line. */
export function column(tree: Tree, at: number): number {
  return at - lineStart(tree.text, at);
}

export function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Before the end of the line. */
export function lineStop(text: string, at: number): number {
  const next = text.indexOf('\n', at);
  const stop = next < 0 ? text.length : next;
  return stop > at && text[stop - 1] === '\r' ? stop - 1 : stop;
}

export function nextLine(text: string, at: number): number {
  const next = text.indexOf('\n', at);
  return next < 0 ? text.length : next + 1;
}

/** Whether an entry begins its line. */
export function beginsLine(text: string, at: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, at), at));
}

/** How deep a comment alone on its line is indented; -1: there is none. */
function commentIndent(text: string, from: number): number {
  const found = / *#/y;
  found.lastIndex = from;
  return from < text.length && found.test(text) ? found.lastIndex - 1 - from : -1;
}

function blockExtents(tree: Tree, node: Collection): Extent[] {
  const { text } = tree;
  let floor = 0;
  return node.entries.map(({ from, mark, value }) => {
    const indent = column(tree, from);
    let start = from;
    if (beginsLine(text, from)) {
      start = lineStart(text, from);
      for (let above = lineStart(text, start - 1); start > floor && above >= floor; above = lineStart(text, start - 1)) {
        if (commentIndent(text, above) !== indent) {
          break;
        }
        start = above;
      }
    }
    let end = contentEnd(tree, value, mark);
    while (commentIndent(text, end) > indent) {
      end = nextLine(text, end);
    }
    floor = end;
    return { start, end };
  });
}

function contentEnd(tree: Tree, value: Node, mark: number): number {
  if (isCollection(value) && !value.flow) {
    return extentEnd(tree, value, value.entries.length - 1);
  }
  const isBlock = value.kind === 'scalar' && (value.style === 'literal' || value.style === 'folded');
  return isBlock ? value.to : nextLine(tree.text, Math.max(value.to, mark));
}

export function flowParts(tree: Tree, node: Collection): FlowPart[] {
  const { text } = tree;
  let start = node.from + 1;
  return node.entries.map(({ mark, value }) => {
    const stop = Math.max(value.to, mark);
    let at = stop;
    while (/[\s#]/.test(text[at]!)) {
      at = text[at] === '#' ? lineStop(text, at) : at + 1;
    }
    const comma = text[at] === ',' ? at : -1;
    const tail = /[ \t]*#[^\r\n]*/y;
    tail.lastIndex = comma < 0 ? stop : comma + 1;
    const end = !tree.json && tail.test(text) ? tail.lastIndex : comma < 0 ? stop : comma + 1;
    const part = { start, stop, comma, end };
    start = end;
    return part;
  });
}
