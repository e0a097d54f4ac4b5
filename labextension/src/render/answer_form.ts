/** What a run asks → a form: its choices as buttons, else a field, with what happens if nobody answers. */

import type { OpenQuestion } from '../protocol';
import { __ } from '../translation';
import { deliberate } from './double_clicks';
import { attribute, each, h, text } from './dom';
import { writes } from './read_only';
import { statusLine } from './status_line';

/** Characters of an answer. */
const MAX_LENGTH = 100_000;

/** The open questions of the run `of`, and of runs that it called. A form stays as long as the call that asks, and so
 *  does what is typed there: the same question of the next call has a new one.
 */
export function answerForms(
  of: string,
  answer: (asked: OpenQuestion, words: string) => Promise<unknown>,
): { root: HTMLElement; show(asks: readonly OpenQuestion[]): void } {
  const root = h('div', { class: 'wfnb-asks', hidden: true });
  const fill = each<OpenQuestion, HTMLFormElement>(
    root,
    (asked) => JSON.stringify(asked),
    (asked) => answerForm(asked, (words) => answer(asked, words), asked.run === of ? '' : asked.run),
  );
  return {
    root,
    show(asks) {
      root.hidden = asks.length === 0;
      fill(asks);
    },
  };
}

/** `called`: the run that asks, where it is not the one that a person looks at. */
export function answerForm(
  asked: OpenQuestion,
  answer: (words: string) => Promise<unknown>,
  called = '',
): HTMLFormElement {
  const told = statusLine();
  const sent = h('span', { class: 'wfnb-dim', role: 'status' });
  const field = asked.choices.length === 0 ? fieldOf(asked) : null;
  const buttons = field === null ? asked.choices.map((choice) => choiceOf(choice, asked.default)) : [submit()];
  const form = h(
    'form',
    { class: 'wfnb-ask' },
    h(
      'fieldset',
      {},
      h('legend', {}, h('span', { class: 'wfnb-dim' }, asks(asked.action, called)), ' ', asked.question),
      h('div', { class: 'wfnb-answers' }, field, buttons, sent),
      asked.otherwise && h('p', { class: 'wfnb-dim' }, __('If nobody answers: %1.', asked.otherwise)),
      told.root,
    ),
  );

  deliberate(form);
  buttons.forEach(writes);
  told.until(form);

  async function send(words: string): Promise<void> {
    text(sent, '');
    if ((await told.of(() => answer(words), buttons)) && form.isConnected) {
      text(sent, __('sent'));
      if (asked.secret && field) {
        field.value = '';
      }
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void (field && send(field.value));
  });
  if (field === null) {
    buttons.forEach((button, i) => {
      button.addEventListener('click', () => void send(asked.choices[i] as string));
    });
  }
  return form;
}

function asks(action: string, called: string): string {
  return called ? __('%1: %2 asks:', called, action) : __('%1 asks:', action);
}

export function fieldOf(asked: Pick<OpenQuestion, 'secret' | 'question' | 'default'>): HTMLInputElement {
  const field = h('input', {
    type: asked.secret ? 'password' : 'text', maxlength: MAX_LENGTH, spellcheck: 'false',
    autocomplete: asked.secret ? 'new-password' : 'off', 'aria-label': asked.question,
    'data-lm-suppress-shortcuts': 'true', onfocus: () => field.select(),
  });
  field.defaultValue = asked.secret ? '' : (asked.default ?? '');
  return field;
}

function choiceOf(choice: string, usual: string | null): HTMLButtonElement {
  const first = choice === usual ? ' wfnb-first' : '';
  const button = h('button', { type: 'button', class: `wfnb-button${first}` }, choice);
  attribute(button, 'aria-label', choice === usual ? __('%1 (default)', choice) : null);
  return button;
}

function submit(): HTMLButtonElement {
  return h('button', { type: 'submit', class: 'wfnb-button wfnb-first' }, __('Answer'));
}
