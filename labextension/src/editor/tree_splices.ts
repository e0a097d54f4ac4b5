/** A tree, operations on it → the splices of its text. What no operation concerns stays as it is written.
 *
 * Each mapping or list that is changed gets slots: its old entries, and new values. The text is put together again from
 * slices of the old one and new strings, in order; what is not a slice of the old one is a splice.
 */

import type { Json } from './definition_data';
import type { Splice } from './text_slices';
import { beginsLine, extentsOf, column, lineStop, nextLine, region } from './entry_text_ranges';
import { FlowDraft } from './bracketed_text';
import { Manner } from './writing_style';
import type { Op } from './data_operations';
import { Rope } from './text_slices';
import { blockText, canBeBlock } from './yaml_quoting';
import type { Slot } from './entry_slots';
import { New, Slots } from './entry_slots';
import type { Collection, Entry, Node, Tree } from './syntax_tree';
import { isCollection } from './syntax_tree';

export class Draft {
  private readonly slots: Slots;
  private readonly manner: Manner;
  private readonly rope: Rope;
  private readonly flow: FlowDraft;

  /** `careful`: every new text is in double quotes. */
  constructor(
    private readonly tree: Tree,
    private readonly careful: boolean,
  ) {
    this.slots = new Slots(tree, careful);
    this.manner = new Manner(tree, careful);
    this.rope = new Rope(tree.text);
    this.flow = new FlowDraft(tree, this.slots, this.manner, this.rope);
  }

  /** Does an operation. */
  apply(op: Op): void {
    if (op.op !== 'remove' && 'as' in op && op.as !== undefined) {
      this.manner.spellings.set(Number(op.as), op.as);
    }
    this.slots.apply(op);
  }

  /** What becomes of the text. Asked once. */
  splices(): Splice[] {
    const [from, to] = region(this.tree, this.tree.root);
    this.rope.keep(0, from);
    this.value(this.tree.root, '');
    const end = this.tree.text.length;
    this.rope.keep(this.slots.endsOpen(this.tree.root) ? this.afterBlank(to, end) : to, end);
    return this.rope.splices();
  }

  private value(node: Node, pattern: string): void {
    if (!isCollection(node) || node.flow) {
      this.flow.value(node, pattern);
    } else if (this.slots.has(node)) {
      this.block(node, pattern);
    } else {
      this.rope.keep(...region(this.tree, node));
    }
  }

  private block(node: Collection, pattern: string): void {
    const slots = this.slots.of(node);
    const extents = extentsOf(this.tree, node);
    const first = node.entries[0]!;
    const indent = column(this.tree, first.from);
    const isCompact = !beginsLine(this.tree.text, first.from);
    const margin = ' '.repeat(indent);
    let last = -1;
    let isOpen = false;
    if (slots.length === 0) {
      this.rope.put(`{}${this.manner.end}`); // of all that is emptied only the whole text is written here
    }
    slots.forEach((slot, n) => {
      const isFirst = n === 0;
      const old = slot.isMoved ? null : slot.old;
      if (old === null) {
        const near = last < 0 ? 0 : last;
        const hasBlank = !isFirst && !isOpen && this.isBlankBetween(node, near);
        const text = this.rope.written(() => this.newEntry(node, slot, pattern, indent));
        this.rope.put((hasBlank ? this.manner.end : '') + (isFirst && isCompact ? text.slice(indent) : text));
        isOpen = this.slots.endsOpen(slot.value);
        return;
      }
      const entry = node.entries[old]!;
      const gap = this.gap(node, last, old, isFirst, isOpen);
      const lead = this.tree.text.slice(extents[old]!.start, entry.from);
      if (old === 0 && !isFirst) {
        this.rope.put(!isOpen && this.isBlankBetween(node, 0) ? this.manner.end : '');
        this.rope.put(isCompact ? margin : '');
      }
      const hasComments = gap.length > 0 || lead.includes('#');
      if (isFirst && old > 0 && isCompact) {
        this.rope.put(hasComments ? this.manner.end : '');
      }
      gap.forEach(([from, to]) => this.rope.keep(from, to));
      if (!(isFirst && old > 0 && isCompact && !hasComments)) {
        this.rope.keep(extents[old]!.start, entry.from);
      }
      this.body(entry, slot, extents[old]!.end, pattern, indent);
      last = old;
      isOpen = this.slots.endsOpen(slot.value);
    });
    this.gap(node, last, node.entries.length, slots.length === 0, isOpen).forEach(([from, to]) => this.rope.keep(from, to));
  }

  /** The first line from there on that is not blank. */
  private afterBlank(from: number, to: number): number {
    let at = from;
    while (at < to && this.tree.text.slice(at, nextLine(this.tree.text, at)).trim() === '') {
      at = nextLine(this.tree.text, at);
    }
    return Math.min(at, to);
  }

  /** The lines between two old entries that stay, or before the end, as far as they stay, too. */
  private gap(node: Collection, last: number, next: number, isFirst: boolean, isOpen: boolean): [number, number][] {
    const extents = extentsOf(this.tree, node);
    const found: [number, number][] = [];
    for (let n = Math.max(last + 1, 1); n <= next && n < extents.length; n += 1) {
      found.push([extents[n - 1]!.end, extents[n]!.start]);
    }
    const isBlank = ([from, to]: [number, number]): boolean => this.tree.text.slice(from, to).trim() === '';
    const end = extents.at(-1)!.end;
    const after = next < extents.length ? found.at(-1) : undefined;
    const blankAfter =
      after === undefined
        ? next >= extents.length && this.tree.text.slice(end, nextLine(this.tree.text, end)).trim() === ''
        : after[0] < after[1];
    const kept = found.filter(
      (gap) => gap[0] < gap[1] && (!isBlank(gap) || (!isFirst && !isOpen && (gap === after || !blankAfter))),
    );
    return kept.map(([from, to], n) => [isOpen && n === 0 ? this.afterBlank(from, to) : from, to]);
  }

  private isBlankBetween(node: Collection, near: number): boolean {
    const extents = extentsOf(this.tree, node);
    const before = near + 1 < extents.length ? near : near - 1;
    return before >= 0 && /^[ \t]*\r?\n/.test(this.tree.text.slice(extents[before]!.end, extents[before + 1]!.start));
  }

  /** A new entry, or one from elsewhere, on lines of its own, all of them indented. */
  private newEntry(node: Collection, slot: Slot, pattern: string, indent: number): void {
    const margin = ' '.repeat(indent);
    if (slot.old !== null) {
      const entry = node.entries[slot.old]!;
      const extent = extentsOf(this.tree, node)[slot.old]!;
      if (beginsLine(this.tree.text, entry.from)) {
        this.rope.keep(extent.start, entry.from);
      } else {
        this.rope.put(margin);
      }
      this.body(entry, slot, extent.end, pattern, indent);
      return;
    }
    const head = slot.key === null ? '-' : `${this.manner.key(slot.key, false)}:`;
    this.rope.put(margin + this.manner.entry(head, (slot.value as New).data, slot.key ?? `${pattern}[]`, indent));
  }

  /** From the key, or the dash, to the end of what belongs to an entry. */
  private body(entry: Entry, slot: Slot, end: number, pattern: string, indent: number): void {
    const inner = slot.key ?? `${pattern}[]`;
    const from = this.flow.keyOf(entry, slot, false);
    const value = this.slots.filled(slot.value);
    if (value instanceof New) {
      this.replace(entry, from, value.data, end, inner, indent);
      return;
    }
    const [start, stop] = region(this.tree, value);
    this.rope.keep(from, start);
    this.value(value, inner);
    this.rope.keep(stop, end);
  }

  private replace(entry: Entry, from: number, data: Json, end: number, pattern: string, indent: number): void {
    const { text } = this.tree;
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
      this.rope.keep(from, start);
      this.rope.put(blockText(data, value.style, margin || ' '.repeat(indent + 2), indent, note, this.manner.end));
      this.rope.keep(stop, end);
      return;
    }
    const isLong = typeof data === 'string' && data.includes('\n');
    const wasLong = value.kind === 'scalar' && String(value.value).includes('\n');
    const style = like === 'double' && isLong && !wasLong ? 'plain' : like;
    const isMultiline = isLong && canBeBlock(data) && style !== 'double';
    const isInline = this.manner.isInline(data, pattern) && (this.careful || !isMultiline);
    if (isInline && !isBlock) {
      this.rope.keep(from, value.from);
      this.rope.put(value.from === mark ? ' ' : '');
      this.rope.put(this.manner.brief(data, pattern, indent, style));
      this.rope.keep(Math.max(value.to, mark), end);
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
    this.rope.keep(from, mark);
    this.rope.put(written.slice(dash.length));
    this.rope.keep(isBlock ? stop : nextLine(text, Math.max(value.to, mark)), end);
  }
}
