/** The last lines that a run printed, in order, with who printed them where that changes. */

import { __ } from '../translation';
import { h } from './dom';
import { reachable } from './tables';

/** Lines that are kept in the page. */
export const MAX_LINES = 500;
const NEAR = 20;

interface Line {
  who: string;
  text: string;
}

export interface Tail {
  root: HTMLElement;
  /** Instead of all lines that are there. */
  begin(lines: readonly Line[]): void;
  add(lines: readonly Line[]): void;
}

export function tail(run: string): Tail {
  const root = h('div', { class: 'wfnb-log', role: 'group', 'aria-label': __('Output of %1', run), hidden: true });
  let last: string | null = null;

  function add(lines: readonly Line[]): void {
    const follows = root.scrollHeight - root.scrollTop - root.clientHeight < NEAR;
    const made = lines.slice(-MAX_LINES).map(({ who, text }) => {
      const named = who !== '' && who !== last;
      last = who;
      return h('div', {}, named && h('span', { class: 'wfnb-who' }, who), text || '\u200b');
    });
    root.append(...made);
    while (root.childElementCount > MAX_LINES) {
      root.firstElementChild?.remove();
    }
    root.hidden = root.childElementCount === 0;
    reachable(root);
    if (follows) {
      root.scrollTop = root.scrollHeight;
    }
  }

  return {
    root,
    add,
    begin(lines) {
      root.replaceChildren();
      last = null;
      add(lines);
    },
  };
}
