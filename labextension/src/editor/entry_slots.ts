/** A tree, operations on it → what its mappings and lists are to have: their old entries, and new values. */

import type { Json } from './definition_data';
import { lineStop } from './entry_text_ranges';
import type { Op, Part } from './data_operations';
import { appliedOne } from './data_operations';
import { canBePlain } from './yaml_quoting';
import type { Collection, Node, Scalar, Tree } from './syntax_tree';
import { isCollection } from './syntax_tree';

/** A value that is not written yet. */
export class New {
  constructor(public data: Json) {}
}

export interface Slot {
  /** The place of its entry in the text; null: it is new. */
  old: number | null;
  key: string | null;
  isRenamed: boolean;
  isMoved: boolean;
  value: Node | New;
}

export class Slots {
  /** Of the texts of which only parts are replaced: these. */
  readonly parts = new Map<Scalar, readonly Part[]>();
  private readonly changed = new Map<Collection, Slot[]>();

  constructor(
    private readonly tree: Tree,
    private readonly careful: boolean,
  ) {}

  has(node: Collection): boolean {
    return this.changed.has(node);
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
      here = this.of(here as Collection)[this.find(here as Collection, key)]!.value;
    }
    const key = op.path.at(-1)!;
    if (here instanceof New) {
      here.data = appliedOne(here.data, op, [key]);
      return;
    }
    this.change(here as Collection, key, op, inBrackets || (here as Collection).flow);
  }

  private change(node: Collection, key: string | number, op: Op, inBrackets: boolean): void {
    const slots = this.of(node);
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
        return placesIn(String(old.value), word).length === placesIn(sourceOf(this.tree, old), word).length;
      });
    if (this.parts.has(old) || (old.style === 'plain' && !canBePlain(value, inBrackets)) || !isWritten()) {
      return false;
    }
    this.parts.set(old, parts);
    return true;
  }

  /** The entries of a mapping or a list that is changed. */
  of(node: Collection): Slot[] {
    let found = this.changed.get(node);
    if (found === undefined) {
      found = node.entries.map(({ key, value }, old) => ({
        old,
        key: key === null ? null : String(key.value),
        isRenamed: false,
        isMoved: false,
        value,
      }));
      this.changed.set(node, found);
    }
    return found;
  }

  private find(node: Collection, key: string | number): number {
    const found = node.kind === 'map' ? this.of(node).findIndex((slot) => slot.key === key) : Number(key);
    if (this.of(node)[found] === undefined) {
      throw new RangeError(`there is no ${key}`);
    }
    return found;
  }

  /** What was emptied, or was empty and is not, is written anew. */
  filled(value: Node | New): Node | New {
    if (value instanceof New || !isCollection(value)) {
      return value;
    }
    const slots = this.changed.get(value);
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

  /** Whether a blank line below a value would be a part of it: of a text with `|+`. */
  endsOpen(value: Node | New): boolean {
    if (value instanceof New) {
      const held = value.data;
      const inner = typeof held === 'object' && held !== null ? Object.values(held).at(-1) : undefined;
      const isOpen = typeof held === 'string' && /^\n$|\n\n$/.test(held);
      return inner === undefined ? isOpen : this.endsOpen(new New(inner as Json));
    }
    if (isCollection(value)) {
      const slots = this.changed.get(value);
      const last = slots === undefined ? value.entries.at(-1)?.value : slots.at(-1)?.value;
      return !value.flow && last !== undefined && this.endsOpen(last);
    }
    const isBlockText = value.style === 'literal' || value.style === 'folded';
    return isBlockText && this.tree.text.slice(value.from, lineStop(this.tree.text, value.from)).includes('+');
  }
}

export function sourceOf(tree: Tree, node: Scalar): string {
  return tree.text.slice(node.from, node.to);
}

/** Each place of a word in a text. */
export function placesIn(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); word !== '' && at >= 0; at = text.indexOf(word, at + 1)) {
    found.push(at);
  }
  return found;
}
