/** State by sign and by word: colour only helps. The words are those of the house, and of CSS: `wfnb-is-failed`. */

import type { Line, Row } from '../protocol';
import { term } from '../translation';
import { attribute, h, text } from './dom';

const SIGNS: Readonly<Record<string, string>> = {
  ok: '✓',
  failed: '✕',
  interrupted: '◐',
  unknown: '?',
  stale: '◌',
  revised: '↻',
  edited: '✎',
  running: '▶',
  current: '▶',
  'not yet': '·',
  none: '·',
  'timed out': '◷',
  cancelled: '⊘',
  skipped: '»',
  undone: '↶',
  withdrawn: '⊖',
  abandoned: '✕',
  'passed over': '✕',
  'not run in this kernel': '○',
};

export const AWAY = 'not run in this kernel';

/** A step that ran once, and not in the kernel that is there: its values are not. Nothing of it is in a kernel anyway
 *  where it ran no code, and one that runs elsewhere says that it runs. */
export function away(row: Row): boolean {
  return !row.here && row.outcome !== 'none' && row.outcome !== 'running';
}

export function signOf(state: string): string {
  return SIGNS[state] ?? '·';
}

/** What matters about a step, the most important first. Stale takes the place of ok alone: it never hides how a step
 *  went that did not go well, or that it still goes.
 */
export function statesOf({ outcome, stale, withdrawn }: Row): string[] {
  if (withdrawn && outcome !== 'running') {
    return ['withdrawn'];
  }
  const word = outcome === 'none' ? 'not yet' : outcome;
  return !stale ? [word] : outcome === 'ok' || outcome === 'none' ? ['stale'] : [word, 'stale'];
}

/** What became of a line that was decided against, in the word that texts have for it; '' of any other. */
export function against({ state, over }: Line): '' | 'abandoned' | 'passed over' {
  return state === 'abandoned' ? state : state === 'open' && over ? 'passed over' : '';
}

/** Words that are shown beside their sign; of the others only a screen reader hears. */
const SAID = new Set(['stale', 'running', 'withdrawn', 'interrupted']);

/** `✕ failed`. */
export function signed(state: string): string {
  return `${signOf(state)} ${term(state)}`;
}

/** `✕ failed · ◌ stale`. */
export function signs(states: string[]): string {
  return states.map(signed).join(' · ');
}

/** A sign with its word; `fill` changes it in place. */
export function sign(): { root: HTMLElement; fill(state: string): void } {
  const mark = h('span', { 'aria-hidden': 'true' });
  const word = h('span');
  const root = h('span', { class: 'wfnb-sign' }, mark, ' ', word);
  return {
    root,
    fill(state) {
      attribute(root, 'class', `wfnb-sign wfnb-is-${state.replace(' ', '-')}`);
      text(mark, signOf(state));
      text(word, term(state));
      attribute(word, 'class', SAID.has(state) ? null : 'wfnb-hidden');
    },
  };
}

/** A stage as people say it: `branch evaluation`. */
export function spoken(name: string): string {
  return name.replaceAll('_', ' ');
}

/** "10,000". */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
