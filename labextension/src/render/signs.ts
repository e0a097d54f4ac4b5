/** State by sign and by word: colour only helps. The words are those of the house, and of CSS: `wfnb-is-failed`. */

import type { Line, Row } from '../picture';
import { attribute, h, text } from './dom';

const SIGNS: Readonly<Record<string, string>> = {
  ok: '✓',
  failed: '✕',
  interrupted: '◐',
  unknown: '?',
  stale: '◌',
  revised: '↻',
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
};

export function signOf(state: string): string {
  return SIGNS[state] ?? '·';
}

/** The one word that says most of a step. */
export function stateOf(row: Row): string {
  if (row.outcome === 'running') {
    return 'running';
  }
  return row.withdrawn ? 'withdrawn' : row.stale ? 'stale' : row.outcome === 'none' ? 'not yet' : row.outcome;
}

/** What became of a line that was decided against, in the word that texts have for it; '' of any other. */
export function against({ state, over }: Line): '' | 'abandoned' | 'passed over' {
  return state === 'abandoned' ? state : state === 'open' && over ? 'passed over' : '';
}

/** Words that are shown beside their sign; of the others only a screen reader hears. */
const SAID = new Set(['stale', 'running', 'withdrawn', 'interrupted']);

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
      text(word, state);
      attribute(word, 'class', SAID.has(state) ? null : 'wfnb-hidden');
    },
  };
}

/** "10,000". */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
