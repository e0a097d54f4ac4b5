/** What a strategy keeps of its steps, as a table: rounds, questions, votes, calls. */

import type { Ledger } from '../protocol';
import { __ } from '../translation';
import { attribute, h, text } from './dom';
import { table, words } from './tables';
import type { Table } from './tables';

interface Row {
  at: number;
  cells: string[];
}

export function ledgerView(): { root: HTMLElement; show(kept: Ledger | null | undefined): void } {
  const place = h('div');
  const lacks = h('p', { class: 'wfnb-dim' });
  const root = h('section', { class: 'wfnb-part wfnb-ledger' }, place, lacks);
  let known = '';
  let rows: Table<Row> | null = null;
  return {
    root,
    show(kept) {
      root.hidden = !kept;
      if (!kept) {
        return;
      }
      const shape = JSON.stringify([kept.title, kept.heads]);
      if (rows === null || shape !== known) {
        known = shape;
        const columns = kept.heads.map((head, n) => words<Row>(head, ({ cells }) => cells[n] ?? '', { names: n === 0 }));
        rows = table<Row>(kept.title, columns, ({ at }) => at, true);
        place.replaceChildren(rows.root);
        attribute(root, 'aria-label', kept.title);
      }
      rows.fill(kept.rows.map((cells, at) => ({ at, cells })));
      lacks.hidden = kept.lacks.length === 0;
      text(lacks, __('missing: %1', kept.lacks.join(' · ')));
    },
  };
}
