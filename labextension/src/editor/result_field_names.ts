/** The names of the fields of results that wfnb's own tools give: `{exit_code}` names no action `exit`. */

import type { Data } from './definition_data';

const FIELDS: ReadonlySet<string> = new Set(
  (
    'answer answered_by captures caught cells choice elapsed_time error error_type exit_code failed_cell hidden ' +
    'left_running match_text message missed output process_running result screen_content session_id sessions shell skipped stderr ' +
    'stderr_invalid stderr_size stdout stdout_invalid stdout_size step success text text_invalid text_size time ' +
    'timeout_occurred timestamp total_sessions traceback version web_url workflow_final_state'
  ).split(' '),
);
/** Plain words like `run` and `status`: names that are free in a workflow that runs no other. */
const OF_NESTED_RUN = (
  'final_state final_variables outputs recursion_depth run saved_workflow_name states_executed status ' +
  'total_elapsed_time workflow_saved'
).split(' ');

/** The fields that results in this definition may have. */
export function resultFields(data: Data): ReadonlySet<string> {
  return JSON.stringify(data).includes('"run_workflow"') ? new Set([...FIELDS, ...OF_NESTED_RUN]) : FIELDS;
}
