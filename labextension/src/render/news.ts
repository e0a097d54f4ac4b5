/** What changed → the sentence that a screen reader hears: the newest step and how it went, else the head's own. */

import type { State } from '../store';
import { stateOf } from './signs';
import type { Changed } from './tab';

export function news(say: (words: string) => void): (state: State, changed: Changed) => void {
  let before: { step: string; says: string; session: string } | null = null;

  return (state, changed) => {
    if (!changed.has('head') && !changed.has('row')) {
      return;
    }
    const row = state.row(state.count - 1);
    const step = row ? `Step ${row.number}: ${row.title}. ${stateOf(row)}.` : '';
    const { says, session } = state.head;
    if (before !== null && before.session === session) {
      const fresh = step !== '' && step !== before.step ? step : says !== before.says ? says : '';
      if (fresh !== '') {
        say(fresh);
      }
    }
    before = { step: step || (before?.step ?? ''), says, session };
  };
}
