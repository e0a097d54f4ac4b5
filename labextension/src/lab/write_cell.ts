/** The text of a cell → a new cell below the active one, which it is itself while it is empty, or the active one with a heading. It is ready to be typed into,
 *  and not run. */

import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import { NotebookActions } from '@jupyterlab/notebook';
import type { Notebook, NotebookPanel } from '@jupyterlab/notebook';

import { headText, lastHeading, whole } from './step_magic_line';
import type { CellText } from './step_magic_line';
import { oneEdit } from './undoable_edit';
import { hintAtTitle } from './title_hint';

export async function write(panel: NotebookPanel, text: CellText): Promise<void> {
  const notebook = panel.content;
  if (notebook.model === null || notebook.model.readOnly) {
    return;
  }
  const active = notebook.activeCell?.model;
  const free = active?.type === 'code' && (active as ICodeCellModel).executionCount === null && active.getMetadata('editable') !== false;
  if (!free || active.sharedModel.getSource().trim() !== '') {
    NotebookActions.insertBelow(notebook);
  }
  notebook.activeCell?.model.sharedModel.setSource(text.text);
  await type(notebook, text);
}

/** The active cell becomes a step. False where it cannot be edited. */
export async function head(panel: NotebookPanel): Promise<boolean> {
  const notebook = panel.content;
  const model = notebook.activeCell?.model;
  if (!editable(notebook, model)) {
    return false;
  }
  const above = notebook.widgets[notebook.activeCellIndex - 1]?.model;
  const heading = above?.type === 'markdown' ? lastHeading(above.sharedModel.getSource()) : undefined;
  const { sharedModel } = model;
  const text = headText(sharedModel.getSource(), heading);
  oneEdit(sharedModel, () => sharedModel.updateSource(0, text.instead, text.text));
  await type(notebook, text);
  return true;
}

/** A cell has another text: one edit, which one undo takes back. False where it is not here, or cannot be edited. */
export async function replace(panel: NotebookPanel, cell_id: string, text: string): Promise<boolean> {
  const notebook = panel.content;
  const index = notebook.widgets.findIndex(({ model }) => model.id === cell_id);
  const model = notebook.widgets[index]?.model;
  if (!editable(notebook, model)) {
    return false;
  }
  notebook.activeCellIndex = index;
  const { sharedModel } = model;
  oneEdit(sharedModel, () => sharedModel.updateSource(0, sharedModel.getSource().length, text));
  await type(notebook, whole(text));
  return true;
}

async function type(notebook: Notebook, { selected: [from, to] }: CellText): Promise<void> {
  const cell = notebook.activeCell;
  if (cell === null) {
    return;
  }
  await cell.ready;
  await notebook.scrollToItem(notebook.activeCellIndex, 'smart');
  notebook.mode = 'edit';
  notebook.activate();
  hintAtTitle(cell.editor);
  cell.editor?.setSelection({ start: { line: 0, column: from }, end: { line: 0, column: to } });
  cell.editor?.focus();
}

function editable(notebook: Notebook, model: ICellModel | undefined): model is ICellModel {
  return model !== undefined && !notebook.model?.readOnly && model.getMetadata('editable') !== false;
}
