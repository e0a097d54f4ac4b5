/** A text in JSON → its tree. JSON as RFC 8259 has it, and no key twice. */

import type { Collection, Entry, Node, Scalar, Tree } from './syntax_tree';
import { checkKey, DEEPEST, exactNumber, Mistake, quoted, tooDeep, wholeText } from './syntax_tree';

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
// eslint-disable-next-line no-control-regex
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;
const WORDS: Record<string, boolean | null> = { true: true, false: false, null: null };

/** Throws Mistake. */
export function jsonTree(text: string): Tree {
  let at = 0;

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    at += match?.length ?? 0;
    return match;
  }

  function sign(expected: string): boolean {
    match(SPACE);
    const is = text[at] === expected;
    at += is ? 1 : 0;
    return is;
  }

  function missing(what: string): Mistake {
    return new Mistake(`expecting ${what}, but found ${at < text.length ? quoted(text[at]!) : 'the end'}`, at);
  }

  function scalar(depth: number): Node {
    const from = at;
    const is = (value: Scalar['value'], style: Scalar['style']): Scalar => ({
      kind: 'scalar',
      from,
      to: at,
      value,
      style,
    });
    const written = match(TEXT);
    if (written !== undefined) {
      return is(wholeText(JSON.parse(written) as string, from), 'double');
    }
    const word = match(WORD);
    if (word !== undefined) {
      return is(WORDS[word]!, 'plain');
    }
    const number = match(NUMBER);
    if (number) {
      return is(exactNumber(number, from), 'plain');
    }
    if (text[at] === '{' || text[at] === '[') {
      return collection(depth + 1);
    }
    throw missing('a value');
  }

  function collection(depth: number): Collection {
    const from = at;
    if (depth > DEEPEST) {
      throw tooDeep(from);
    }
    const kind = text[at] === '{' ? 'map' : 'list';
    const close = kind === 'map' ? '}' : ']';
    const entries: Entry[] = [];
    const keys = new Set<string>();
    at += 1;
    if (!sign(close)) {
      do {
        match(SPACE);
        const start = at;
        let key: Scalar | null = null;
        if (kind === 'map') {
          if (text[at] !== '"') {
            throw missing('a key in double quotes');
          }
          key = scalar(depth) as Scalar;
          checkKey(key.value as string, start, keys);
          if (!sign(':')) {
            throw missing("':'");
          }
        }
        const mark = at;
        match(SPACE);
        entries.push({ key, from: start, mark, value: scalar(depth) });
      } while (sign(','));
      if (!sign(close)) {
        throw missing(`',' or '${close}'`);
      }
    }
    return { kind, from, to: at, flow: true, entries };
  }

  match(SPACE);
  if (text[at] !== '{') {
    throw missing("'{'");
  }
  const root = collection(1);
  match(SPACE);
  if (at < text.length) {
    throw new Mistake('there is more after the end of the JSON', at);
  }
  return { text, root, json: true };
}
