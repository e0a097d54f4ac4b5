/** A tree, operations on it → the splices of its text. What no operation concerns stays as it is written.
 *
 * Each mapping or list that is changed gets slots: its old entries, and new values. The text is put together again from
 * slices of the old one and new strings, in order; what is not a slice of the old one is a splice.
 */

import type { Json, Splice } from './commands';
import type { FlowPart } from './chunks';
import { beginsLine, chunksOf, column, flowParts, lineStart, lineStop, nextLine, region } from './chunks';
import { Manner } from './manner';
import type { Op, Part } from './ops';
import { appliedOne } from './ops';
import { blockText, canBeBlock, canBePlain } from './scalar';
import type { Collection, Entry, Node, Scalar, Tree } from './tree';
import { isCollection } from './tree';

/** A value that is not written yet. */
class New {
  constructor(public data: Json) {}
}

interface Slot {
  /** The place of its entry in the text; null: it is new. */
  old: number | null;
  key: string | null;
  isRenamed: boolean;
  isMoved: boolean;
  value: Node | New;
}

type Piece = string | readonly [from: number, to: number];

export class Draft {
  private readonly text: string;
  private readonly manner: Manner;
  private readonly slots = new Map<Collection, Slot[]>();
  private readonly parts = new Map<Scalar, readonly Part[]>();
  private pieces: Piece[] = [];

  constructor(
    private readonly tree: Tree,
    private readonly careful: boolean,
  ) {
    this.text = tree.text;
    this.manner = new Manner(tree, careful);
  }

  /** Does an operation. */
  apply(op: Op): void {
    let here: Node | New = this.tree.root;
    let inBrackets = false;
    for (const [n, key] of op.path.slice(0, -1).entries()) {
      if (here instanceof New) {
        here.data = appliedOne(here.data, op, op.path.slice(n));
        return;
      }
      inBrackets ||= isCollection(here) && here.flow;
      here = this.slotsOf(here as Collection)[this.find(here as Collection, key)]!.value;
    }
    const key = op.path.at(-1)!;
    if (here instanceof New) {
      here.data = appliedOne(here.data, op, [key]);
      return;
    }
    this.change(here as Collection, key, op, inBrackets || (here as Collection).flow);
  }

  private change(node: Collection, key: string | number, op: Op, inBrackets: boolean): void {
    const slots = this.slotsOf(node);
    const at = op.op === 'insert' ? -1 : this.find(node, key);
    const found = slots[at];
    const place = (before: string | number | null | undefined): number => {
      const n = node.kind === 'map' ? slots.findIndex((slot) => slot.key === before) : before;
      return typeof n !== 'number' || n < 0 ? slots.length : n;
    };
    switch (op.op) {
      case 'set':
        if (!this.respell(found!.value, op.parts, op.value, inBrackets)) {
          found!.value = new New(op.value);
        }
        break;
      case 'insert': {
        const slot = { old: null, key: null, isRenamed: false, isMoved: false, value: new New(op.value) };
        slots.splice(
          place(node.kind === 'map' ? op.before : Number(key)),
          0,
          node.kind === 'map' ? { ...slot, key: String(key) } : slot,
        );
        break;
      }
      case 'remove':
        slots.splice(at, 1);
        break;
      case 'rename':
        found!.key = op.to;
        found!.isRenamed = true;
        break;
      case 'move': {
        const to = place(op.before);
        slots.splice(at, 1);
        slots.splice(to > at ? to - 1 : to, 0, found!);
        found!.isMoved = true;
        break;
      }
    }
  }

  /** Whether parts of a text can be replaced where they are written. */
  private respell(old: Node | New, parts: readonly Part[] | undefined, value: Json, inBrackets: boolean): boolean {
    if (parts === undefined || this.careful || old instanceof New || isCollection(old) || typeof value !== 'string') {
      return false;
    }
    const isWritten = (): boolean =>
      parts.every(([from, length]) => {
        const word = String(old.value).slice(from, from + length);
        return places(String(old.value), word).length === places(this.source(old), word).length;
      });
    if (this.parts.has(old) || (old.style === 'plain' && !canBePlain(value, inBrackets)) || !isWritten()) {
      return false;
    }
    this.parts.set(old, parts);
    return true;
  }

  private slotsOf(node: Collection): Slot[] {
    let found = this.slots.get(node);
    if (found === undefined) {
      found = node.entries.map(({ key, value }, old) => ({
        old,
        key: key === null ? null : String(key.value),
        isRenamed: false,
        isMoved: false,
        value,
      }));
      this.slots.set(node, found);
    }
    return found;
  }

  private find(node: Collection, key: string | number): number {
    const found = node.kind === 'map' ? this.slotsOf(node).findIndex((slot) => slot.key === key) : Number(key);
    if (this.slotsOf(node)[found] === undefined) {
      throw new RangeError(`there is no ${key}`);
    }
    return found;
  }

  /** What becomes of the text. */
  splices(): Splice[] {
    this.pieces = [];
    const [from, to] = region(this.tree, this.tree.root);
    this.keep(0, from);
    this.value(this.tree.root, '');
    this.keep(this.endsOpen(this.tree.root) ? this.afterBlank(to, this.text.length) : to, this.text.length);
    return spliced(this.pieces, this.text);
  }

  private keep(from: number, to: number): void {
    if (from < to) {
      this.pieces.push([from, to]);
    }
  }

  private put(text: string): void {
    if (text !== '') {
      this.pieces.push(text);
    }
  }

  /** What is put while something is done, as a text. */
  private written(work: () => void): string {
    const before = this.pieces;
    this.pieces = [];
    work();
    const text = this.pieces.map((piece) => (typeof piece === 'string' ? piece : this.text.slice(...piece))).join('');
    this.pieces = before;
    return text;
  }

  private source(node: Scalar): string {
    return this.text.slice(node.from, node.to);
  }

  private value(node: Node, pattern: string): void {
    if (!isCollection(node)) {
      this.scalar(node);
    } else if (!this.slots.has(node)) {
      this.keep(...region(this.tree, node));
    } else if (node.flow) {
      this.inBrackets(node, pattern);
    } else {
      this.block(node, pattern);
    }
  }

  private scalar(node: Scalar): void {
    const parts = this.parts.get(node);
    const value = String(node.value);
    let at = node.from;
    for (const [from, length, insert] of parts ?? []) {
      const word = value.slice(from, from + length);
      const nth = places(value, word).indexOf(from);
      const place = node.from + places(this.source(node), word)[nth]!;
      this.keep(at, place);
      this.put(
        node.style === 'single'
          ? insert.replaceAll("'", "''")
          : node.style === 'double'
            ? JSON.stringify(insert).slice(1, -1)
            : insert,
      );
      at = place + length;
    }
    this.keep(at, node.to);
  }

  // entries on lines of their own

  private block(node: Collection, pattern: string): void {
    const slots = this.slotsOf(node);
    const chunks = chunksOf(this.tree, node);
    const first = node.entries[0]!;
    const indent = column(this.tree, first.from);
    const isCompact = !beginsLine(this.text, first.from);
    const margin = ' '.repeat(indent);
    let last = -1;
    let isOpen = false;
    if (slots.length === 0) {
      this.put(`{}${this.manner.end}`); // of all that is emptied only the whole text is written here
    }
    slots.forEach((slot, n) => {
      const isFirst = n === 0;
      const old = slot.isMoved ? null : slot.old;
      if (old === null) {
        const near = last < 0 ? 0 : last;
        const hasBlank = !isFirst && !isOpen && this.isBlankBetween(node, near);
        const text = this.written(() => this.newEntry(node, slot, pattern, indent));
        this.put((hasBlank ? this.manner.end : '') + (isFirst && isCompact ? text.slice(indent) : text));
        isOpen = this.endsOpen(slot.value);
        return;
      }
      const entry = node.entries[old]!;
      const gap = this.gap(node, last, old, isFirst, isOpen);
      const lead = this.text.slice(chunks[old]!.start, entry.from);
      if (old === 0 && !isFirst) {
        this.put(!isOpen && this.isBlankBetween(node, 0) ? this.manner.end : '');
        this.put(isCompact ? margin : '');
      }
      const hasComments = gap.length > 0 || lead.includes('#');
      if (isFirst && old > 0 && isCompact) {
        this.put(hasComments ? this.manner.end : '');
      }
      gap.forEach(([from, to]) => this.keep(from, to));
      if (!(isFirst && old > 0 && isCompact && !hasComments)) {
        this.keep(chunks[old]!.start, entry.from);
      }
      this.body(entry, slot, chunks[old]!.end, pattern, indent);
      last = old;
      isOpen = this.endsOpen(slot.value);
    });
    this.gap(node, last, node.entries.length, slots.length === 0, isOpen).forEach(([from, to]) => this.keep(from, to));
  }

  /** Whether a blank line below a value would be a part of it: of a text with `|+`. */
  private endsOpen(value: Node | New): boolean {
    if (value instanceof New) {
      const held = value.data;
      const inner = typeof held === 'object' && held !== null ? Object.values(held).at(-1) : undefined;
      return inner === undefined ? typeof held === 'string' && /^\n$|\n\n$/.test(held) : this.endsOpen(new New(inner as Json));
    }
    if (isCollection(value)) {
      const slots = this.slots.get(value);
      const last = slots === undefined ? value.entries.at(-1)?.value : slots.at(-1)?.value;
      return !value.flow && last !== undefined && this.endsOpen(last);
    }
    const isBlockText = value.style === 'literal' || value.style === 'folded';
    return isBlockText && this.text.slice(value.from, lineStop(this.text, value.from)).includes('+');
  }

  /** The first line from there on that is not blank. */
  private afterBlank(from: number, to: number): number {
    let at = from;
    while (at < to && this.text.slice(at, nextLine(this.text, at)).trim() === '') {
      at = nextLine(this.text, at);
    }
    return Math.min(at, to);
  }

  /** The lines between two old entries that stay, or before the end, as far as they stay, too. */
  private gap(node: Collection, last: number, next: number, isFirst: boolean, isOpen: boolean): [number, number][] {
    const chunks = chunksOf(this.tree, node);
    const found: [number, number][] = [];
    for (let n = Math.max(last + 1, 1); n <= next && n < chunks.length; n += 1) {
      found.push([chunks[n - 1]!.end, chunks[n]!.start]);
    }
    const isBlank = ([from, to]: [number, number]): boolean => this.text.slice(from, to).trim() === '';
    const end = chunks.at(-1)!.end;
    const after = next < chunks.length ? found.at(-1) : undefined;
    const blankAfter =
      after === undefined
        ? next >= chunks.length && this.text.slice(end, nextLine(this.text, end)).trim() === ''
        : after[0] < after[1];
    const kept = found.filter(
      (gap) => gap[0] < gap[1] && (!isBlank(gap) || (!isFirst && !isOpen && (gap === after || !blankAfter))),
    );
    return kept.map(([from, to], n) => [isOpen && n === 0 ? this.afterBlank(from, to) : from, to]);
  }

  private isBlankBetween(node: Collection, near: number): boolean {
    const chunks = chunksOf(this.tree, node);
    const before = near + 1 < chunks.length ? near : near - 1;
    return before >= 0 && /^[ \t]*\r?\n/.test(this.text.slice(chunks[before]!.end, chunks[before + 1]!.start));
  }

  /** A new entry, or one from elsewhere, on lines of its own, all of them indented. */
  private newEntry(node: Collection, slot: Slot, pattern: string, indent: number): void {
    const margin = ' '.repeat(indent);
    if (slot.old !== null) {
      const entry = node.entries[slot.old]!;
      const chunk = chunksOf(this.tree, node)[slot.old]!;
      if (beginsLine(this.text, entry.from)) {
        this.keep(chunk.start, entry.from);
      } else {
        this.put(margin);
      }
      this.body(entry, slot, chunk.end, pattern, indent);
      return;
    }
    const head = slot.key === null ? '-' : `${this.manner.key(slot.key, false)}:`;
    this.put(margin + this.manner.entry(head, (slot.value as New).data, slot.key ?? `${pattern}[]`, indent));
  }

  /** From the key, or the dash, to the end of what belongs to an entry. */
  private body(entry: Entry, slot: Slot, end: number, pattern: string, indent: number): void {
    const inner = slot.key ?? `${pattern}[]`;
    const from = this.keyOf(entry, slot, false);
    const value = this.filled(slot.value);
    if (value instanceof New) {
      this.replace(entry, from, value.data, end, inner, indent);
      return;
    }
    const [start, stop] = region(this.tree, value);
    this.keep(from, start);
    this.value(value, inner);
    this.keep(stop, end);
  }

  private keyOf(entry: Entry, slot: Slot, inBrackets: boolean): number {
    if (!slot.isRenamed || entry.key === null) {
      return entry.from;
    }
    this.put(this.manner.key(slot.key!, inBrackets, entry.key.style));
    return entry.key.to;
  }

  /** What was emptied, or was empty and is not, is written anew. */
  private filled(value: Node | New): Node | New {
    if (value instanceof New || !isCollection(value)) {
      return value;
    }
    const slots = this.slots.get(value);
    if (slots === undefined || (slots.length > 0 && value.entries.length > 0)) {
      return value;
    }
    const data = slots.map((slot) => [slot.key, (slot.value as New).data] as const);
    return new New(
      value.kind === 'list'
        ? data.map(([, item]) => item)
        : Object.fromEntries(data.map(([key, item]) => [String(key), item])),
    );
  }

  private replace(entry: Entry, from: number, data: Json, end: number, pattern: string, indent: number): void {
    const { text } = this;
    const { mark, value } = entry;
    const [start, stop] = region(this.tree, value);
    const isBlockText = !isCollection(value) && (value.style === 'literal' || value.style === 'folded');
    const isBlock = isBlockText || (isCollection(value) && !value.flow);
    const like = isCollection(value) || value.value === null ? undefined : value.style;
    if (isBlockText && typeof data === 'string' && canBeBlock(data) && !this.careful) {
      const header = text.slice(start, lineStop(text, start));
      const note = /[ \t]+#.*$/.exec(header)?.[0] ?? '';
      const content = /\n( *)[^ \r\n]/.exec(text.slice(start, stop))?.[1];
      const margin = /\d/.test(header.replace(note, '')) ? undefined : content;
      this.keep(from, start);
      this.put(blockText(data, value.style, margin || ' '.repeat(indent + 2), indent, note, this.manner.end));
      this.keep(stop, end);
      return;
    }
    const hasOwnLines = typeof data === 'string' && data.includes('\n') && like === 'double' && String(value.kind === 'scalar' && value.value).includes('\n');
    const style = like === 'double' && typeof data === 'string' && data.includes('\n') && !hasOwnLines ? 'plain' : like;
    const isMultiline = typeof data === 'string' && data.includes('\n') && canBeBlock(data) && style !== 'double';
    const isInline = this.manner.isInline(data, pattern) && (this.careful || !isMultiline);
    if (isInline && !isBlock) {
      this.keep(from, value.from);
      this.put(value.from === mark ? ' ' : '');
      this.put(this.manner.brief(data, pattern, indent, style));
      this.keep(Math.max(value.to, mark), end);
      return;
    }
    const head = isBlockText
      ? text.slice(start, lineStop(text, start))
      : isBlock
        ? text.slice(mark, Math.min(start, lineStop(text, mark)))
        : text.slice(Math.max(value.to, mark), lineStop(text, Math.max(value.to, mark)));
    const note = /(?:^|[ \t]+)#.*$/.exec(head)?.[0] ?? '';
    const dash = entry.key === null ? '-' : '';
    const block = isBlockText || (isCollection(value) && value.flow) ? undefined : style;
    const written = this.manner.entry(dash, data, pattern, indent, note && !/^\s/.test(note) ? ` ${note}` : note, block);
    this.keep(from, mark);
    this.put(written.slice(dash.length));
    this.keep(isBlock ? stop : nextLine(text, Math.max(value.to, mark)), end);
  }

  // entries in brackets

  private inBrackets(node: Collection, pattern: string): void {
    const { text } = this;
    const slots = this.slotsOf(node);
    const parts = flowParts(this.tree, node);
    const lines = /^[ \t]*/.exec(text.slice(lineStart(text, node.from)))![0];
    const layout = this.layout(node, parts, pattern, lines);
    const isTrailing = !this.tree.json && (parts.at(-1)?.comma ?? -1) >= 0;
    let inComment = false;
    const keep = (from: number, to: number): void => {
      const slice = text.slice(from, to);
      if (inComment && slice.trim() !== '' && !/^[ \t]*\r?\n/.test(slice)) {
        this.put(this.manner.end + layout.indent);
      }
      this.keep(from, to);
      if (slice !== '') {
        inComment = !this.tree.json && /(?:^|\s)#[^\n]*$/.test(slice) ? true : inComment && !slice.includes('\n');
      }
    };
    const put = (string: string): void => {
      if (inComment && string !== '' && !/^[ \t]*\r?\n/.test(string)) {
        this.put(this.manner.end + layout.indent);
      }
      this.put(string);
      inComment &&= string === '';
    };
    this.keep(node.from, node.from + 1);
    slots.forEach((slot, n) => {
      const isFirst = n === 0;
      const isLast = n === slots.length - 1;
      const entry = slot.old === null ? null : node.entries[slot.old]!;
      const part = slot.old === null ? null : parts[slot.old]!;
      const lead = part === null ? '' : text.slice(part.start, entry!.from);
      const isHere = part !== null && !slot.isMoved && ((slot.old === 0) === isFirst || lead.trim() !== '');
      if (isHere) {
        keep(part.start, entry!.from);
      } else {
        put(isFirst ? layout.first : layout.next);
      }
      const inner = slot.key ?? `${pattern}[]`;
      const write = (): void => this.flowEntry(entry, slot, inner, layout.indent);
      if (slot.isMoved) {
        put(this.written(write));
      } else {
        put(inComment ? '' : '');
        write();
        inComment = false;
      }
      const hasComma = !isLast || isTrailing;
      if (part === null || slot.isMoved) {
        this.put(hasComma ? ',' : '');
      } else if (part.comma < 0) {
        this.put(hasComma ? ',' : '');
        keep(part.stop, part.end);
      } else {
        keep(part.stop, part.comma);
        if (hasComma) {
          keep(part.comma, part.comma + 1);
        }
        keep(part.comma + 1, part.end);
      }
    });
    const end = parts.at(-1)?.end ?? node.from + 1;
    if (slots.length === 0 && text.slice(end, node.to - 1).trim() === '') {
      this.put(inComment ? this.manner.end : '');
    } else if (parts.length === 0) {
      put(layout.last);
    } else {
      keep(end, node.to - 1);
      this.put(inComment ? this.manner.end + lines : '');
    }
    this.keep(node.to - 1, node.to);
  }

  /** What stands before an entry in brackets, and before the closing one. */
  private layout(
    node: Collection,
    parts: readonly FlowPart[],
    pattern: string,
    outer: string,
  ): { first: string; next: string; last: string; indent: string } {
    const { end } = this.manner;
    const leads = parts.map((part, n) => this.text.slice(part.start, node.entries[n]!.from));
    const lined = leads.find((lead) => lead.includes('\n'));
    if (lined !== undefined || (parts.length === 0 && this.manner.hasLines(pattern))) {
      const indent = lined === undefined ? outer + this.manner.indent : lined.slice(lined.lastIndexOf('\n') + 1);
      const isFirst = leads[0] === undefined || leads[0].includes('\n');
      const isNext = leads[1] === undefined ? isFirst : leads[1].includes('\n');
      return {
        first: isFirst ? end + indent : '',
        next: isNext ? end + indent : ' ',
        last: end + outer,
        indent,
      };
    }
    return { first: leads[0] ?? '', next: leads[1] ?? this.manner.comma.slice(1), last: '', indent: outer };
  }

  private flowEntry(entry: Entry | null, slot: Slot, pattern: string, indent: string): void {
    const value = slot.value;
    if (entry === null) {
      const key = slot.key === null ? '' : `${this.manner.key(slot.key, true)}${this.manner.colon}`;
      this.put(key + this.manner.inBrackets((value as New).data, pattern, indent));
      return;
    }
    const from = this.keyOf(entry, slot, true);
    if (!(value instanceof New)) {
      this.keep(from, value.from);
      this.value(value, pattern);
      this.keep(value.to, Math.max(value.to, entry.mark));
      return;
    }
    const old = entry.value;
    this.keep(from, old.from);
    if (old.from === old.to && entry.key !== null) {
      this.put(this.text[entry.mark - 1] === ':' ? ' ' : this.manner.colon);
    }
    const like = isCollection(old) || old.value === null || typeof old.value !== 'string' ? undefined : old.style;
    this.put(this.manner.inBrackets(value.data, pattern, indent, like));
  }
}

function places(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); word !== '' && at >= 0; at = text.indexOf(word, at + 1)) {
    found.push(at);
  }
  return found;
}

/** Pieces of a text in order, and new ones → the splices, as small as they can be. */
function spliced(pieces: readonly Piece[], text: string): Splice[] {
  const found: Splice[] = [];
  let [at, insert] = [0, ''];
  const close = (to: number): void => {
    if (insert !== '' || at < to) {
      found.push(...smallest({ from: at, to, insert }, text));
    }
    insert = '';
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      insert += piece;
    } else {
      close(piece[0]);
      at = piece[1];
    }
  }
  close(text.length);
  return found;
}

function smallest({ from, to, insert }: Splice, text: string): Splice[] {
  const old = text.slice(from, to);
  const most = Math.min(old.length, insert.length);
  let before = 0;
  while (before < most && old[before] === insert[before]) {
    before += 1;
  }
  before -= isInner(old, before) || isInner(insert, before) ? 1 : 0;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === insert.at(-1 - after)) {
    after += 1;
  }
  after -= after > 0 && (isInner(old, old.length - after) || isInner(insert, insert.length - after)) ? 1 : 0;
  const smaller = { from: from + before, to: to - after, insert: insert.slice(before, insert.length - after) };
  return smaller.from === smaller.to && smaller.insert === '' ? [] : [smaller];
}

/** Whether a place is within a character of two halves, or within the end of a line. */
function isInner(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1)) && at > 0;
}
