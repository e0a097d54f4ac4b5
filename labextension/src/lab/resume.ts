/** A notebook whose run failed, or that was opened again → its cells that have to run, run; what the others left is put
 *  back. Which they are says the kernel, cell by cell (`wfnb/jupyter/resume.py`), as it does to `wfnb exec`.
 */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { KernelMessage } from '@jupyterlab/services';

import { sentence } from '../link';
import { __, _n } from '../translation';
import type { Progress } from './cell_run_progress';
import { counted } from './run_stale';

/** `back`: the cells that were skipped since one ran have to run first. */
export interface Reply {
  run?: boolean;
  back?: boolean;
  why?: string;
}

export interface ResumedCells {
  /** wfnb is there, and the session of the notebook is in use. */
  ready(): Promise<boolean>;
  ask(said: object): Promise<Reply>;
  cells(): { id: string; readonly source: string }[];
  /** Null where the cell ended well, else the error. */
  run(id: string): Promise<string | null>;
  /** Runs what a cell further down has made stale since it ran; how many cells. */
  stale(): Promise<number>;
  say(text: string): void;
}

/** What runs them, or where they run stops that. */
export function resumption({ ready, ask, cells, run, stale, say }: ResumedCells, now: Progress): () => Promise<void> {
  async function all(): Promise<string> {
    let ran = 0;
    let skipped: string[] = [];
    let spared = 0;
    const count = (): string =>
      spared === 0 ? counted(ran) : _n('Ran %1 cell, skipped %2.', 'Ran %1 cells, skipped %2.', ran, spared);
    const code = cells();
    for (const { id, source } of code) {
      const told = await ask({ ask: { id, source } });
      if (told.run === false) {
        skipped.push(id);
        spared += 1;
        continue;
      }
      const first = told.back ? skipped : [];
      spared -= first.length;
      for (const each of [...first, id]) {
        if (now.stopped) {
          return `${count()} ${__('Stopped.')}`;
        }
        now.tell(true, __('Running cell %1 of %2.', code.findIndex((cell) => cell.id === each) + 1, code.length));
        const error = await run(each);
        ran += 1;
        if (error !== null) {
          return `${count()} ${failure(error)}`;
        }
      }
      skipped = [];
    }
    ran += ran > 0 && !now.stopped ? await stale() : 0;
    return count();
  }

  return async () => {
    if (now.going) {
      return now.stop();
    }
    now.tell(true, __('Waiting for the kernel.'));
    try {
      if (await ready()) {
        await ask({ begin: null });
        say(await all());
      }
    } catch (reason) {
      say(sentence(reason));
    } finally {
      now.tell(false, '');
      await ask({ end: true }).catch(() => undefined);
    }
  };
}

/** The code of a notebook. Its texts are those of when they are read: cells may be edited while others run. */
export function codeCells({ content }: NotebookPanel): { id: string; readonly source: string }[] {
  return content.widgets
    .filter(({ model }) => model.type === 'code' && model.sharedModel.getSource().trim() !== '')
    .map(({ model }) => ({
      id: model.id,
      get source() {
        return model.sharedModel.getSource();
      },
    }));
}

function failure(error: string): string {
  return error
    ? __('The last one failed (%1): those after it were not run.', error)
    : __('The last one failed: those after it were not run.');
}

const MODULE = "__import__('wfnb.jupyter.resume', fromlist=['ask'])";

/** What the kernel of a notebook says to it. */
export async function ask({ sessionContext }: NotebookPanel, said: object): Promise<Reply> {
  // A text in JSON is one in Python, too.
  const user_expressions = { wfnb: `${MODULE}.ask(${JSON.stringify(JSON.stringify(said))})` };
  const more = { silent: true, store_history: false, allow_stdin: false };
  const future = sessionContext.session?.kernel?.requestExecute({ code: '', user_expressions, ...more });
  const reply = (await future?.done) as KernelMessage.IExecuteReplyMsg | undefined;
  const content = reply?.content as { user_expressions?: Record<string, unknown> } | undefined;
  const found = content?.user_expressions?.wfnb as { data?: Record<string, unknown>; evalue?: string } | undefined;
  const answer = found?.data?.['application/json'];
  if (answer === undefined) {
    throw new Error(found?.evalue ?? __('The kernel did not answer.'));
  }
  return answer as Reply;
}
