/** Which step each cell holds, shown over the cell: kept by the cell's id, so that it stays where cells move, are
 *  scrolled away, or are made anew. A cell that opens no step has none, whatever it was before.
 */

import type { Cell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

import { h } from '../render/dom';
import { statesOf } from '../render/state_signs';
import type { Dispose } from '../link';
import { __ } from '../translation';
import type { RecordedCells } from './recorded_cells';
import { parts } from './step_words';
import type { StepCells } from './step_cells';

const BADGE = 'wfnb-badge';

/** What a badge is drawn from. */
export interface Badges {
  notebook: Notebook;
  cells: RecordedCells;
  texts: Pick<StepCells, 'opens' | 'digest'>;
  wanted(): boolean;
  /** A click on it: show the step in the panel. */
  open(key: number): void;
}

export function badges({ notebook, cells, texts, wanted, open }: Badges): { show(): void; dispose: Dispose } {
  let frame = 0;

  const show = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      notebook.widgets.forEach((cell) => put(cell, wanted() ? badge(cell.model.id, cells, texts) : null, open));
    });
  };
  const deaf = cells.listen(show);
  notebook.modelContentChanged.connect(show);
  notebook.modelChanged.connect(show);
  show();
  return {
    show,
    dispose() {
      deaf();
      cancelAnimationFrame(frame);
      frame = -1;
      notebook.modelContentChanged.disconnect(show);
      notebook.modelChanged.disconnect(show);
      notebook.widgets.forEach((cell) => put(cell, null, open));
    },
  };
}

/** `state` is the word that it is coloured by. */
export interface Badge {
  key: number;
  title: string;
  says: string[];
  state: string;
}

/** What is said of the cell: null where it holds no step as it stands. */
export function badge(id: string, cells: RecordedCells, texts: Badges['texts']): Badge | null {
  const last = cells.row(id);
  // Plain cells may be no steps any more: one that was recorded, and is as it was, still is that step's.
  const opens = last ? texts.opens(id) || Number(last.digest !== undefined && last.digest === texts.digest(id)) : 0;
  const row = opens > 0 ? cells.row(id, opens) : undefined;
  if (row === undefined) {
    return null;
  }
  const edited = row.outcome !== 'running' && row.digest !== undefined && row.digest !== texts.digest(id);
  const says = parts(row, cells.line(row), edited);
  const state = edited ? 'edited' : (statesOf(row)[0] ?? '');
  return { key: row.key, title: row.title, says, state };
}

function put(cell: Cell, badge: Badge | null, open: (key: number) => void): void {
  const there = cell.node.querySelector<HTMLElement>(`:scope > .${BADGE}`);
  if (badge === null) {
    there?.remove();
    return;
  }
  const says = JSON.stringify(badge);
  if (there?.dataset['says'] === says) {
    return;
  }
  const made = h(
    'div',
    { class: BADGE, role: 'note', 'data-says': says, 'data-state': badge.state },
    h(
      'button',
      {
        type: 'button', title: __('%1 · show it in the panel', badge.title), tabindex: -1, onclick: () => open(badge.key),
      },
      badge.says.map((part, at) => [at > 0 && ' · ', h('span', {}, part)]),
    ),
  );
  there?.remove();
  cell.node.prepend(made);
  // a cell that was not drawn yet is filled in front of what is there
  void cell.ready.then(() => made.previousSibling && made.isConnected && cell.node.prepend(made), () => undefined);
}
