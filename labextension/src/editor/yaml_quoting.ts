/** A text → how it is written in YAML. Quoted where some reader takes it for something else, as wfnb writes it. */

import type { Plain, Style } from './syntax_tree';
import { isWord } from './yaml_parser';

/** What YAML 1.1 takes for no text, besides what this reader does. */
const ELSEWHERE = [
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/,
  /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  /^[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?$/,
  /^(?:<<|=|!|&|\*)$/,
];
/** Signs of which a text without quotes may not have any; and in brackets. */
const NO_PLAIN = /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|:(?:[ \t]|$)|[ \t]#|^ | $/;
const NO_FLOW = /^[?:]|[,?[\]{}:]/;
/** What only double quotes hold, by an escape. */
// eslint-disable-next-line no-control-regex
const SPECIAL = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10fffe}]/u;
// eslint-disable-next-line no-control-regex
const ESCAPED = /["\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10fffe}]/gu;
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '\0': '0', '\x07': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v' }).concat(
    Object.entries({ '\f': 'f', '\r': 'r', '\x1b': 'e', '\x85': 'N', '\u2028': 'L', '\u2029': 'P' }),
  ),
);

/** Whether a text may be written without quotes. */
export function canBePlain(text: string, inBrackets: boolean): boolean {
  const isOther = isWord(text) || ELSEWHERE.some((pattern) => pattern.test(text));
  const hasSigns = text.includes('\n') || SPECIAL.test(text) || NO_PLAIN.test(text);
  return !isOther && !hasSigns && !(inBrackets && NO_FLOW.test(text));
}

/** Whether lines below the key may hold a text as it is. */
export function canBeBlock(text: string): boolean {
  return text.trim() !== '' && !SPECIAL.test(text.replaceAll('\t', ''));
}

function canBeSingle(text: string): boolean {
  return !text.includes('\n') && !SPECIAL.test(text);
}

/** In one line; `like` is the style that is kept where it can be. */
export function scalarText(value: Plain, inBrackets: boolean, like: Style = 'plain'): string {
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  if (like === 'double' || !canBeSingle(value)) {
    return doubleQuoted(value);
  }
  return like === 'single' || !canBePlain(value, inBrackets) ? `'${value.replaceAll("'", "''")}'` : value;
}

export function doubleQuoted(text: string): string {
  return `"${text.replace(ESCAPED, escaped)}"`;
}

function escaped(sign: string): string {
  const number = sign.codePointAt(0)!.toString(16).toUpperCase();
  const short = ESCAPES.get(sign);
  if (short !== undefined) {
    return `\\${short}`;
  }
  return number.length <= 2 ? `\\x${number.padStart(2, '0')}` : `\\u${number.padStart(4, '0')}`;
}

/** Below the key: the sign and the lines, each ended. `indent` are the columns of the lines, `parent` those of the
 * entry; `note` is a comment on the first line. */
export function blockText(text: string, style: Style, indent: string, parent: number, note: string, end: string): string {
  const isFolded = style === 'folded' && !/\n./s.test(text) && !text.startsWith(' ');
  const hint = /^[ \n]/.test(text) ? String(indent.length - parent) : '';
  const chomp = !text.endsWith('\n') ? '-' : /^\n$|\n\n$/.test(text) ? '+' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const body = lines.map((line) => (line === '' ? end : `${indent}${line}${end}`)).join('');
  return `${isFolded ? '>' : '|'}${hint}${chomp}${note}${end}${body}`;
}
