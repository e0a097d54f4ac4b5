/** A kernel's link and the journal → one link: live while a kernel answers, else read from the journal, which is
 *  looked at again and again while somebody can see the page.
 */

import { Refused, sentence, writable } from '../link';
import type { Dispose, Link, LinkState } from '../link';
import type { Ask, Asks, Beside, Gone, Snapshot, News } from '../protocol';
import type { Journal } from './server_journal';

/** Milliseconds between two looks at the journal. */
export const EVERY = 2_000;
/** A kernel that was there is waited for so long: a connection that comes back at once is no news. */
export const RECONNECT_TIME = 400;

/** `seen`: whether anybody sees what is shown. `beside` is told what the journal says of the notebook. */
export function history(
  kernel: Link,
  journal: Journal,
  seen: () => boolean = () => true,
  beside: (now: Beside) => void = () => undefined,
): Link & { dispose: Dispose } {
  const listeners = new Set<(told: News) => void>();
  const watchers = new Set<(state: LinkState) => void>();
  /** What the journal had when it was read last; null while a kernel tells, and where there is nothing. */
  let picture: Snapshot | null = null;
  /** Whether the server answered when it was asked last. */
  let reached = true;
  /** Why there is nothing: what the kernel told, then what the journal says; and whether it was told on. */
  let nothing: Gone | null = null;
  let known = false;
  /** The server cannot read journals at all: wfnb is not installed beside it. */
  let absent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  let shown: LinkState = kernel.state;
  let disposed = false;

  function state(): LinkState {
    const now = kernel.state;
    if (writable(now) || (now === 'connecting' && reached)) {
      return now;
    }
    return !reached ? 'lost' : picture ? 'journal' : now === 'lost' ? 'connecting' : now;
  }

  function show(): void {
    const now = state();
    if (now !== shown) {
      shown = now;
      [...watchers].forEach((f) => f(now));
    }
  }

  const tell = (told: News): void => [...listeners].forEach((f) => f(told));

  function later(wait: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), wait);
  }

  /** Read the journal, unless a kernel tells the session. */
  async function look(): Promise<void> {
    if (disposed || writable(kernel.state)) {
      return;
    }
    if ((picture || known) && !seen()) {
      return later(EVERY);
    }
    const mine = ++looks;
    const wanted = (): boolean => !disposed && mine === looks && !writable(kernel.state);
    try {
      const found = await journal.look(picture?.version);
      if (wanted()) {
        reached = true;
        take(found);
      }
    } catch (reason) {
      if (wanted()) {
        failed(reason);
      }
    }
    if (wanted() && !absent) {
      later(EVERY);
    }
  }

  function take(found: News | null): void {
    if (found?.kind === 'snapshot') {
      picture = found;
      nothing = null;
      known = false;
      beside(found);
      show();
      tell(found);
    } else if (found?.kind === 'gone') {
      picture = null;
      none(found);
    } else {
      show();
    }
  }

  /** A server that has no such thing, or no such notebook, says so: then what the kernel told holds, and no picture. */
  function failed(reason: unknown): void {
    reached = reason instanceof Refused;
    absent = reason instanceof Refused && /^\d+$/.test(reason.error);
    if (reached && (nothing || picture)) {
      picture = null;
      none(nothing ?? { kind: 'gone', says: sentence(reason) });
    } else {
      show();
    }
  }

  function none(says: Gone): void {
    const same = known && nothing?.says === says.says && nothing.empty === says.empty;
    nothing = says;
    known = true;
    beside({});
    show();
    if (!same) {
      tell(says);
    }
  }

  const deaf = kernel.on((told) => {
    if (told.kind === 'gone' && !writable(kernel.state)) {
      nothing = told; // told on only when the journal has nothing either
      known = false;
      void look();
    } else {
      picture = null;
      nothing = told.kind === 'gone' ? told : null;
      known = nothing !== null;
      reached = true;
      show();
      tell(told);
    }
  });
  const unwatch = kernel.watch((now) => {
    if (writable(now)) {
      clearTimeout(timer);
      reached = true;
    } else {
      later(RECONNECT_TIME);
    }
    show();
  });
  if (!writable(kernel.state)) {
    later(0);
  }

  return {
    get state() {
      return shown;
    },
    ask<K extends Ask>(word: K, args: Asks[K][0]): Promise<Asks[K][1]> {
      return picture && !writable(kernel.state) ? journal.ask(word, args) : kernel.ask(word, args);
    },
    on(f) {
      listeners.add(f);
      const before = picture ?? (known ? nothing : null);
      if (before) {
        queueMicrotask(() => (before === picture || before === nothing) && listeners.has(f) && f(before));
      }
      return () => void listeners.delete(f);
    },
    watch(f) {
      watchers.add(f);
      return () => void watchers.delete(f);
    },
    dispose() {
      disposed = true;
      clearTimeout(timer);
      deaf();
      unwatch();
      listeners.clear();
      watchers.clear();
    },
  };
}
