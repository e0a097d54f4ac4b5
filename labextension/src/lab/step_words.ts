/** A step in few words: for badges and the status bar. A sign always has its word. */

import type { Head, Line, Row } from '../protocol';
import { AWAY, against, away, signed, signOf, signs, spoken, statesOf } from '../render/state_signs';
import { __, _n, term } from '../translation';

/** `step 3`, `robust`, `observation`, `✕ failed · ◌ stale`, `↻ revised`; of a line that was decided against `✕ robust · abandoned`.
 *  `edited`: the cell is another one by now, so that its ✓ says nothing of it.
 */
export function parts(row: Row, line?: Line, edited = false): string[] {
  const states = statesOf(row).filter((state) => state !== 'not yet' && !(edited && state === 'ok'));
  const over = line === undefined ? '' : against(line);
  return [
    __('step %1', row.number),
    row.branch === 'main' ? '' : over ? `${signOf(over)} ${row.branch} · ${term(over)}` : row.branch,
    spoken(row.stage ?? ''),
    edited ? signed('edited') : '',
    signs(states),
    row.revised_by === null ? '' : signed('revised'),
    away(row) ? signed(AWAY) : '',
  ].filter((part) => part !== '');
}

/** Where the session is: `step 3/5 · alt · plan`; `last` is the step that the next one follows. */
export function place(head: Head, last?: Row): string {
  const far = head.total !== null && last ? __('step %1/%2', last.number, head.total) : _n('%1 step', '%1 steps', head.steps);
  return [far, head.line, spoken(head.stage ?? '')].filter((part) => part !== '').join(' · ');
}
