/** Stale steps → their cells run in the notebook, so that outputs come where they belong.
 *
 *  The kernel says which step comes next (`%wfnb run-stale` goes by the same rule), and is asked again after each cell:
 *  what became fresh meanwhile is not run. A step whose cell cannot stand for it ends the run, as one that fails does,
 *  because what comes after it may rest on it.
 */

import type { StaleRun } from '../view_host';
import { sentence } from '../link';
import type { Asks, NextStale, Row } from '../protocol';
import { __, _n } from '../translation';
import { progress } from './cell_run_progress';
import type { StepCells } from './step_cells';

/** A step whose values are needed again so often is not what the others rest on: it would be run for ever. */
const MAX_RUNS = 3;

export interface StaleCells {
  ask(args: Asks['next_stale'][0]): Promise<NextStale | null>;
  texts: Pick<StepCells, 'opens' | 'digest'>;
  /** Null where the cell ended well, else the error. */
  run(cell_id: string): Promise<string | null>;
  say(text: string): void;
}

export function staleRun({ ask, texts, run, say }: StaleCells): StaleRun {
  const now = progress();

  /** Why it ended before all were run; '' where it did not. Each cell that ran is put into `ran`. */
  async function all(key: number | undefined, ran: number[]): Promise<string> {
    const done: number[] = [];
    for (;;) {
      const step = await ask({ ...(key !== undefined && { key }), done });
      if (step === null) {
        return '';
      }
      const why = now.stopped ? __('Stopped.') : hindrance(step, texts);
      if (why || step.cell_id === null) {
        return why;
      }
      if (ran.filter((each) => each === step.key).length === MAX_RUNS) {
        return __('Step %1 was run %2 times, and other steps need it still: stopped.', step.place, MAX_RUNS);
      }
      now.tell(true, __('Running step %1.', step.place));
      const error = await run(step.cell_id);
      if (error !== null) {
        return failure(step, error);
      }
      ran.push(step.key);
      if (step.key === step.target) {
        done.push(step.key);
      }
    }
  }

  return Object.assign(now, {
    async run(upTo?: Row, tell = (count: number): void => say(counted(count))): Promise<number> {
      if (now.going) {
        return 0;
      }
      const ran: number[] = [];
      now.tell(true, __('Waiting for the kernel.'));
      const why = await all(upTo?.key, ran).catch(sentence);
      now.tell(false, why && `${counted(ran.length)} ${why}`);
      if (why === '') {
        tell(ran.length);
      }
      return ran.length;
    },
  });
}

export const counted = (cells: number): string => (cells === 0 ? __('No cell was run.') : _n('Ran %1 cell.', 'Ran %1 cells.', cells));

/** Why the cell cannot be run for the step; '' where it can. */
function hindrance({ place, cell_id, part, digest }: NextStale, texts: StaleCells['texts']): string {
  const command = `\`%wfnb run-stale ${place}\``;
  if (cell_id === null || texts.opens(cell_id) <= part) {
    return __('Step %1 has no cell in this notebook: %2 in a cell runs its code as it was recorded.', place, command);
  }
  if (digest !== null && digest !== texts.digest(cell_id)) {
    return __('The cell of step %1 was edited since it ran: run it yourself, or %2 in a cell runs its code as it was recorded.', place, command);
  }
  return '';
}

function failure({ place }: NextStale, error: string): string {
  const rest = __('Stale steps after it were not run.');
  if (error.startsWith('KeyboardInterrupt')) {
    return `${__('Step %1 was interrupted.', place)} ${rest}`;
  }
  return error
    ? `${__('Step %1 failed when it was run again (%2).', place, error)} ${rest}`
    : `${__('Step %1 did not run to its end.', place)} ${rest}`;
}
