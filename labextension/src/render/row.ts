/** One row of the timeline: made once a step, then filled in place. A row that has not come yet is a blank. */

import type { Row } from '../picture';
import { attribute, h, text } from './dom';
import { sign, stateOf } from './signs';

export interface RowView {
  root: HTMLElement;
  /** `open`: whether its card is; null for one that is not selected. */
  fill(row: Row | undefined, place: number, open: boolean | null, current: boolean): void;
}

export function rowView(id: string): RowView {
  const number = h('span', { role: 'gridcell', class: 'wfnb-number' });
  const title = h('span', { role: 'gridcell', class: 'wfnb-title' });
  const stage = h('span', { class: 'wfnb-pill wfnb-wider' });
  const branch = h('span', { class: 'wfnb-pill' });
  const by = h('span', { 'aria-hidden': 'true' });
  const bySaid = h('span', { class: 'wfnb-hidden' });
  const revised = h('span', { class: 'wfnb-revised' }, by, bySaid);
  const outcome = sign();
  const here = h('span', { class: 'wfnb-hidden' }, 'the next step follows this one');
  const side = h('span', { role: 'gridcell', class: 'wfnb-side' }, stage, branch, revised, outcome.root, here);
  const line = h('div', { role: 'presentation', class: 'wfnb-line' }, number, title, side);
  const root = h('div', { role: 'row', id, class: 'wfnb-row' }, line);
  let filled: Row | undefined;

  return {
    root,
    fill(row, place, open, current) {
      attribute(root, 'aria-rowindex', place + 1);
      attribute(root, 'aria-selected', open !== null);
      attribute(title, 'aria-expanded', open);
      attribute(root, 'aria-current', current ? 'step' : null);
      here.hidden = !current;
      if (row === undefined || row === filled) {
        return;
      }
      filled = row;
      text(number, row.number);
      text(title, row.title);
      attribute(title, 'title', row.title);
      show(stage, row.stage);
      show(branch, row.branch === 'main' ? null : row.branch);
      revised.hidden = row.revised_by === null;
      text(by, `↻ ${row.revised_by ?? ''}`);
      text(bySaid, `revised by step ${row.revised_by ?? ''}`);
      const state = stateOf(row);
      outcome.fill(state);
      attribute(root, 'data-state', state);
    },
  };
}

function show(pill: HTMLElement, value: string | null): void {
  pill.hidden = value === null;
  text(pill, value ?? '');
  attribute(pill, 'title', value);
}
