/** A link → the same link that notices when an answer does not come because a cell keeps the kernel busy. */

import type { Dispose, Link } from '../link';

export const BUSY_AFTER = 1500;

/** `told(true)` when something has waited too long on a busy kernel, `told(false)` when nothing waits so any more. */
export function patient(link: Link, told: (waits: boolean) => void): { link: Link; dispose: Dispose } {
  const waiting = new Set<symbol>();
  const timers = new Set<ReturnType<typeof setTimeout>>();

  const ask: Link['ask'] = (word, args) => {
    const mine = Symbol(word);
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (link.state === 'busy') {
        waiting.add(mine);
        told(true);
      }
    }, BUSY_AFTER);
    timers.add(timer);
    return link.ask(word, args).finally(() => {
      clearTimeout(timer);
      timers.delete(timer);
      if (waiting.delete(mine) && waiting.size === 0) {
        told(false);
      }
    });
  };
  return {
    link: Object.assign(Object.create(link) as Link, { ask }),
    dispose() {
      timers.forEach(clearTimeout);
      timers.clear();
      waiting.clear();
    },
  };
}
