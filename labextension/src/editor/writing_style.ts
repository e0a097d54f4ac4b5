/** A tree → how its text is written: what a new value beside the others looks like. */

import type { Json } from './definition_data';
import { column } from './entry_text_ranges';
import type { Collection, Node, Style, Tree } from './syntax_tree';
import { isCollection } from './syntax_tree';
import { blockText, canBeBlock, doubleQuoted, scalarText } from './yaml_quoting';

interface Tally {
  block: number;
  inline: number;
  lines: number;
  plain: number;
  single: number;
  double: number;
}

/** Values that are written in brackets where a text has none such yet. */
const BRIEF = new Set(['needs', 'condition']);
/** Characters of a value in brackets, where nothing is known. */
const MAX_LENGTH = 80;

export class Manner {
  readonly end: string;
  /** What a value within another one is indented by. */
  readonly indent: string;
  /** What stands between a key in brackets and its value. */
  readonly colon: string;
  private readonly listIndent: number;
  readonly comma: string;
  private readonly padding: string;
  private readonly keys: Style;
  private readonly tallies = new Map<string, Tally>();
  private readonly all = tally();
  private readonly keyTally = tally();
  private readonly indents: number[] = [];
  private readonly listIndents: number[] = [];
  /** How new numbers are written, where that is another way than the usual. */
  readonly spellings = new Map<number, string>();

  /** `careful`: every new text is in double quotes, which hold anything. */
  constructor(
    private readonly tree: Tree,
    private readonly careful = false,
  ) {
    const { text } = tree;
    this.end = /\r?\n/.exec(text)?.[0] ?? '\n';
    this.count(tree.root, '', 0);
    const lead = /\{[ \t]*\r?\n([ \t]*)/.exec(text.slice(tree.root.from))?.[1];
    this.indent = tree.root.flow ? (lead ?? '') || '  ' : ' '.repeat(most(this.indents) ?? 2);
    this.listIndent = most(this.listIndents) ?? this.indent.length;
    const quoted = /["']\s*:(\s?)/.exec(text);
    this.colon = tree.json && quoted?.[1] === '' ? ':' : ': ';
    this.comma = tree.json && this.colon === ':' ? ',' : ', ';
    this.padding = !tree.json && /\{ +[^ }]/.test(text) && !/\{[^ }\r\n]/.test(text) ? ' ' : '';
    this.keys = this.keyTally.double > this.keyTally.plain ? 'double' : 'plain';
  }

  /** The text of a key, as the old one was written. */
  key(name: string, inBrackets: boolean, like: Style = this.keys): string {
    return this.tree.json ? JSON.stringify(name) : scalarText(name, inBrackets, like);
  }

  /** A scalar in one line. */
  scalar(value: Json, pattern: string, inBrackets: boolean, like?: Style): string {
    if (this.tree.json || typeof value !== 'string') {
      return this.spellings.get(value as number) ?? JSON.stringify(value);
    }
    if (this.careful) {
      return doubleQuoted(value);
    }
    const written = scalarText(value, inBrackets, like ?? this.quotes(pattern));
    const wantsDouble = written.startsWith("'") && like !== 'single' && this.all.double > this.all.single;
    return wantsDouble ? doubleQuoted(value) : written;
  }

  /** In brackets; `indent` is that of the line on which it begins. */
  inBrackets(value: Json, pattern: string, indent: string, like?: Style): string {
    if (typeof value !== 'object' || value === null) {
      return this.scalar(value, pattern, true, like);
    }
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const inner = indent + this.indent;
    const parts = Array.isArray(value)
      ? value.map((item) => this.inBrackets(item, `${pattern}[]`, inner))
      : Object.entries(value).map(
          ([key, item]) => `${this.key(key, true)}${this.colon}${this.inBrackets(item, key, inner)}`,
        );
    if (parts.length === 0) {
      return `${open}${close}`;
    }
    if (this.hasLines(pattern)) {
      return `${open}${this.end}${inner}${parts.join(`,${this.end}${inner}`)}${this.end}${indent}${close}`;
    }
    const padding = open === '{' ? this.padding : '';
    return `${open}${padding}${parts.join(this.comma)}${padding}${close}`;
  }

  /** An entry on lines of its own, all but the first of them indented. `head` is a key with its colon, or a dash. */
  entry(head: string, value: Json, pattern: string, indent: number, note = '', like?: Style): string {
    const text = this.multiline(value, indent, note, like);
    if (text !== null) {
      return `${head} ${text}`;
    }
    if (this.isInline(value, pattern)) {
      return `${head} ${this.brief(value, pattern, indent, like)}${note}${this.end}`;
    }
    const step = head === '-' ? 2 : Array.isArray(value) ? this.listIndent : this.indent.length;
    const lines = this.lines(value, pattern, indent + step);
    return head === '-' && note === '' ? `- ${lines.slice(indent + step)}` : `${head}${note}${this.end}${lines}`;
  }

  /** Whether a value stands in the line of its key. */
  isInline(value: Json, pattern: string): boolean {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
      return true;
    }
    const found = this.tallies.get(pattern);
    const isBrief = found === undefined || found.block + found.inline === 0 ? BRIEF.has(pattern) : found.inline > found.block;
    return isBrief && !hasLines(value) && this.inBrackets(value, pattern, '').length <= (found ? 3 : 1) * MAX_LENGTH;
  }

  brief(value: Json, pattern: string, indent: number, like?: Style): string {
    return typeof value === 'object' && value !== null
      ? this.inBrackets(value, pattern, ' '.repeat(indent))
      : this.scalar(value, pattern, false, like);
  }

  /** A text of several lines below its key; null: it is none. */
  private multiline(value: Json, indent: number, note: string, like?: Style): string | null {
    const isText = typeof value === 'string' && value.includes('\n') && canBeBlock(value);
    if (!isText || this.careful || like === 'double' || this.tree.json) {
      return null;
    }
    return blockText(value, 'literal', ' '.repeat(indent + this.indent.length), indent, note, this.end);
  }

  private lines(value: Json, pattern: string, indent: number): string {
    const before = ' '.repeat(indent);
    const entries = Array.isArray(value)
      ? value.map((item) => this.entry('-', item, `${pattern}[]`, indent))
      : Object.entries(value as object).map(([key, item]) =>
          this.entry(`${this.key(key, false)}:`, item as Json, key, indent),
        );
    return entries.map((entry) => before + entry).join('');
  }

  /** Whether a value in brackets is spread over lines. */
  hasLines(pattern: string): boolean {
    const found = this.tallies.get(pattern);
    const known = found !== undefined && found.inline > 0 ? found : this.all;
    return this.tree.json && known.lines * 2 > known.inline;
  }

  private quotes(pattern: string): Style {
    const own = this.tallies.get(pattern);
    const found = own !== undefined && own.plain + own.single + own.double > 0 ? own : this.all;
    const isAll = found === own || found.double > 2;
    return isAll && found.double > found.plain + found.single
      ? 'double'
      : isAll && found.single > found.plain + found.double
        ? 'single'
        : 'plain';
  }

  private count(node: Node, pattern: string, indent: number): void {
    let found = this.tallies.get(pattern);
    if (found === undefined) {
      found = tally();
      this.tallies.set(pattern, found);
    }
    for (const each of [found, this.all]) {
      add(each, node, this.tree.text);
    }
    if (!isCollection(node)) {
      return;
    }
    const own = node.flow || node.entries.length === 0 ? indent : column(this.tree, node.entries[0]!.from);
    if (!node.flow && node !== this.tree.root && own >= indent) {
      (node.kind === 'map' ? this.indents : this.listIndents).push(own - indent);
    }
    for (const { key, value } of node.entries) {
      if (key !== null) {
        add(this.keyTally, key, this.tree.text);
      }
      this.count(value, key === null ? `${pattern}[]` : String(key.value), own);
    }
  }
}

function tally(): Tally {
  return { block: 0, inline: 0, lines: 0, plain: 0, single: 0, double: 0 };
}

function add(found: Tally, node: Node, text: string): void {
  if (isCollection(node)) {
    if (node.entries.length > 0) {
      found[node.flow ? 'inline' : 'block'] += 1;
      found.lines += node.flow && opensLine(node, text) ? 1 : 0;
    }
  } else if (typeof node.value === 'string' && (node.style === 'plain' || node.style === 'single' || node.style === 'double')) {
    found[node.style] += 1;
  }
}

function opensLine(node: Collection, text: string): boolean {
  return text.slice(node.from, node.entries[0]!.from).includes('\n');
}

function most(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) {
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}

function hasLines(value: Json): boolean {
  if (typeof value === 'string') {
    return value.includes('\n');
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLines);
}

