/** A cell's id → the cell run as a person runs it, and what went wrong. */

import { NotebookActions } from '@jupyterlab/notebook';
import type { NotebookPanel } from '@jupyterlab/notebook';

/** Null where it ended well, else the error in a few words: `''` where it did not run to its end. */
export async function runCell({ content, sessionContext }: NotebookPanel, id: string): Promise<string | null> {
  const cell = content.widgets.find(({ model }) => model.id === id);
  if (cell === undefined || sessionContext.hasNoKernel) {
    return '';
  }
  let error = '';
  const heard: Parameters<typeof NotebookActions.executed.connect>[0] = (_, ended) => {
    if (ended.cell === cell && ended.error) {
      const { errorName, errorValue } = ended.error;
      error = [errorName, errorValue].filter(Boolean).join(': ');
    }
  };
  NotebookActions.executed.connect(heard);
  try {
    return (await NotebookActions.runCells(content, [cell], sessionContext)) ? null : error;
  } finally {
    NotebookActions.executed.disconnect(heard);
  }
}
