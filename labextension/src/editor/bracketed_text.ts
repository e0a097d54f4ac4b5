/** The slots of what stands in brackets → its text: slices of the old one, and new strings. */

import type { FlowPart } from './entry_text_ranges';
import { flowParts, lineStart } from './entry_text_ranges';
import type { Manner } from './writing_style';
import type { Rope } from './text_slices';
import type { Slot, Slots } from './entry_slots';
import { New, placesIn, sourceOf } from './entry_slots';
import type { Collection, Entry, Node, Scalar, Tree } from './syntax_tree';
import { isCollection } from './syntax_tree';

export class FlowDraft {
  constructor(
    private readonly tree: Tree,
    private readonly slots: Slots,
    private readonly manner: Manner,
    private readonly rope: Rope,
  ) {}

  /** Writes a value. */
  value(node: Node, pattern: string): void {
    if (!isCollection(node)) {
      this.scalar(node);
    } else if (this.slots.has(node)) {
      this.collection(node, pattern);
    } else {
      this.rope.keep(node.from, node.to);
    }
  }

  /** Writes a scalar, with the parts of it that are replaced. */
  scalar(node: Scalar): void {
    const parts = this.slots.parts.get(node);
    const value = String(node.value);
    let at = node.from;
    for (const [from, length, insert] of parts ?? []) {
      const word = value.slice(from, from + length);
      const nth = placesIn(value, word).indexOf(from);
      const place = node.from + placesIn(sourceOf(this.tree, node), word)[nth]!;
      this.rope.keep(at, place);
      this.rope.put(
        node.style === 'single'
          ? insert.replaceAll("'", "''")
          : node.style === 'double'
            ? JSON.stringify(insert).slice(1, -1)
            : insert,
      );
      at = place + length;
    }
    this.rope.keep(at, node.to);
  }

  /** Writes a key that is another one; from where on its entry stays. */
  keyOf(entry: Entry, slot: Slot, inBrackets: boolean): number {
    if (!slot.isRenamed || entry.key === null) {
      return entry.from;
    }
    this.rope.put(this.manner.key(slot.key!, inBrackets, entry.key.style));
    return entry.key.to;
  }

  /** Writes a mapping or a list. */
  collection(node: Collection, pattern: string): void {
    const { text } = this.tree;
    const slots = this.slots.of(node);
    const parts = flowParts(this.tree, node);
    const lines = /^[ \t]*/.exec(text.slice(lineStart(text, node.from)))![0];
    const layout = this.layout(node, parts, pattern, lines);
    const isTrailing = !this.tree.json && (parts.at(-1)?.comma ?? -1) >= 0;
    let inComment = false;
    const keep = (from: number, to: number): void => {
      const slice = text.slice(from, to);
      if (inComment && slice.trim() !== '' && !/^[ \t]*\r?\n/.test(slice)) {
        this.rope.put(this.manner.end + layout.indent);
      }
      this.rope.keep(from, to);
      if (slice !== '') {
        inComment = !this.tree.json && /(?:^|\s)#[^\n]*$/.test(slice) ? true : inComment && !slice.includes('\n');
      }
    };
    const put = (string: string): void => {
      if (inComment && string !== '' && !/^[ \t]*\r?\n/.test(string)) {
        this.rope.put(this.manner.end + layout.indent);
      }
      this.rope.put(string);
      inComment &&= string === '';
    };
    this.rope.keep(node.from, node.from + 1);
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
        put(this.rope.written(write));
      } else {
                write();
        inComment = false;
      }
      const hasComma = !isLast || isTrailing;
      if (part === null || slot.isMoved) {
        this.rope.put(hasComma ? ',' : '');
      } else if (part.comma < 0) {
        this.rope.put(hasComma ? ',' : '');
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
      this.rope.put(inComment ? this.manner.end : '');
    } else if (parts.length === 0) {
      put(layout.last);
    } else {
      keep(end, node.to - 1);
      this.rope.put(inComment ? this.manner.end + lines : '');
    }
    this.rope.keep(node.to - 1, node.to);
  }

  /** What stands before an entry in brackets, and before the closing one. */
  private layout(
    node: Collection,
    parts: readonly FlowPart[],
    pattern: string,
    outer: string,
  ): { first: string; next: string; last: string; indent: string } {
    const { end } = this.manner;
    const leads = parts.map((part, n) => this.tree.text.slice(part.start, node.entries[n]!.from));
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
      this.rope.put(key + this.manner.inBrackets((value as New).data, pattern, indent));
      return;
    }
    const from = this.keyOf(entry, slot, true);
    if (!(value instanceof New)) {
      this.rope.keep(from, value.from);
      this.value(value, pattern);
      this.rope.keep(value.to, Math.max(value.to, entry.mark));
      return;
    }
    const old = entry.value;
    this.rope.keep(from, old.from);
    if (old.from === old.to && entry.key !== null) {
      this.rope.put(this.tree.text[entry.mark - 1] === ':' ? ' ' : this.manner.colon);
    }
    const like = isCollection(old) || old.value === null || typeof old.value !== 'string' ? undefined : old.style;
    this.rope.put(this.manner.inBrackets(value.data, pattern, indent, like));
  }
}
