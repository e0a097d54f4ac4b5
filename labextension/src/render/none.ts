/** Rows of which there is none → the sentence that says why, and what makes or shows one. */

import type { State } from '../store';
import type { Source } from './source';

const NONE = 'No step yet. A cell that begins with %%step makes the first one.';
const RUNS = ' What was run without one is in the tab Runs.';
const NONE_PASSES = 'No step passes this filter.';

export function none(from: Source, { runs }: State): string {
  return from.whole ? `${NONE}${runs.length > 0 ? RUNS : ''}` : NONE_PASSES;
}
