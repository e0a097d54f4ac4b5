/** Which step each cell holds, shown over the cell: kept by the cell's id, so that it stays where cells move, are
 *  scrolled away, or are made anew.
 */

import type { Cell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

import { h } from '../render/dom';
import type { Dispose } from '../link';
import type { Line, Row } from '../picture';
import type { Cells } from './cells';
import { parts } from './says';

const BADGE = 'wfnb-badge';

export function badges(notebook: Notebook, cells: Cells, wanted: () => boolean): { show(): void; dispose: Dispose } {
  let frame = 0;
  const show = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      for (const cell of notebook.widgets) {
        const row = wanted() ? cells.row(cell.model.id) : undefined;
        put(cell, row, row && cells.line(row));
      }
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
      notebook.widgets.forEach((cell) => put(cell, undefined));
    },
  };
}

function put(cell: Cell, row: Row | undefined, line?: Line): void {
  const there = cell.node.querySelector<HTMLElement>(`:scope > .${BADGE}`);
  if (row === undefined) {
    there?.remove();
    return;
  }
  const says = parts(row, line);
  const key = JSON.stringify([says, row.title]);
  if (there?.dataset['says'] === key) {
    return;
  }
  const made = h(
    'div',
    { class: BADGE, role: 'note', title: row.title, 'data-says': key, 'data-outcome': row.outcome },
    says.map((part) => h('span', {}, part)),
  );
  there?.remove();
  cell.node.prepend(made);
}
