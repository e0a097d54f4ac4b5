/** What the panel can do in its notebook for a person who asked for it. */

import { Notification } from '@jupyterlab/apputils';
import type { NotebookPanel } from '@jupyterlab/notebook';

import type { Host } from '../host';
import type { Cells } from './cells';
import { branchText, restoreText, reviseText, stepText } from './cell_text';
import { write } from './write';

const SHOWN = 6_000;

let last: string | undefined;

/** As a notification that takes the place of the one before: none of them is worth to be kept beside another. */
export function say(text: string): void {
  if (last !== undefined) {
    Notification.dismiss(last);
  }
  last = Notification.emit(text, 'default', { autoClose: SHOWN });
}

export function host(panel: NotebookPanel, cells: Cells): Required<Host> {
  const line = (): string => cells.head?.line ?? 'main';
  return {
    goToCell: (cell_id) => void goToCell(panel, cell_id),
    newStep: (stage) => void write(panel, stepText(stage)),
    branchFrom: (row) => void write(panel, branchText(row, line())),
    revise: (row) => void write(panel, reviseText(row, line())),
    restore: (row) => void write(panel, restoreText(row, line())),
    interrupt: () => void panel.sessionContext.session?.kernel?.interrupt(),
    say,
  };
}

/** Scroll there and make it the active cell; the keyboard stays where it is. */
async function goToCell(panel: NotebookPanel, cell_id: string): Promise<void> {
  const notebook = panel.content;
  const index = notebook.widgets.findIndex((cell) => cell.model.id === cell_id);
  if (index < 0) {
    return say('The cell of this step is no longer in this notebook.');
  }
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  await notebook.scrollToItem(index, 'smart');
}
