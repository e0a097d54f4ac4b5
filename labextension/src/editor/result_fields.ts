/** The names of the fields of results that wfnb's own tools give: `{exit_code}` names no action `exit`. */
export const FIELDS: ReadonlySet<string> = new Set(
  (
    'answer answered_by captures caught cells choice elapsed_time error error_type exit_code failed_cell hidden ' +
    'left_running match_text message missed output process_running result screen_content session_id sessions shell skipped stderr ' +
    'stderr_invalid stderr_size stdout stdout_invalid stdout_size step success text text_invalid text_size time ' +
    'timeout_occurred timestamp total_sessions traceback version web_url workflow_final_state'
  ).split(' '),
);
