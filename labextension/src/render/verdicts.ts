/** What can be decided about each line but those that were merged, and about the current one: switch to it; select or
 *  abandon it, with a reason. What was passed over or abandoned can still be chosen.
 */

import type { Link } from '../link';
import type { Line } from '../picture';
import { __, term } from '../words';
import { switches } from './deeds';
import { deliberate } from './deliberate';
import { attribute, each, h, text } from './dom';
import { keeping } from './focus';
import { writes } from './read_only';
import { button, statusLine } from './status_line';
import { against, signed } from './signs';

type Verdict = 'select' | 'abandon';
const LONGEST = 2000;

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
  const words = verdictWords(id);
  const told = statusLine();
  const state = h('span', { class: 'wfnb-dim' });
  const go = writes(button(__('Switch'), () => void told.of(() => link.ask('switch', { branch: id }), [go])));
  const select = writes(button(words.select.does, () => toggle('select')));
  const abandon = writes(button(words.abandon.does, () => toggle('abandon')));
  const buttons = { select, abandon };
  attribute(go, 'aria-label', __('Switch to %1', id));
  attribute(go, 'title', switches());
  const reason = h('input', {
    type: 'text', maxlength: LONGEST, autocomplete: 'off', 'data-lm-suppress-shortcuts': 'true',
    placeholder: __('why (may stay empty)'),
  });
  const sure = h('button', { type: 'submit', class: 'wfnb-button wfnb-first' });
  const form = h('form', { class: 'wfnb-reason', hidden: true }, reason, sure);
  const name = h('span', { class: 'wfnb-name', title: id }, id);
  const root = h(
    'li',
    { tabindex: -1, 'aria-label': id },
    h('div', { class: 'wfnb-verdict' }, name, state, h('span', { class: 'wfnb-choice' }, go, select, abandon)),
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
    text(sure, words[verdict].does);
    attribute(sure, 'aria-label', words[verdict].now);
    attribute(reason, 'aria-label', words[verdict].why);
    expanded();
    if (opens) {
      reason.focus();
    }
  }
  function close(): void {
    form.hidden = true;
    told.say('');
    expanded();
    [buttons[wanted], go, select, abandon].find(({ hidden }) => !hidden)?.focus();
  }
  function expanded(): void {
    attribute(select, 'aria-expanded', !form.hidden && wanted === 'select');
    attribute(abandon, 'aria-expanded', !form.hidden && wanted === 'abandon');
  }
  for (const verb of ['select', 'abandon'] as const) {
    attribute(buttons[verb], 'aria-label', words[verb].it);
  }
  expanded();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const why = reason.value.trim();
    const args = { branch: id, ...(why && { reason: why }) };
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
          select.hidden = line.state === 'selected';
          abandon.hidden = line.id === 'main' || line.state === 'abandoned';
        },
        () => first(root),
      );
    },
  };
}

/** What a verdict on the line `id` is called. */
function verdictWords(id: string): Readonly<Record<Verdict, { does: string; it: string; now: string; why: string }>> {
  return {
    select: { does: __('Select'), it: __('Select %1', id), now: __('Select %1 now', id), why: __('Why select %1', id) },
    abandon: { does: __('Abandon'), it: __('Abandon %1', id), now: __('Abandon %1 now', id), why: __('Why abandon %1', id) },
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
