/** A comparison → a table: a column a line, the best one first, a row a fact; the first column stays where the others
 *  scroll.
 */

import type { Comparison } from '../protocol';
import { __, term, translation } from '../translation';
import type { Term } from '../translation';
import { attribute, each, h, text } from './dom';
import { look, reachable } from './tables';

/** The signs with which cells of the row `outcome` begin, and their words. */
const SIGNS: Readonly<Record<string, string>> = {
  '✓': 'ok', '✕': 'failed', '◐': 'interrupted', '▶': 'running',
};

/** Rows that each line has; all others are values, with names of their own. */
const ROWS: ReadonlySet<string> = new Set<Term>([
  'steps', 'outcome', 'stale', 'seconds', 'result', 'confidence', 'hypothesis', 'score', 'state', 'why', 'last step',
]);
/** What is added to the name of such a row where a value has it, too. */
const OF_LINE = ' of the line';

/** A cell that is a number alone: to the right, as in any table of numbers. */
const NUMBER = /^-?\d[\d,]*(\.\d+)?(e[+-]?\d+)?$/;

type Fact = Comparison['rows'][number];

/** `own`: whether it is a row that each line has. */
type Placed = Fact & { own: boolean };

export function sideBySide(): { root: HTMLElement; show(comparison: Comparison): void } {
  const heads = h('tr');
  const body = h('tbody');
  const scroll = h(
    'div',
    { class: 'wfnb-scroll', role: 'group', 'aria-label': __('Lines side by side') },
    h(
      'table',
      { class: 'wfnb-table wfnb-beside' },
      h('caption', { class: 'wfnb-hidden' }, __('Lines side by side')),
      h('thead', {}, heads),
      body,
    ),
  );
  const fillHeads = each<[string, string], HTMLTableCellElement>(
    heads,
    ([id]) => id,
    ([id]) => h('th', { scope: 'col' }, id === '' && h('span', { class: 'wfnb-hidden' }, __('fact'))),
    (cell, [id, says]) => id !== '' && text(cell, says),
  );
  const fillRows = each<Placed, HTMLTableRowElement>(
    body,
    ({ name }) => name,
    () => h('tr', {}, h('th', { scope: 'row' })),
    fact,
  );
  const only = h('input', { type: 'checkbox', onchange: draw });
  const choice = h('label', { class: 'wfnb-part wfnb-dim wfnb-only' }, only, ' ', __('differences only'));
  const root = h('div', { hidden: true }, choice, scroll);
  let shown: Comparison = { lines: [], rows: [] };

  function draw(): void {
    const { lines, rows } = shown;
    const names = new Set(rows.map(({ name }) => name));
    const different = rows.filter(differs);
    root.hidden = lines.length === 0;
    choice.hidden = different.length === rows.length || different.length === 0;
    fillHeads([['', ''], ...lines.map(({ id, head }): [string, string] => [`=${id}`, head])]);
    fillRows(
      (only.checked && !choice.hidden ? different : rows).map((row) => ({
        ...row, own: ROWS.has(row.name) && !names.has(row.name + OF_LINE),
      })),
    );
    reachable(scroll);
  }
  return {
    root,
    show(comparison) {
      shown = bestFirst(comparison);
      draw();
    },
  };
}

const differs = ({ cells }: Fact): boolean => new Set(cells).size > 1;

/** The line that is the best in most rows comes first; of those that are so in as many, the older one. */
function bestFirst({ lines, rows }: Comparison): Comparison {
  const wins = (at: number): number => rows.filter(({ best }) => best.includes(at)).length;
  const order = lines.map((_, at) => at).sort((a, b) => wins(b) - wins(a));
  return {
    lines: order.map((at) => lines[at] as Comparison['lines'][0]),
    rows: rows.map(({ name, cells, best }) => ({
      name,
      cells: order.map((at) => cells[at] ?? ''),
      best: order.flatMap((at, place) => (best.includes(at) ? [place] : [])),
    })),
  };
}

function fact(row: HTMLTableRowElement, { name, cells, best: winners, own }: Placed): void {
  const label = own ? term(name) : name;
  text(row.cells[0] as Element, label);
  attribute(row.cells[0] as Element, 'title', label);
  while (row.cells.length > cells.length + 1) {
    row.deleteCell(-1);
  }
  cells.forEach((told, i) => {
    const value = own ? translation(told) : told;
    const cell = row.cells[i + 1] ?? row.appendChild(h('td'));
    const wins = winners.includes(i);
    const best = ` ${__('(best)')}`;
    if (cell.textContent !== (wins ? value + best : value) || bold(cell) !== wins) {
      cell.replaceChildren(...(wins ? [h('b', {}, value), h('span', { class: 'wfnb-hidden' }, best)] : [value]));
    }
    const state = name === 'outcome' ? SIGNS[told[0] ?? ''] : undefined;
    attribute(cell, 'class', state !== undefined ? look(state) : NUMBER.test(value) ? 'wfnb-right' : null);
  });
}

function bold(cell: Element): boolean {
  return cell.firstElementChild !== null;
}
