/** What the kernel or the journal says of this notebook, beside its history: whether that is another notebook's, and in
 *  which others it has steps.
 */

import type { Dispose } from '../link';
import type { Beside } from '../protocol';

export interface Standing {
  /** A sentence; '' where there is nothing to say. */
  readonly note: string;
  /** The names of the other notebooks. */
  readonly others: readonly string[];
  say(now: Beside): void;
  /** Told after it is otherwise. */
  listen(f: () => void): Dispose;
}

export function standing(): Standing {
  const listeners = new Set<() => void>();
  let now: Required<Beside> = { note: '', others: [] };
  return {
    get note() {
      return now.note;
    },
    get others() {
      return now.others;
    },
    say({ note = '', others = [] }) {
      const before = JSON.stringify(now);
      now = { note, others };
      if (JSON.stringify(now) !== before) {
        [...listeners].forEach((f) => f());
      }
    },
    listen(f) {
      listeners.add(f);
      return () => void listeners.delete(f);
    },
  };
}
