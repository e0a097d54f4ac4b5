/** The bar that filters the timeline: words, and behind a button branch, stage and outcome. It tells a `Filter`, or
 *  null where everything passes.
 */

import type { Dispose } from '../link';
import type { Filter, Line } from '../protocol';
import type { State } from '../store';
import { __, term } from '../translation';
import { attribute, each, h, text } from './dom';
import { button } from './status_line';
import { grouped, spoken } from './state_signs';

const PAUSE = 180;

export interface FilterBar {
  root: HTMLElement;
  /** What can be chosen. */
  offer(state: State): void;
  /** How many pass, of how many; null passes: not known yet. */
  count(passes: number | null, count: number): void;
  focus(): void;
  clear(): void;
  dispose: Dispose;
}

/** `everywhere` searches all sessions for words, where there is such a thing. */
export function filterBar(
  id: string,
  told: (filter: Filter | null) => void,
  leave: () => void,
  everywhere?: (words: string) => void,
): FilterBar {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 'null';

  const words = h('input', {
    type: 'search', class: 'wfnb-search', placeholder: __('Search steps'), 'aria-label': __('Search steps'),
    'aria-keyshortcuts': '/', autocomplete: 'off', spellcheck: 'false', maxlength: 200, 'data-lm-suppress-shortcuts': 'true',
  });
  const toggle = button(__('Filter'), unfold, undefined, { 'aria-expanded': 'false', 'aria-controls': `${id}-choices` });
  const choice = (name: string, say = (value: string) => value): { select: HTMLSelectElement; fill(values: readonly string[]): void } => {
    const select = h('select', { 'aria-label': name });
    const fill = each<string, HTMLOptionElement>(
      select,
      (value) => value,
      (value) => h('option', { value }, value ? say(value) : name),
    );
    fill(['']);
    select.addEventListener('change', tell);
    return { select, fill: (values) => fill(['', ...values]) };
  };
  const branch = choice(__('branch'));
  const stage = choice(__('stage'), spoken);
  const outcome = choice(__('outcome'), (word) => term(word));
  const choices = h(
    'div',
    { class: 'wfnb-choices', id: `${id}-choices`, hidden: true },
    branch.select, stage.select, outcome.select,
  );
  const hidden = button('', () => {
    attribute(hidden, 'aria-pressed', !hides());
    tell();
  }, 'wfnb-link wfnb-hides', { 'aria-pressed': 'false', hidden: true });
  const says = h('span');
  const all = button(__('show all'), leaves, 'wfnb-link');
  const beyond = everywhere && button(__('in all sessions'), () => everywhere(words.value.trim()), 'wfnb-link');
  const result = h('div', { class: 'wfnb-found', hidden: true }, says, ' · ', all, beyond && [' · ', beyond]);
  const root = h(
    'div',
    { role: 'search', class: 'wfnb-filter' },
    h('div', { class: 'wfnb-filter-line' }, words, toggle, hidden),
    choices,
    result,
  );

  const hides = (): boolean => hidden.getAttribute('aria-pressed') === 'true';
  function wanted(): Filter | null {
    const given = Object.entries({
      branch: branch.select.value, stage: stage.select.value, outcome: outcome.select.value, text: words.value.trim(),
    }).filter(([, value]) => value);
    const filter = Object.fromEntries(given) as Filter;
    const all = hides() ? { ...filter, hidden: true } : filter;
    return Object.keys(all).length > 0 ? all : null;
  }
  function tell(): void {
    clearTimeout(timer);
    const filter = wanted();
    const said = JSON.stringify(filter);
    if (said !== last) {
      last = said;
      result.hidden = filter === null;
      told(filter);
    }
  }
  function clear(): void {
    attribute(hidden, 'aria-pressed', false);
    words.value = branch.select.value = stage.select.value = outcome.select.value = '';
    tell();
  }

  function unfold(): void {
    choices.hidden = !choices.hidden;
    attribute(toggle, 'aria-expanded', !choices.hidden);
  }
  function leaves(): void {
    clear();
    leave();
  }

  words.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(tell, PAUSE);
  });
  words.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      tell();
      leave();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      leaves();
    }
    event.stopPropagation();
  });
  return {
    root,
    offer({ head, lines }) {
      branch.fill(lines.map((line: Line) => line.id));
      stage.fill(head.stages);
      stage.select.hidden = head.stages.length === 0;
      hidden.hidden = head.hidden === 0;
      text(hidden, __('%1 hidden', grouped(head.hidden)));
      attribute(hidden, 'title', __('Show the steps that are hidden, and nothing else'));
      if (head.hidden === 0 && hides()) {
        attribute(hidden, 'aria-pressed', false);
        tell();
      }
      outcome.fill([...head.outcomes, ...(head.stale > 0 ? ['stale'] : [])]);
    },
    count(passes, count) {
      text(says, passes === null ? __('searching') : __('%1 of %2 steps', grouped(passes), grouped(count)));
    },
    focus() {
      words.focus();
      words.select();
    },
    clear,
    dispose: () => clearTimeout(timer),
  };
}
