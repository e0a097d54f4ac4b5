/** A step in few words: for badges and the status bar. A sign always has its word. */

import type { Head, Line, Row } from '../picture';
import { against, signOf, stateOf } from '../render/signs';

/** `step 3`, `robust`, `observation`, `◌ stale`, `↻ revised`; of a line that was decided against `✕ robust · abandoned`. */
export function parts(row: Row, line?: Line): string[] {
  const state = stateOf(row);
  const over = line === undefined ? '' : against(line);
  return [
    `step ${row.number}`,
    row.branch === 'main' ? '' : over ? `${signOf(over)} ${row.branch} · ${over}` : row.branch,
    row.stage ?? '',
    row.outcome === 'none' && state === 'not yet' ? '' : `${signOf(state)} ${state}`,
    row.revised_by === null ? '' : `${signOf('revised')} revised`,
  ].filter((part) => part !== '');
}

/** Where the session is: `step 3/5 · alt · plan`; `last` is the step that the next one follows. */
export function place(head: Head, last?: Row): string {
  const far = head.total !== null && last ? `step ${last.number}/${head.total}` : `${head.steps} steps`;
  return [far, head.line, head.stage ?? ''].filter((part) => part !== '').join(' · ');
}
