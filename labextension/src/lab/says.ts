/** A step in few words: for badges and the status bar. A sign always has its word. */

import type { Head, Row } from '../picture';
import { signOf, stateOf } from '../render/signs';

/** `step 3`, `robust`, `observation`, `◌ stale`, `↻ revised`. */
export function parts(row: Row): string[] {
  const state = stateOf(row);
  return [
    `step ${row.number}`,
    row.branch === 'main' ? '' : row.branch,
    row.stage ?? '',
    row.outcome === 'none' && state === 'not yet' ? '' : `${signOf(state)} ${state}`,
    row.revised_by === null ? '' : `${signOf('revised')} revised`,
  ].filter((part) => part !== '');
}

export const place = (head: Head): string =>
  [head.total === null ? `${head.steps} steps` : `${head.steps}/${head.total} steps`, head.line, head.stage ?? '']
    .filter((part) => part !== '')
    .join(' · ');
