/** Questions that wait in runs → a short notice above whatever tab is open, with the way to the form that answers. */

import type { RunHead } from '../protocol';
import type { State } from '../store';
import { __ } from '../translation';
import { attribute, h, text } from './dom';
import { button } from './status_line';

export interface Question {
  root: HTMLElement;
  show(state: State): void;
}

/** "release-1 asks: Release it?", the newest run last. */
export function questions(runs: readonly RunHead[]): { run: string; says: string }[] {
  return runs.flatMap(({ name, asks }) => asks.map(({ question }) => ({ run: name, says: __('%1 asks: %2', name, question) })));
}

export function question(answer: (run: string) => void): Question {
  let run = '';
  const words = h('span', { class: 'wfnb-question' });
  const leads = button(__('Answer'), () => answer(run), 'wfnb-button wfnb-first');
  const root = h('div', { class: 'wfnb-notice wfnb-asked', hidden: true }, words, leads);
  return {
    root,
    show({ runs }) {
      const waiting = questions(runs);
      const newest = waiting.at(-1);
      root.hidden = newest === undefined;
      run = newest?.run ?? '';
      text(words, newest ? newest.says + (waiting.length > 1 ? ` · ${__('%1 more', waiting.length - 1)}` : '') : '');
      attribute(words, 'title', newest?.says);
      attribute(leads, 'aria-label', newest ? __('Answer %1', run) : null);
    },
  };
}
