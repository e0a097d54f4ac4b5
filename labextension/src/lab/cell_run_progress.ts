/** How far a run of several cells is, for whoever shows it, and whether a person stops it. */

import type { CellRun } from '../view_host';
import { __ } from '../translation';

export interface Progress extends CellRun {
  /** Whether no other cell is to run. */
  readonly stopped: boolean;
  tell(going: boolean, says: string): void;
}

export function progress(): Progress {
  const listeners = new Set<() => void>();
  let going = false;
  let says = '';
  let stopped = false;

  function tell(now: boolean, words: string): void {
    stopped &&= now;
    [going, says] = [now, words];
    [...listeners].forEach((f) => f());
  }

  return {
    get going() {
      return going;
    },
    get says() {
      return says;
    },
    get stopped() {
      return stopped;
    },
    tell,
    stop() {
      if (going && !stopped) {
        stopped = true;
        tell(true, `${says} ${__('Stops after it.')}`);
      }
    },
    listen(f) {
      listeners.add(f);
      return () => void listeners.delete(f);
    },
  };
}
