/** Rows of which there is none → the sentence that says why, and what makes or shows one. */

import type { State } from '../store';
import { __ } from '../words';
import type { Source } from './source';

const STEP = '%%step';

export function none(from: Source, { runs, head }: State): string {
  if (from.whole && head.hidden > 0) {
    return __('All steps are hidden.');
  }
  if (!from.whole) {
    return __('No step passes this filter.');
  }
  return runs.length > 0
    ? __('No step yet. A cell that begins with %1 makes the first one. What was run without one is in the tab Runs.', STEP)
    : __('No step yet. A cell that begins with %1 makes the first one.', STEP);
}
