/** Columns → a table that is filled in place: a row stays with its key, a cell is touched where it differs. */

import { term } from '../translation';
import { attribute, each, h, text } from './dom';

export interface Column<T> {
  /** What stands above; '' for a column of signs, which `says` names for who cannot see it. */
  head: string;
  says?: string;
  /** The cell that names its row. */
  names?: boolean;
  /** Numbers: to the right, tabular. */
  number?: boolean;
  /** No wider than what it holds. */
  narrow?: boolean;
  class?: string;
  fill(cell: HTMLTableCellElement, value: T): void;
}

export interface Table<T> {
  root: HTMLElement;
  fill(values: readonly T[]): void;
}

/** A column whose cells are texts. */
export function words<T>(
  head: string,
  say: (value: T) => string | number,
  more: Partial<Column<T>> = {},
): Column<T> {
  return { head, fill: (cell, value) => text(cell, say(value)), ...more };
}

/** `caption` says what the table is, and is seen where `seen`. What is wide scrolls inside the root. */
export function table<T>(
  caption: string,
  columns: readonly Column<T>[],
  key: (value: T) => string | number,
  seen = false,
): Table<T> {
  const body = h('tbody');
  const heads = columns.map(({ head, says, number, narrow, class: own }) =>
    h(
      'th',
      { scope: 'col', class: classes(number && 'wfnb-right', narrow && 'wfnb-narrow', own) },
      head || h('span', { class: 'wfnb-hidden' }, says ?? ''),
    ),
  );
  const root = h(
    'div',
    { class: 'wfnb-scroll', role: 'group', 'aria-label': caption },
    h(
      'table',
      { class: 'wfnb-table' },
      h('caption', { class: seen ? null : 'wfnb-hidden' }, caption),
      h('thead', {}, h('tr', {}, heads)),
      body,
    ),
  );
  const rows = each<T, HTMLTableRowElement>(
    body,
    key,
    () => h('tr', {}, columns.map(cell)),
    (row, value) => columns.forEach(({ fill }, i) => fill(row.cells[i] as HTMLTableCellElement, value)),
  );
  return {
    root,
    fill(values) {
      rows(values);
      reachable(root);
    },
  };
}

function cell<T>({ names, number, narrow, class: own }: Column<T>): HTMLTableCellElement {
  const all = classes(number && 'wfnb-right', narrow && 'wfnb-narrow', own);
  return names ? h('th', { scope: 'row', class: all }) : h('td', { class: all });
}

function classes(...names: (string | false | undefined)[]): string | null {
  return names.filter(Boolean).join(' ') || null;
}

/** What scrolls is reached by Tab, what does not scroll is no stop on the way. */
export function reachable(root: HTMLElement): void {
  const scrolls = root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight;
  attribute(root, 'tabindex', scrolls ? 0 : null);
}

/** A word of the house as a part of a class name. */
export function look(state: string): string {
  return `wfnb-is-${state.toLowerCase().replace(/[^a-z]+/g, '-')}`;
}

/** A sign, and its word for who cannot see it, in place. */
export function signed(cell: HTMLElement, sign: string, state: string): void {
  const said = cell.lastElementChild;
  if (said === null) {
    cell.append(
      h('span', { 'aria-hidden': 'true' }, sign),
      h('span', { class: 'wfnb-hidden' }, term(state)),
    );
  } else {
    text(cell.firstElementChild as Element, sign);
    text(said, term(state));
  }
  attribute(cell, 'class', look(state));
  attribute(cell, 'title', term(state));
}
