/** What changed → the sentence that a screen reader hears: the newest step and how it went, else the head's own; then
 *  what a run asks.
 */

import type { State } from '../store';
import { __, term, translation } from '../translation';
import { questions } from './question_notice';
import { statesOf } from './state_signs';
import type { Changed } from './tab';

export function news(say: (words: string) => void): (state: State, changed: Changed) => void {
  let before: { step: string; says: string; session: string } | null = null;
  let asked = new Set<string>();

  function happened(state: State, changed: Changed): string {
    if (!changed.has('head') && !changed.has('row')) {
      return '';
    }
    const row = state.row(state.count - 1);
    const step = row ? __('Step %1: %2. %3.', row.number, row.title, statesOf(row).map((state) => term(state)).join(', ')) : '';
    const { says, session } = state.head;
    const known = before;
    before = { step: step || (known?.step ?? ''), says, session };
    if (known === null || known.session !== session) {
      return '';
    }
    return step !== '' && step !== known.step ? step : says !== known.says ? translation(says) : '';
  }
  function asks(state: State): string[] {
    const waiting = questions(state.runs).map(({ says }) => says);
    const fresh = waiting.filter((says) => !asked.has(says));
    asked = new Set(waiting);
    return fresh;
  }

  return (state, changed) => {
    const words = [happened(state, changed), ...(changed.has('runs') ? asks(state) : [])].filter(Boolean);
    if (words.length > 0) {
      say(words.join(' '));
    }
  };
}
