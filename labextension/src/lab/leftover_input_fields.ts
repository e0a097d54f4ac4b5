/** A cell that has ended → what it asked on the keyboard is asked no more: it was answered in the panel, or its time was
 *  over, and what a person writes there now would look like an answer.
 */

import type { CodeCell } from '@jupyterlab/cells';
import { NotebookActions } from '@jupyterlab/notebook';

const FIELD = 'jp-OutputArea-stdin-item';
/** Answered: JupyterLab keeps the focus in it for a moment, and takes it away itself. */
const ANSWERED = 'jp-OutputArea-stdin-hiding';

export function closeFields(): void {
  NotebookActions.executed.connect((_, { cell }) => {
    const { outputArea } = cell as unknown as Partial<CodeCell>;
    [...(outputArea?.widgets ?? [])]
      .filter((each) => each.hasClass(FIELD) && !each.hasClass(ANSWERED))
      .forEach((each) => each.dispose());
  });
}
