/** What can be decided about each line but those that were merged, and about the current one: switch to it; select,
 *  abandon, merge or score it, with a reason. What was passed over or abandoned can still be chosen.
 */

import type { Link } from '../link';
import type { Line } from '../protocol';
import { __, term } from '../translation';
import { switches } from './step_actions';
import { deliberate } from './double_clicks';
import { attribute, each, h, text } from './dom';
import { keeping } from './focus_repair';
import { writes } from './read_only';
import { button, statusLine } from './status_line';
import { against, signed } from './state_signs';

type Verdict = 'select' | 'abandon' | 'merge' | 'score';
/** Characters of a reason. */
const MAX_LENGTH = 2000;

export interface Verdicts {
  root: HTMLElement;
  offer(lines: readonly Line[], current: string): void;
}

interface VerdictForm {
  root: HTMLElement;
  fill(line: Line, current: string): void;
}

export function verdicts(link: Link): Verdicts {
  const list = h('ul', { class: 'wfnb-verdicts', tabindex: -1, 'aria-label': __('Lines to decide about') });
  const made = new WeakMap<Element, VerdictForm>();
  let here = 'main';
  const fill = each<Line, HTMLElement>(
    list,
    ({ id }) => id,
    ({ id }) => {
      const item = verdict(link, id);
      made.set(item.root, item);
      return item.root;
    },
    (item, line) => made.get(item)?.fill(line, here),
  );
  deliberate(list);
  return {
    root: list,
    offer(lines, current) {
      here = current;
      const at = [...list.children].findIndex((item) => item.contains(document.activeElement));
      const offered = lines.length > 1 ? lines.filter(({ id, state }) => id === here || state !== 'merged') : [];
      keeping(
        list,
        () => fill(offered),
        () => first(list.children[Math.min(at, list.children.length - 1)] ?? null),
      );
    },
  };
}

function verdict(link: Link, id: string): VerdictForm {
  let wanted: Verdict = 'select';
  const told = statusLine();
  const state = h('span', { class: 'wfnb-dim' });
  const go = writes(button(__('Switch'), () => void told.of(() => link.ask('switch', { branch: id }), [go]), undefined, {
    'aria-label': __('Switch to %1', id), title: switches(),
  }));
  const names: Readonly<Record<Verdict, string>> = {
    select: __('Select'), abandon: __('Abandon'), merge: __('Merge'), score: __('Score'),
  };
  const buttons = Object.entries(names).map(([verb, name]) => {
    const made = button(name, () => toggle(verb as Verdict), undefined, { 'aria-label': `${name} ${id}` });
    return [verb as Verdict, writes(made)] as const;
  });
  const field = { autocomplete: 'off', 'data-lm-suppress-shortcuts': 'true' } as const;
  const score = h('input', { ...field, type: 'number', required: true, 'aria-label': __('Score') });
  attribute(score, 'step', 'any');
  const reason = h('input', { ...field, type: 'text', maxlength: MAX_LENGTH, placeholder: __('why (may stay empty)') });
  const sure = h('button', { type: 'submit', class: 'wfnb-button wfnb-first' });
  const form = h('form', { class: 'wfnb-reason', hidden: true }, score, reason, sure);
  const name = h('span', { class: 'wfnb-name', title: id }, id);
  const root = h(
    'li',
    { tabindex: -1, 'aria-label': id },
    h('div', { class: 'wfnb-verdict' }, name, state, h('span', { class: 'wfnb-choice' }, go, buttons.map(([, made]) => made))),
    form,
    told.root,
  );
  told.until(root);

  function toggle(verdict: Verdict): void {
    const opens = form.hidden || wanted !== verdict;
    if (wanted !== verdict) {
      reason.value = ''; // it was why to do the opposite
    }
    wanted = verdict;
    form.hidden = !opens;
    score.hidden = score.disabled = verdict !== 'score';
    text(sure, names[verdict]);
    attribute(sure, 'aria-label', __('%1 now', `${names[verdict]} ${id}`));
    expanded();
    if (opens) {
      (score.hidden ? reason : score).focus();
    }
  }
  function close(): void {
    form.hidden = true;
    told.say('');
    expanded();
    (buttons.find(([verb, made]) => verb === wanted && !made.hidden)?.[1] ?? first(root))?.focus();
  }
  function expanded(): void {
    buttons.forEach(([verb, made]) => attribute(made, 'aria-expanded', !form.hidden && wanted === verb));
  }
  expanded();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const why = reason.value.trim();
    const args = { branch: id, score: score.disabled ? undefined : score.valueAsNumber, ...(why && { reason: why }) };
    void told.of(() => link.ask(wanted, args), [sure]).then((well) => {
      if (well) {
        reason.value = '';
        close();
      }
    });
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });

  return {
    root,
    fill(line, current) {
      text(state, [line.id === current && signed('current'), fate(line)].filter(Boolean).join(' · '));
      keeping(
        root,
        () => {
          go.hidden = line.id === current;
          // A line that is `selected` can be selected no more; main stays.
          buttons.forEach(([verb, made]) => {
            made.hidden = line.state.startsWith(verb) || (id === 'main' && (verb === 'abandon' || verb === 'merge'));
          });
        },
        () => first(root),
      );
    },
  };
}

function fate(line: Line): string {
  const word = against(line);
  if (word !== '') {
    return signed(word);
  }
  return line.state === 'selected' ? `✓ ${term(line.state)}` : line.state === 'open' ? '' : term(line.state);
}

/** The first thing to do in a line. */
function first(item: Element | null): HTMLElement | null {
  return item?.querySelector<HTMLElement>('.wfnb-choice > button:not([hidden])') ?? null;
}
