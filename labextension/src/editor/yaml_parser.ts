/** A text in YAML → its tree, as wfnb's own reader reads it: plain words by the core schema of YAML 1.2, and neither
 * aliases, tags nor a key twice. What the two readers could take for something else is refused. */

import type { ErrorCode, ParsedNode } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq, Lexer, parseDocument } from 'yaml';
import type { Entry, Node, Plain, Scalar, Style, Tree } from './syntax_tree';
import { checkKey, DEEPEST, exactNumber, Mistake, quoted, tooDeep, wholeText } from './syntax_tree';

const BOOLEAN = /^(?:true|True|TRUE|false|False|FALSE)$/;
const NULL = /^(?:~|null|Null|NULL|)$/;
const WHOLE = /^[-+]?[0-9]+$/;
const OTHER_BASE = /^0o[0-7]+$|^0x[0-9a-fA-F]+$/;
const FRACTION = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** An escape, but for that of the end of a line which a blank line follows: readers take that for other things. */
const ESCAPE = /\\(?!\r?\n[ \t]*\r?\n)[^]/g;
const STYLES: Record<string, Style> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** Characters that a reader of YAML 1.1 takes for the end of a line, or refuses. */
// eslint-disable-next-line no-control-regex
const FOREIGN = /\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

const SAID: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'an escape in it is unknown: write the backslash twice',
  BAD_INDENT: 'its indent does not fit the lines above it',
  BAD_SCALAR_START: 'no value can begin with this sign: write it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second key cannot stand in this line: write a value with ": " in quotes',
  BLOCK_IN_FLOW: 'what is in brackets has to be in brackets itself',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MULTILINE_IMPLICIT_KEY: "it is no key: the ':' is missing, or the line is not indented as it should be",
  MULTIPLE_DOCS: 'a second document begins here (---); a file has one',
  TAB_AS_INDENT: 'a tab cannot indent a line: use spaces',
  DUPLICATE_KEY: 'a key is there twice',
};

/** Throws Mistake. */
export function yamlTree(text: string): Tree {
  const foreign = FOREIGN.exec(text);
  if (foreign !== null) {
    const number = foreign[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    throw new Mistake(`the character U+${number} cannot stand here: write it as an escape in double quotes`, foreign.index);
  }
  checkTabs(text);
  const root = composed(text);
  if (root === null) {
    throw new Mistake('it is empty, or has nothing but comments', 0);
  }
  const node = treeOf(root, text, 1);
  if (node.kind !== 'map') {
    const what = node.kind === 'list' ? 'a list' : 'only a word';
    throw new Mistake(`a workflow is a mapping that has \`states\` or \`steps\`; this is ${what}`, node.from);
  }
  return { text, root: node, json: false };
}

function composed(text: string): ParsedNode | null {
  let document;
  try {
    document = parseDocument(text, { version: '1.2', keepSourceTokens: true, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Mistake('it is nested too deep', 0);
    }
    throw error;
  }
  const wrong = document.errors[0];
  if (wrong !== undefined) {
    const said = SAID[wrong.code] ?? `${wrong.message[0]!.toLowerCase()}${wrong.message.slice(1)}`;
    throw new Mistake(said.replace(/\s+/g, ' ').slice(0, 200), wrong.pos[0]);
  }
  const root = document.contents;
  const before = text.slice(0, root?.range[0] ?? text.length);
  const directive = /^%.*$/m.exec(before);
  if (directive !== null) {
    throw new Mistake(`${quoted(directive[0])} is not read here: leave it out`, directive.index);
  }
  const rest = /^\.\.\.(?=\s|$)/m.exec(text.slice(root?.range[1] ?? 0));
  if (rest !== null && /^[ \t]*[^#\s]/m.test(rest.input.slice(rest.index + 3))) {
    throw new Mistake('there is more after the end of the document (...)', (root?.range[1] ?? 0) + rest.index);
  }
  const isEmpty = isScalar(root) && root.range[0] === root.range[1] && root.source === '';
  return isEmpty ? null : root;
}

/** A tab between words is read by YAML 1.2, and not by the reader that runs a workflow. */
function checkTabs(text: string): void {
  if (!text.includes('\t')) {
    return;
  }
  let at = 0;
  let isPlain = false;
  for (const part of new Lexer().lex(text)) {
    const isSign = part === '\x02' || part === '\x18' || part === '\x1f';
    const isWord = isPlain && !/^['"]/.test(part) && !part.includes('\n');
    if (!isSign && part.includes('\t') && (isWord || /^[ \t]+$/.test(part))) {
      throw new Mistake('a tab cannot stand here: use spaces, or write the text in quotes', at + part.indexOf('\t'));
    }
    at += isSign ? 0 : part.length;
    isPlain = part === '\x1f';
  }
}

function treeOf(node: ParsedNode, text: string, depth: number, inBrackets = false): Node {
  const from = node.range[0];
  if (isAlias(node)) {
    throw new Mistake('it uses an alias (*name); write out what it stands for', from);
  }
  if (node.anchor !== undefined) {
    throw new Mistake(`it has an anchor (&${node.anchor}); leave it out`, from);
  }
  if (node.tag !== undefined) {
    throw new Mistake(`it has a tag (${node.tag.slice(0, 60)}); leave it out`, from);
  }
  if (isScalar(node)) {
    return scalarOf(node, text, inBrackets);
  }
  if (depth > DEEPEST) {
    throw tooDeep(from);
  }
  if (node.srcToken === undefined) {
    throw new Mistake('a mapping in a list in brackets needs braces of its own', from);
  }
  const flow = node.flow === true;
  const within = inBrackets || flow;
  const entries: Entry[] = [];
  if (isSeq(node)) {
    const source = node.srcToken as unknown as { items: { start: { type: string; offset: number }[] }[] };
    node.items.forEach((item, n) => {
      const value = treeOf(item as ParsedNode, text, depth + 1, within);
      const dash = source.items[n]?.start.find((token) => token.type === 'seq-item-ind');
      const start = flow || dash === undefined ? value.from : dash.offset;
      entries.push(entry(null, start, flow ? start : start + 1, value));
    });
  } else if (isMap(node)) {
    const source = node.srcToken as unknown as { items: { start: { type: string; offset: number }[] }[] };
    const sign = source.items.flatMap((item) => item.start).find((token) => token.type === 'explicit-key-ind');
    if (sign !== undefined) {
      throw new Mistake('a key is written without a "?" before it here', sign.offset);
    }
    const keys = new Set<string>();
    for (const pair of node.items) {
      const key = keyOf(pair.key as ParsedNode, text, within);
      checkKey(key.value as string, key.from, keys);
      const value = pair.value as ParsedNode | null;
      const colon = colonAfter(key.to, text);
      const mark = colon ?? key.to;
      const empty: Node = { kind: 'scalar', from: mark, to: mark, value: null, style: 'plain' };
      entries.push(entry(key, key.from, mark, value === null ? empty : treeOf(value, text, depth + 1, within)));
    }
  }
  return { kind: isMap(node) ? 'map' : 'list', from, to: node.range[1], flow, entries };
}

function entry(key: Scalar | null, from: number, mark: number, value: Node): Entry {
  if (value.kind === 'scalar' && value.from === value.to) {
    value.from = value.to = mark;
  }
  return { key, from, mark, value };
}

/** The place after the colon that follows a key. */
function colonAfter(at: number, text: string): number | undefined {
  const found = /[ \r\n]*:/y;
  found.lastIndex = at;
  return found.test(text) ? found.lastIndex : undefined;
}

function keyOf(node: ParsedNode, text: string, inBrackets: boolean): Scalar {
  const key = treeOf(node, text, 1, inBrackets);
  if (key.kind !== 'scalar' || key.to === key.from) {
    throw new Mistake('a key is a word of its own, with a ":" after it', key.from);
  }
  if (typeof key.value !== 'string') {
    const written = text.slice(key.from, key.to);
    throw new Mistake(`the key ${written.slice(0, 80)} is no text: write it in quotes`, key.from);
  }
  if (text.slice(key.from, colonAfter(key.to, text) ?? key.to).includes('\n')) {
    throw new Mistake(SAID.MULTILINE_IMPLICIT_KEY!, key.from);
  }
  return key;
}

function scalarOf(node: ParsedNode, text: string, inBrackets: boolean): Scalar {
  if (!isScalar(node)) {
    throw new Mistake('a key is a word of its own', isPair(node) ? 0 : node.range[0]);
  }
  const [from, to] = node.range;
  const style = STYLES[node.type ?? 'PLAIN'] ?? 'plain';
  const source = node.source ?? '';
  if (style === 'plain') {
    if (text.slice(from, to).includes('\t')) {
      throw new Mistake('a tab cannot stand here: use spaces, or write the text in quotes', from);
    }
    if (inBrackets && /^:|\?/.test(source)) {
      throw new Mistake(`in brackets a word with "?", or with ":" at its beginning, has to be in quotes`, from);
    }
    return { kind: 'scalar', from, to, value: word(source, from), style };
  }
  const written = text.slice(from, to);
  if (style === 'double' && /\\u[dD][89a-fA-F]|\\U0000[dD][89a-fA-F]/.test(written)) {
    throw new Mistake('an escape in it is half a character: write the character itself', from);
  }
  if (style === 'double' && !/^"[^"\\]*"$/.test(written.replace(ESCAPE, ''))) {
    throw new Mistake('a quote is missing at its end, or a blank line follows the backslash at the end of a line', from);
  }
  if (style === 'single' && written.split("'").length % 2 === 0) {
    throw new Mistake('a quote is missing at its end, or a line of it is not indented as it should be', from);
  }
  const lines = written + (/^(?: *\r?\n)*(?: *$)?/.exec(text.slice(to))?.[0] ?? '');
  const isBlock = style === 'literal' || style === 'folded';
  if (isBlock && /^.[-+]?[1-9]/.test(written) && /\n +[\r\n ]*$/.test(lines)) {
    throw new Mistake('a line of spaces alone is its last one: leave it out, or write the text in double quotes', from);
  }
  const isCut = isBlock && !/\n$/.test(written) && source.endsWith('\n') && (!/\n *$/.test(lines) || /(?:^|\n) +\n$/.test(source));
  return { kind: 'scalar', from, to, value: wholeText(isCut ? source.slice(0, -1) : source, from), style };
}

/** What a word without quotes means. */
export function word(written: string, at: number): Plain {
  if (NULL.test(written)) {
    return null;
  }
  if (BOOLEAN.test(written)) {
    return written.toLowerCase() === 'true';
  }
  if (NO_NUMBER.test(written)) {
    throw new Mistake(`${written} is no number in JSON`, at);
  }
  if (WHOLE.test(written) || OTHER_BASE.test(written) || FRACTION.test(written)) {
    const value = exactNumber(written, at);
    if (!Number.isSafeInteger(value) && OTHER_BASE.test(written)) {
      throw new Mistake(`the number ${written.slice(0, 40)} is too large for this editor: write it in quotes`, at);
    }
    return value;
  }
  return written;
}

/** Whether a text without quotes would be read as something else than this text. */
export function isWord(text: string): boolean {
  return [NULL, BOOLEAN, NO_NUMBER, WHOLE, OTHER_BASE, FRACTION].some((pattern) => pattern.test(text));
}
