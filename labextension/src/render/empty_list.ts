/** Rows of which there is none → what says why, and what makes or shows one. */

import type { Host } from '../view_host';
import type { State } from '../store';
import { __ } from '../translation';
import type { Source } from './row_source';

const STEP = '%%step';

export function none(from: Source, { runs, head }: State, host: Host): string {
  if (from.whole && head.hidden > 0) {
    return __('All steps are hidden.');
  }
  if (!from.whole) {
    return __('No step passes this filter.');
  }
  const first =
    host.newStep && host.makeStep
      ? __('No step yet. %1 below makes the first one, or %2 over a cell.', __('New step'), __('Make this cell a step'))
      : __('No step yet. A cell that begins with %1 makes the first one.', STEP);
  return runs.length > 0 ? `${first} ${__('What was run without one is in the tab Runs.')}` : first;
}
