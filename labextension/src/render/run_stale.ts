/** Under the header, while a stale step can be run: how many are stale, what runs, or why it ended; and the button that
 *  runs them or stops that.
 */

import type { Host } from '../host';
import type { Dispose } from '../link';
import type { State } from '../store';
import { __, _n } from '../words';
import { deliberate } from './deliberate';
import { attribute, h } from './dom';
import { writes } from './reading';
import { button, spoken } from './said';
import { grouped } from './signs';

export interface RunStale {
  root: HTMLElement;
  show(state: State): void;
  dispose: Dispose;
}

/** Null where the host runs no cells. */
export function runStale({ stale }: Host): RunStale | null {
  if (stale === undefined) {
    return null;
  }
  let can = false;
  let count = 0;
  let said = '';
  /** Why it ended before all that was stale was fresh: no reason for what is stale now. */
  let past = '';
  const words = h('span', { role: 'status' });
  const act = writes(button(__('Run stale'), () => (stale.going ? stale.stop() : void stale.run())));
  const root = h('div', { class: 'wfnb-notice wfnb-stale', hidden: true }, words, act);
  deliberate(root);

  function draw({ going, says }: NonNullable<Host['stale']>): void {
    const able = can || going;
    const many = _n('%2 step is stale.', '%2 steps are stale.', count, grouped(count));
    past = going ? '' : past;
    const why = count > 0 && says !== past ? says : ''; // of a step of which a person asked for it, though it cannot be run
    const now = why || (going ? says : able ? many : __('Nothing is left to run.'));
    if (now !== said) {
      said = now;
      words.replaceChildren(...spoken(now));
    }
    root.hidden = !able && why === '' && document.activeElement !== act; // who has just pressed it stays where they are
    act.textContent = going ? __('Stop') : __('Run stale');
    attribute(act, 'aria-disabled', !able || null);
    attribute(act, 'title', going ? __('Run no other cell after this one') : __('Run the cells of stale steps, in order'));
    attribute(root, 'data-going', going);
    attribute(root, 'data-done', !able && why === '');
  }
  act.addEventListener('blur', () => draw(stale));

  return {
    root,
    show({ head }) {
      can = head.can_run_stale;
      count = head.stale;
      past = count === 0 ? stale.says : past;
      draw(stale);
    },
    dispose: stale.listen(() => draw(stale)),
  };
}
