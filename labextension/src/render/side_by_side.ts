/** A comparison → a table: a column a line, a row a fact; the first column stays where the others scroll. */

import type { Comparison } from '../picture';
import { attribute, each, h, text } from './dom';
import { look, reachable } from './tables';

/** The signs with which cells of the row `outcome` begin, and their words. */
const SIGNS: Readonly<Record<string, string>> = {
  '✓': 'ok', '✕': 'failed', '◐': 'interrupted', '▶': 'running',
};

const BEST = ' (best)';

type Fact = Comparison['rows'][number];

export function sideBySide(): { root: HTMLElement; show(comparison: Comparison): void } {
  const heads = h('tr');
  const body = h('tbody');
  const root = h(
    'div',
    { class: 'wfnb-scroll', role: 'group', 'aria-label': 'Lines side by side', hidden: true },
    h(
      'table',
      { class: 'wfnb-table wfnb-beside' },
      h('caption', { class: 'wfnb-hidden' }, 'Lines side by side'),
      h('thead', {}, heads),
      body,
    ),
  );
  const fillHeads = each<[string, string], HTMLTableCellElement>(
    heads,
    ([id]) => id,
    ([id]) => h('th', { scope: 'col' }, id === '' && h('span', { class: 'wfnb-hidden' }, 'fact')),
    (cell, [id, says]) => id !== '' && text(cell, says),
  );
  const fillRows = each<Fact, HTMLTableRowElement>(
    body,
    ({ name }) => name,
    () => h('tr', {}, h('th', { scope: 'row' })),
    fact,
  );
  return {
    root,
    show({ lines, rows }) {
      root.hidden = lines.length === 0;
      fillHeads([['', ''], ...lines.map(({ id, head }): [string, string] => [`=${id}`, head])]);
      fillRows(rows);
      reachable(root);
    },
  };
}

function fact(row: HTMLTableRowElement, { name, cells, best }: Fact): void {
  text(row.cells[0] as Element, name);
  attribute(row.cells[0] as Element, 'title', name);
  while (row.cells.length > cells.length + 1) {
    row.deleteCell(-1);
  }
  cells.forEach((value, i) => {
    const cell = row.cells[i + 1] ?? row.appendChild(h('td'));
    const wins = best.includes(i);
    if (cell.textContent !== (wins ? `${value}${BEST}` : value) || bold(cell) !== wins) {
      cell.replaceChildren(...(wins ? [h('b', {}, value), h('span', { class: 'wfnb-hidden' }, BEST)] : [value]));
    }
    const state = name === 'outcome' ? SIGNS[value[0] ?? ''] : undefined;
    attribute(cell, 'class', state === undefined ? null : look(state));
  });
}

function bold(cell: Element): boolean {
  return cell.firstElementChild !== null;
}
