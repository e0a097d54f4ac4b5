/** A text, a command of the editor → the splices of the text that do it, and nothing else. A text that cannot be read is refused. */

import { __ } from '../translation';
import { applied } from './data_operations';
import { operationsOf } from './edit_command_operations';
import { Refusal } from './refusal';
import type { Data, Json } from './definition_data';
import type { EditCommand } from './edit_commands';
import type { Splice } from './text_slices';
import { Draft } from './tree_splices';
import type { Op } from './data_operations';
import { endedTree, read } from './definition_text_reader';
import type { Programs } from './definition_walk';
import { isSame, valueAt } from './field_operations';
import type { Entry, Node, Tree } from './syntax_tree';
import { isCollection } from './syntax_tree';

/** Several commands are one edit. Throws Refusal. */
export function edit(text: string, command: EditCommand | readonly EditCommand[], programs: Programs = {}): Splice[] {
  const reading = read(text);
  if (!reading.ok) {
    throw new Refusal(__('The text cannot be read, so nothing is changed: %1.', reading.message));
  }
  const ops: Op[] = [];
  let data = reading.data;
  for (const each of Array.isArray(command) ? (command as readonly EditCommand[]) : [command as EditCommand]) {
    const more = operationsOf(data, each, programs);
    ops.push(...more);
    data = applied(data, more);
  }
  return written(text, ops);
}

/** The splices for operations. What they make is read again, and has to be what the operations make of the data. */
export function written(text: string, ops: readonly Op[]): Splice[] {
  const reading = read(text);
  if (ops.length === 0 || !reading.ok) {
    return [];
  }
  const outcome = applied(reading.data, ops);
  const tree = endedTree(reading, text);
  const shift = text.startsWith('\ufeff') ? 1 : 0;
  const size = text.length - shift;
  const closing = text.endsWith('\n') ? [] : closed(tree, reading.data);
  const ways: [Op[], boolean][] = [
    [[...ops], false],
    [[...closing, ...ops], false],
    [[...closing, ...ops], true],
  ];
  for (const [all, careful] of ways) {
    const splices = drafted(tree, all, careful).map((splice) => within(splice, tree.text, size, shift));
    const after = read(spliced(text, splices));
    if (after.ok && isSame(after.data, outcome)) {
      return splices;
    }
  }
  throw new Refusal(__('This cannot be written into the text without changing something else: change it in the text.'));
}

/** A text of several lines at the very end, which has no end of its last line: it is to have none after that, too. */
function closed(tree: Tree, data: Data): Op[] {
  const path: (string | number)[] = [];
  let [node, value]: [Node | undefined, Json | undefined] = [tree.root, data];
  while (node !== undefined && isCollection(node)) {
    const last: Entry | undefined = node.entries.at(-1);
    path.push(last?.key === null ? node.entries.length - 1 : String(last?.key.value));
    node = last?.value;
    value = valueAt(value!, path.at(-1)!);
  }
  const isBlockText = node !== undefined && (node.style === 'literal' || node.style === 'folded');
  return isBlockText && value !== undefined ? [{ op: 'set', path, value }] : [];
}

export function drafted(tree: Tree, ops: readonly Op[], careful: boolean): Splice[] {
  const draft = new Draft(tree, careful);
  ops.forEach((op) => draft.apply(op));
  return draft.splices();
}

/** A splice of a text to which the end of its last line was added → one of the text itself, of that size. */
function within({ from, to, insert }: Splice, text: string, size: number, shift: number): Splice {
  const isPast = from > size || to > size;
  const before = from > size ? text.slice(size, from) : '';
  const cut = isPast ? insert.replace(/\r?\n$/, '') : insert;
  return { from: Math.min(from, size) + shift, to: Math.min(to, size) + shift, insert: before + cut };
}

/** The text after them. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let [after, at] = ['', 0];
  for (const { from, to, insert } of splices) {
    after += text.slice(at, from) + insert;
    at = to;
  }
  return after + text.slice(at);
}
