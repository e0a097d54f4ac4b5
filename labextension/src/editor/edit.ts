/** A text, a command → the splices of the text that do it, and nothing else. A text that cannot be read is refused. */

import type { Command, Data, Splice } from './commands';
import { applied, change, isSame, Refusal } from './change';
import { Draft } from './draft';
import type { Op } from './ops';
import { read, treeOf } from './reading';
import type { Programs } from './references';
import type { Tree } from './tree';

/** Several commands are one edit. Throws Refusal. */
export function edit(text: string, command: Command | readonly Command[], programs: Programs = {}): Splice[] {
  const reading = read(text);
  if (!reading.ok) {
    throw new Refusal(`The text cannot be read, so nothing is changed: ${reading.message}.`);
  }
  const ops: Op[] = [];
  let data = reading.data;
  for (const each of Array.isArray(command) ? (command as readonly Command[]) : [command as Command]) {
    const more = change(data, each, programs);
    ops.push(...more);
    data = applied(data, more);
  }
  return splicesOf(text, ops, data);
}

/** The splices for operations whose outcome is known: what they make is read again, and has to be that. */
function splicesOf(text: string, ops: readonly Op[], outcome: Data): Splice[] {
  if (ops.length === 0) {
    return [];
  }
  const tree = treeOf(/\n$/.test(text) ? text : text + ending(text));
  const shift = text.startsWith('\ufeff') ? 1 : 0;
  const size = text.length - shift;
  for (const careful of [false, true]) {
    const splices = drafted(tree, ops, careful).map((splice) => within(splice, tree.text, size, shift));
    const after = read(spliced(text, splices));
    if (after.ok && isSame(after.data, outcome)) {
      return splices;
    }
  }
  throw new Refusal('This cannot be written into the text without changing something else: change it in the text.');
}

export function drafted(tree: Tree, ops: readonly Op[], careful: boolean): Splice[] {
  const draft = new Draft(tree, careful);
  ops.forEach((op) => draft.apply(op));
  return draft.splices();
}

function ending(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
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

/** The splices that take the others back. */
export function inverse(text: string, splices: readonly Splice[]): Splice[] {
  let shift = 0;
  return splices.map(({ from, to, insert }) => {
    const back = { from: from + shift, to: from + shift + insert.length, insert: text.slice(from, to) };
    shift += insert.length - (to - from);
    return back;
  });
}
