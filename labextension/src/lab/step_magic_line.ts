/** A person's wish for a step → the first line of the cell that they go on typing. */

import type { Row } from '../protocol';

/** What a branch may be called, as the kernel says. Nothing else gets into a cell: a line break would be code. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._+/-]*$/u;

export interface CellText {
  text: string;
  /** What is to be typed over: from, to; where both are the same, the cursor. */
  selected: [number, number];
}

const STEP = '%%step ';

export function stepText(stage = '', branch = ''): CellText {
  const option = (name: string, value: string): string => (NAME.test(value) ? `--${name} ${value} ` : '');
  return atEnd(`${STEP}${option('branch', branch)}${option('stage', stage)}`);
}

/** The heading of a cell that becomes a step, and how much of its text the heading takes the place of: a comment that
 *  begins the cell is the title, else the heading above it is. */
export function headText(source: string, heading = ''): CellText & { instead: number } {
  const comment = /^\s*#+(?!!)[ \t]*(?:%%[ \t]*)?(\S.*)\n?/.exec(source);
  const title = titled(comment?.[1] ?? heading);
  return { text: `${STEP}${title}\n`, selected: [STEP.length, STEP.length + title.length], instead: comment?.[0].length ?? 0 };
}

/** The last heading of a text in Markdown, as it is read. */
export function lastHeading(markdown: string): string | undefined {
  const found = [...markdown.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/gm)].at(-1)?.[1];
  return found?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]|<[^>]*>/g, '');
}

/** Words as a step takes them for its title: quotes where they could be a number or an option. */
function titled(words: string): string {
  const said = words.trim();
  return /^[\d-]|["'\\]|\s-/.test(said) ? `"${said.replace(/["\\]/g, "'")}"` : said;
}

/** `line` is where the next step comes: it need not be named. */
export function branchText(row: Row, line: string): CellText {
  const start = '%%branch ';
  const name = 'NAME';
  return { text: `${start}${name} --from ${elsewhere(row, line) ? `${row.branch}:` : ''}${row.number} `, selected: [start.length, start.length + name.length] };
}

export function reviseText(row: Row, line: string): CellText {
  return atEnd(`%%step ${elsewhere(row, line) ? `--branch ${row.branch} ` : ''}--revises ${row.number} `);
}

/** The same, over the code of a step. */
export function under({ text, selected }: CellText, code = ''): CellText {
  return { text: code === '' ? text : `${text}\n${code}`, selected };
}

/** What a step's cell was, as it was. */
export function whole(source: string): CellText {
  return { text: source, selected: atEnd(source.split('\n', 1)[0] ?? '').selected };
}

const elsewhere = (row: Row, line: string): boolean => row.branch !== line && NAME.test(row.branch);

const atEnd = (text: string): CellText => ({ text, selected: [text.length, text.length] });
