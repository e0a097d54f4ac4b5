/** What a page asks through, and is told by: an interface, and the kernel's no. A comm is one (`lab/connection.ts`), the
 *  journal read by the server where no kernel answers (`lab/server_journal.ts`), a widget's messages (`widget_link.ts`).
 */

import { __, translation } from './translation';
import type { Ask, Asks, News } from './protocol';

/** `journal`: no kernel answers, what is shown is from the journal and is only read; `lost`: nobody answers. */
export type LinkState = 'connecting' | 'live' | 'busy' | 'journal' | 'lost' | 'gone';

/** Whether something can be changed. */
export const writable = (state: LinkState): boolean => state === 'live' || state === 'busy';

/** Takes back what gave it: a listener, a timer, a view. Calling it twice does no harm. */
export type Dispose = () => void;

export interface Link {
  readonly state: LinkState;
  /** Rejects with `Refused` where the kernel said no, with another error where nothing came back. */
  ask<K extends Ask>(word: K, args: Asks[K][0]): Promise<Asks[K][1]>;
  /** Everything that the kernel tells from now on. */
  on(f: (told: News) => void): Dispose;
  /** Called when `state` has changed. */
  watch(f: (state: LinkState) => void): Dispose;
}

/** The kernel's no: `error` is the class, the message is its sentence; `calls` are those that the same request, asked
 *  again, can answer for.
 */
export class Refused extends Error {
  constructor(
    readonly error: string,
    says: string,
    readonly calls: readonly string[] = [],
  ) {
    super(says);
    this.name = 'Refused';
  }
}

/** The sentence of whatever an `ask` was rejected with. */
export function sentence(reason: unknown): string {
  return reason instanceof Error && reason.message ? translation(reason.message) : __('The kernel did not answer.');
}
