/** The text of a workflow's file → what it says, and where each part stands; or why it cannot be read. It writes nothing. */

import type { Data, Path } from './definition_data';
import { extentEnd, extentStart } from './entry_text_ranges';
import { jsonTree } from './json_parser';
import { memoize } from './memo';
import type { Node, Tree } from './syntax_tree';
import { dataOf, entryOf, isCollection, Mistake } from './syntax_tree';
import { yamlTree } from './yaml_parser';

/** Bytes of a file, as wfnb reads it. */
const MAX_BYTES = 10_000_000;
/** Characters of JSON with mistakes that are read as YAML, as a comma too many. */
const LENIENT = 100_000;
const MARK = '\ufeff';

export interface Read {
  ok: true;
  data: Data;
  /** From where to where something is written: a value, or an entry with its key where the value is a mapping, a list
   * or missing. Null: there is nothing such. */
  place(path: Path): [number, number] | null;
  /** The innermost entry that a character belongs to, its comments included. */
  pathAt(offset: number): Path;
}

export interface Unread {
  ok: false;
  /** One sentence, with the line and the column. */
  message: string;
  line: number;
  column: number;
  at: number;
}

export type Reading = Read | Unread;

const known = memoize<Reading>();
const trees = new WeakMap<Read, Tree>();

export function read(text: string): Reading {
  return known(text, () => readAnew(text));
}

function readAnew(text: string): Reading {
  const shift = text.startsWith(MARK) ? 1 : 0;
  try {
    const tree = treeOf(text);
    const reading: Read = {
      ok: true,
      data: dataOf(tree.root) as Data,
      place: (path) => place(tree, path, shift),
      pathAt: (offset) => pathAt(tree, tree.root, offset - shift),
    };
    trees.set(reading, tree);
    return reading;
  } catch (error) {
    if (!(error instanceof Mistake)) {
      throw error;
    }
    const at = error.at + shift;
    const lines = text.slice(0, at).split(/\r\n|\r|\n/);
    const [line, column] = [lines.length, lines.at(-1)!.length + 1 - (lines.length === 1 ? shift : 0)];
    return { ok: false, message: `line ${line}, column ${column}: ${error.what}`, line, column, at };
  }
}

/** The tree of a text that can be read, with the end of its last line added where it has none. */
export function endedTree(reading: Read, text: string): Tree {
  return text.endsWith('\n') ? trees.get(reading)! : treeOf(text + (/\r?\n/.exec(text)?.[0] ?? '\n'));
}

/** JSON where it is JSON, else YAML. Throws Mistake. */
export function treeOf(text: string): Tree {
  if (text.length > MAX_BYTES / 4) {
    const size = new TextEncoder().encode(text).length;
    if (size > MAX_BYTES) {
      const [is, most] = [size, MAX_BYTES].map((number) => number.toLocaleString('en'));
      throw new Mistake(`it is too large (${is} bytes; ${most} are read at most)`, 0);
    }
  }
  const body = text.startsWith(MARK) ? text.slice(1) : text;
  if (!body.trimStart().startsWith('{')) {
    return yamlTree(body);
  }
  let noJson: unknown = null;
  try {
    return jsonTree(body);
  } catch (error) {
    const isMeant = body.trimStart().slice(1).trimStart().startsWith('"');
    if (isMeant && body.length > LENIENT) {
      throw error;
    }
    noJson = isMeant ? error : null;
  }
  try {
    return yamlTree(body);
  } catch (error) {
    throw noJson ?? error;
  }
}

function place(tree: Tree, path: Path, shift: number): [number, number] | null {
  let [from, to] = [tree.root.from, tree.root.to];
  let here: Node = tree.root;
  for (const key of path) {
    const entry = entryOf(here, key);
    if (entry === undefined) {
      return null;
    }
    here = entry.value;
    const alone = here.kind === 'scalar' && here.from < here.to;
    [from, to] = [alone ? here.from : entry.from, Math.max(here.to, entry.mark)];
  }
  return [from + shift, to + shift];
}

function pathAt(tree: Tree, node: Node, offset: number): Path {
  if (!isCollection(node)) {
    return [];
  }
  for (const [n, entry] of node.entries.entries()) {
    if (offset >= extentStart(tree, node, n) && offset < extentEnd(tree, node, n)) {
      return [node.kind === 'map' ? String(entry.key?.value) : n, ...pathAt(tree, entry.value, offset)];
    }
  }
  return [];
}
