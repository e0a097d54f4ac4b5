/** A cell that shows a run as going on, and was closed before that ended → what the run came to, in place of it. JupyterLab
 *  does not save which output is which: what the kernel tells of one that was saved finds it no more.
 */

import type { ICodeCellModel } from '@jupyterlab/cells';
import type { IMimeBundle } from '@jupyterlab/nbformat';
import type { Notebook } from '@jupyterlab/notebook';

import type { Dispose, Link } from '../link';

interface Going {
  run?: string;
  status?: string;
}

export function showEnds(notebook: Notebook, link: Link): Dispose {
  return link.on((told) => {
    const ended = told.kind === 'gone' ? [] : (told.runs ?? []).filter((run) => run.ended).map(({ name }) => name);
    for (const cell of ended.length > 0 ? (notebook.model?.cells ?? []) : []) {
      const { outputs } = cell as ICodeCellModel;
      for (let at = 0; at < (outputs?.length ?? 0); at += 1) {
        const run = going(outputs, at);
        if (run !== undefined && ended.includes(run)) {
          const put = (data: object): void => {
            if (going(outputs, at) === run) { // until the answer came, the cell may have run again
              outputs.set(at, { output_type: 'display_data', metadata: {}, data: data as IMimeBundle });
            }
          };
          void link.ask('ended', { run }).then(put, () => undefined);
        }
      }
    }
  });
}

/** The run that an output shows as going on. */
function going(outputs: ICodeCellModel['outputs'], at: number): string | undefined {
  const { run, status } = (outputs.get(at)?.data['application/vnd.wfnb+json'] ?? {}) as Going;
  return status === 'running' ? run : undefined;
}
