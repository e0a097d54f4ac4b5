/** One row of the timeline: made once a step, then filled in place. A row that has not come yet is a blank. */

import type { Line, Row } from '../protocol';
import { __, term } from '../translation';
import { attribute, h, text } from './dom';
import type { Thumb } from './figures';
import { AWAY, against, away, signed, sign, signOf, spoken, statesOf } from './state_signs';

export interface RowView {
  root: HTMLElement;
  /** `line` is that of the row. `open`: whether its card is; null for one that is not selected. `away`: where its
   *  cell is, in a few words, if it is not here. `active`: whether a person is at that cell. */
  fill(
    row: Row | undefined,
    line: Line | undefined,
    place: number,
    open: boolean | null,
    current: boolean,
    away?: string,
    active?: boolean,
  ): void;
}

export function rowView(id: string, thumb: Thumb): RowView {
  const number = h('span', { role: 'gridcell', class: 'wfnb-number' });
  const title = h('span', { role: 'gridcell', class: 'wfnb-title' });
  const stage = h('span', { class: 'wfnb-pill wfnb-wider' });
  const selects = h('span', { class: 'wfnb-pill' });
  const author = h('span', { class: 'wfnb-pill wfnb-wider' });
  const cross = h('span', { 'aria-hidden': 'true' });
  const branch = h('span');
  const fate = h('span', { class: 'wfnb-fate' });
  const line = h('span', { class: 'wfnb-pill' }, cross, branch, fate);
  const by = h('span', { 'aria-hidden': 'true' });
  const bySaid = h('span', { class: 'wfnb-hidden' });
  const revised = h('span', { class: 'wfnb-revised' }, by, bySaid);
  const outcome = sign();
  const also = sign();
  const here = h('span', { class: 'wfnb-hidden' }, __('the next step follows this one'));
  const at = h('span', { class: 'wfnb-hidden', hidden: true }, __('its cell is the active one'));
  const elsewhere = h('span', { class: 'wfnb-hidden' }, term(AWAY));
  const lost = h('span', { class: 'wfnb-pill wfnb-lost', title: __('Its cell is not in this notebook'), hidden: true });
  const side = h(
    'span',
    { role: 'gridcell', class: 'wfnb-side' },
    thumb.root, lost, stage, selects, author, line, revised, outcome.root, also.root, elsewhere, here, at,
  );
  const head = h('div', { role: 'presentation', class: 'wfnb-line' }, number, title, side);
  const root = h('div', { role: 'row', id, class: 'wfnb-row' }, head);
  let filled: Row | undefined;
  let placed: Line | undefined;

  /** The line's name, and that it was decided against: a sign before it, which is never cut, and a word after it. */
  function name(row: Row, of: Line | undefined): void {
    const word = of === undefined ? '' : against(of);
    line.hidden = row.branch === 'main';
    text(cross, word && `${signOf(word)} `);
    text(branch, row.branch);
    text(fate, word && ` · ${term(word)}`);
    attribute(line, 'title', [row.branch, term(word), word && of?.reason].filter(Boolean).join(' · '));
    attribute(root, 'data-over', word || null);
  }

  return {
    root,
    fill(row, of, place, open, current, cell = '', active = false) {
      attribute(root, 'data-active', active);
      at.hidden = !active;
      attribute(root, 'aria-rowindex', place + 1);
      attribute(root, 'aria-selected', open !== null);
      attribute(title, 'aria-expanded', open);
      attribute(root, 'aria-current', current ? 'step' : null);
      here.hidden = !current;
      lost.hidden = cell === '';
      text(lost, cell);
      attribute(root, 'data-gone', cell !== '');
      if (row === undefined || (row === filled && of === placed)) {
        return;
      }
      filled = row;
      placed = of;
      text(number, row.number);
      text(title, row.title);
      attribute(title, 'title', away(row) ? `${row.title}\n${signed(AWAY)}` : row.title);
      elsewhere.hidden = !away(row);
      show(stage, row.stage && spoken(row.stage));
      show(selects, row.selects ? __('selected %1', row.selects) : null);
      show(author, row.by ? __('by %1', row.by) : null);
      name(row, of);
      thumb.fill(row);
      revised.hidden = row.revised_by === null;
      text(by, `↻ ${row.revised_by ?? ''}`);
      text(bySaid, __('revised by step %1', row.revised_by ?? ''));
      const [state = 'not yet', other] = statesOf(row);
      outcome.fill(state);
      also.root.hidden = other === undefined;
      also.fill(other ?? '');
      attribute(root, 'data-state', state);
    },
  };
}

function show(pill: HTMLElement, value: string | null): void {
  pill.hidden = value === null;
  text(pill, value ?? '');
  attribute(pill, 'title', value);
}
