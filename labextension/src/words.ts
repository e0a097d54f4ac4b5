/** What a person reads, in the language of the page: `__('Step %1 is not stale.', row.number)`. It is English until
 *  JupyterLab has another language (`speak`), and always in the widget of a cell. Called where a text is shown, never as
 *  a module is loaded: the language is not known then.
 *
 *  Texts stand in the call as they are, for `words.mjs` to find. Names and code are values: `%1`, not `%%step`.
 */

type Value = string | number;

/** What JupyterLab has for a language. */
export interface Language {
  __(text: string, ...values: Value[]): string;
  _n(one: string, many: string, count: number, ...values: Value[]): string;
}

/** Filled in by themselves, since JupyterLab's way changes a `%% ` that a value has. */
const PLACES = ['%1', '%2', '%3', '%4'];

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

function filled(text: string, values: readonly Value[]): string {
  return text.replace(/%(\d)/g, (_, place) => String(values[Number(place) - 1]));
}

/** The lists. */
export type Term =
  // how a step, an action or a run is
  | 'ok' | 'failed' | 'interrupted' | 'unknown' | 'stale' | 'revised' | 'edited' | 'running' | 'current' | 'not yet'
  | 'not run' | 'timed out' | 'cancelled' | 'skipped' | 'undone' | 'withdrawn' | 'not run in this kernel' | 'success'
  | 'partial success' | 'rolled back' | 'partly rolled back' | 'parked'
  // what became of a line, and of a hypothesis
  | 'selected' | 'merged' | 'abandoned' | 'passed over' | 'confirmed' | 'standing' | 'refuted' | 'replaced' | 'discarded'
  // how bad an issue is
  | 'critical' | 'high' | 'medium' | 'low'
  // the facts of a line beside others
  | 'steps' | 'outcome' | 'seconds' | 'confidence' | 'hypothesis' | 'score' | 'state' | 'why' | 'last step';
