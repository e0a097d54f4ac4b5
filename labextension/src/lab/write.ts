/** The text of a cell → a new cell below the active one, ready to be typed into. It is not run. */

import { NotebookActions } from '@jupyterlab/notebook';
import type { NotebookPanel } from '@jupyterlab/notebook';

import type { CellText } from './cell_text';

export async function write(panel: NotebookPanel, { text, selected }: CellText): Promise<void> {
  const notebook = panel.content;
  if (notebook.model === null || notebook.model.readOnly) {
    return;
  }
  NotebookActions.insertBelow(notebook);
  const cell = notebook.activeCell;
  if (cell === null) {
    return;
  }
  cell.model.sharedModel.setSource(text);
  await notebook.scrollToItem(notebook.activeCellIndex, 'smart');
  await cell.ready;
  notebook.mode = 'edit';
  notebook.activate();
  const [from, to] = selected;
  cell.editor?.setSelection({ start: { line: 0, column: from }, end: { line: 0, column: to } });
  cell.editor?.focus();
}
