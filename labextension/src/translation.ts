/** What a person reads, in the language of the page: `__('Step %1 is not stale.', row.number)`. It is English until
 *  JupyterLab has another language (`speak`), and always in the widget of a cell. Called where a text is shown, never as
 *  a module is loaded: the language is not known then.
 *
 *  Texts stand in the call as they are, for `extract_texts.mjs` to find. Names and code are values: `%1`, not `%%step`.
 */

type Value = string | number;

/** What JupyterLab has for a language. */
export interface Language {
  __(text: string, ...values: Value[]): string;
  _n(one: string, many: string, count: number, ...values: Value[]): string;
}

/** Filled in by themselves, since JupyterLab's way changes a `%% ` that a value has. */
const PLACES = Array.from({ length: 9 }, (_, at) => `%${at + 1}`);

let language: Language = { __: (text) => text, _n: (one, many, count) => (count === 1 ? one : many) };

/** As JupyterLab was told to; `wfnb/locale/` has the words. */
export function speak(translator: { load(domain: string): Language } | null): void {
  language = translator?.load('wfnb') ?? language;
}

export function __(text: string, ...values: Value[]): string {
  return filled(language.__(text, ...PLACES), values);
}

/** `%1` is the count. */
export function _n(one: string, many: string, count: number, ...values: Value[]): string {
  return filled(language._n(one, many, count, ...PLACES.slice(1)), [count, ...values]);
}

/** A word that the kernel takes from a list, as `failed`; what is in no list stays as it is. */
export function term(word: Term | (string & {})): string {
  return language.__(word);
}

/** A sentence of the kernel, where the language has it: code and numbers are its values, and parts between ` · ` stand
 *  alone. Else as it is.
 */
export function translation(says: string): string {
  return says.split(' · ').map(clause).join(' · ');
}

function clause(part: string): string {
  const values: string[] = [];
  const text = part.replace(/`[^`]*`|\d+(?:,\d{3})*/g, (value) => `%${values.push(value)}`);
  const strange = values.length > PLACES.length || part.replace(/`[^`]*`/g, '').includes('%');
  return strange ? part : __(text, ...values);
}

function filled(text: string, values: readonly Value[]): string {
  return text.replace(/%(\d)/g, (_, place) => String(values[Number(place) - 1]));
}

/** The lists. */
export type Term =
  // how a step, an action or a run is
  | 'ok' | 'failed' | 'interrupted' | 'unknown' | 'stale' | 'revised' | 'edited' | 'running' | 'current' | 'not yet'
  | 'not run' | 'timed out' | 'cancelled' | 'skipped' | 'undone' | 'withdrawn' | 'not run in this kernel' | 'success'
  | 'partial success' | 'being undone' | 'not undone' | 'rolled back' | 'partly rolled back' | 'parked'
  // what became of a line, and of a hypothesis
  | 'open' | 'selected' | 'merged' | 'abandoned' | 'passed over' | 'confirmed' | 'standing' | 'refuted' | 'replaced' | 'discarded'
  // how bad an issue is
  | 'critical' | 'high' | 'medium' | 'low'
  // the facts of a step
  | 'it may' | 'settled by' | 'attempts' | 'warning' | 'not kept' | 'by' | 'took' | 'stage' | 'revises' | 'revised by'
  | 'runs' | 'tags'
  // the facts of a line beside others
  | 'steps' | 'outcome' | 'seconds' | 'result' | 'confidence' | 'hypothesis' | 'score' | 'state' | 'why' | 'last step';

/** Sentences and clauses of the kernel that are seen most. */
export type Clause =
  | '%1 step on %2 line' | '%1 steps on %2 line' | '%1 step on %2 lines' | '%1 steps on %2 lines'
  | '%1 run' | '%1 runs' | '%1 stale' | '%1 hidden' | 'plain cells are steps'
  | 'solved' | 'complete, not solved by evidence' | 'not solved yet' | 'not solved yet: no step counts'
  | 'not solved yet: %1 of %2 steps' | 'not solved yet: step %1 is running' | 'not solved yet: step %1 failed'
  | 'not solved yet: step %1 was interrupted' | 'not solved yet: step %1 is stale'
  | 'not solved yet: step %1 says that more is needed' | 'not solved yet: %1 steps are stale'
  | 'not solved yet: branch %1 is open' | 'not solved yet: no step is marked as the last (%1)'
  | 'not solved yet: no step of main is marked as the last (%1)'
  | 'not solved yet: no step of branch %1 is marked as the last (%2)'
  | 'This notebook has no history yet. %1 in a cell begins one.' | 'No session yet. %1 or %2 begins one.'
  | 'The history that this notebook names is in no folder of this server. Its kernel looks further, and begins a new one where it finds none.'
  | 'No session is in use yet. %1 goes on with the last one.' | 'wfnb was unloaded from this kernel. %1 brings it back.'
  | '%1 other views of this session are in use. Come back to this one to go on with it.'
  | '✓ ok' | '✕ failed at %1' | '◐ interrupted at %1' | '? unknown at %1' | '▶ running at %1'
  | '%1 back' | '%1 replaced' | '%1 unchanged' | '%1 not back' | 'nothing to restore'
  | 'kept' | 'kept by version %1' | 'kept by an earlier attempt';
