/** What is loaded when a person first asks for one of these: as one file, since several are larger together. */

export { cancelRun, goToStep, report, runWorkflow, sessions } from './command_questions';
export { lead } from './search_hit_opening';
export { openMenu } from './context_menu';
export { ask, codeCells, resumption } from './resume';
export { search } from './search_dialog';
