/** A question whose answer changes → its newest answer. One request at a time; what happens meanwhile is asked for
 *  after it, and many wishes within a pause are one.
 */

import { sentence } from '../link';
import type { Dispose } from '../link';

const PAUSE = 250;

export interface Asking {
  again(pause?: number): void;
  dispose: Dispose;
}

export function asking<T>(
  ask: () => Promise<T>,
  came: (answer: T) => void,
  refused: (words: string) => void,
): Asking {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Infinity;
  let under = false;
  let wanted = false;
  let gone = false;

  async function now(): Promise<void> {
    due = Infinity;
    if (under) {
      wanted = true;
      return;
    }
    under = true;
    try {
      const answer = await ask();
      if (!gone) {
        refused('');
        came(answer);
      }
    } catch (reason) {
      if (!gone) {
        refused(sentence(reason));
      }
    }
    under = false;
    if (wanted && !gone) {
      wanted = false;
      again();
    }
  }

  function again(pause = PAUSE): void {
    const at = Date.now() + pause;
    if (!gone && at < due) {
      due = at;
      clearTimeout(timer);
      timer = setTimeout(() => void now(), pause);
    }
  }

  return {
    again,
    dispose() {
      gone = true;
      clearTimeout(timer);
    },
  };
}
