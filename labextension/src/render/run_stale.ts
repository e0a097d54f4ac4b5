/** Under the header, while a stale step can be run or cells run one after the other: how many are stale, what runs, or why
 *  it ended; the button that runs them or stops that, and the one by which they hold as they are.
 */

import type { CellRun, Host } from '../view_host';
import { sentence } from '../link';
import type { Dispose, Link } from '../link';
import type { State } from '../store';
import { __, _n } from '../translation';
import { deliberate } from './double_clicks';
import { attribute, h } from './dom';
import { writes } from './read_only';
import { button, showWords } from './status_line';
import { grouped } from './state_signs';

export interface RunStale {
  root: HTMLElement;
  show(state: State): void;
  dispose: Dispose;
}

/** Null where the host runs no cells. */
export function runStale(link: Link, { stale, resume, say }: Host): RunStale | null {
  if (stale === undefined) {
    return null;
  }
  let can = false;
  let count = 0;
  /** Why it ended before all that was stale was fresh: no reason for what is stale now. */
  let past = '';
  const words = h('span', { role: 'status' });
  const all: CellRun[] = resume ? [stale, resume] : [stale];
  const going = (): CellRun | undefined => all.find((each) => each.going);
  const act = writes(button(__('Run stale'), () => (going() ? all.forEach((each) => each.stop()) : void stale.run(undefined, () => undefined))));
  const holds = (): void => void link.ask('confirm', {}).catch((reason) => say(sentence(reason)));
  const confirm = writes(button(__('Confirm all'), holds, 'wfnb-button', { title: __('What is stale holds as it is') }));
  const root = h('div', { class: 'wfnb-notice wfnb-stale', hidden: true }, words, h('div', { class: 'wfnb-wraps' }, act, confirm));
  deliberate(root);

  const draw = (): void => {
    const { going: runs, says } = going() ?? stale;
    const able = can || runs;
    const many = _n('%2 step is stale.', '%2 steps are stale.', count, grouped(count));
    past = runs ? '' : past;
    const why = count > 0 && says !== past ? says : ''; // of a step of which a person asked for it, though it cannot be run
    showWords(words, why || (runs ? says : able ? many : __('Nothing is left to run.')));
    root.hidden = !able && why === '' && !root.contains(document.activeElement); // who has just pressed it stays where they are
    act.textContent = runs ? __('Stop') : __('Run stale');
    attribute(act, 'aria-disabled', !able || null);
    confirm.hidden = runs || !able;
    attribute(act, 'title', runs && __('Run no other cell after this one'));
    attribute(root, 'data-going', runs);
    attribute(root, 'data-done', !able && why === '');
  };
  // not before the press that takes the focus: it would miss what moves up
  root.addEventListener('focusout', () => addEventListener('click', draw, { once: true }));
  const deaf = all.map((each) => each.listen(draw));

  return {
    root,
    show({ head }) {
      can = head.can_run_stale;
      count = head.stale;
      past = count === 0 ? stale.says : past;
      draw();
    },
    dispose: () => deaf.forEach((undo) => undo()),
  };
}
