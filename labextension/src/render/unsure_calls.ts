/** A run is not resumed before a person says of some calls whether to make them again → a form that asks of each. */

import type { Refused } from '../link';
import type { Lost } from '../picture';
import { __ } from '../translation';
import { deliberate } from './double_clicks';
import { h } from './dom';
import { writes } from './read_only';
import { spoken, waits } from './status_line';

/** `goOn` is called with an answer for every call, and with the button that does nothing meanwhile. */
export function cutOffForm(
  run: string,
  refusal: Refused,
  goOn: (lost: Lost, by: HTMLElement) => Promise<unknown>,
): HTMLFormElement {
  const answers = [['again', __('Call it again')], ['done', __('It was done')]] as const;
  const resume = h('button', { type: 'submit', class: 'wfnb-button wfnb-first', 'aria-label': __('Resume: %1', run) }, __('Resume'));
  const form = h(
    'form',
    { class: 'wfnb-ask wfnb-cut-off', 'aria-label': __('Calls of %1', run) },
    h('p', { role: 'alert' }, spoken(refusal.message)),
    refusal.calls.map((call, i) => h(
      'fieldset',
      {},
      h('legend', {}, call),
      h('div', { class: 'wfnb-answers' }, answers.map(([value, label]) => h(
        'label', {}, h('input', { type: 'radio', name: `call-${i}`, value, required: true }), label,
      ))),
    )),
    h('div', { class: 'wfnb-answers' }, resume),
  );

  deliberate(form);
  writes(resume);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!waits(resume)) {
      void goOn(choices(form, refusal.calls), resume);
    }
  });
  return form;
}

/** What is not answered is left out: then the kernel asks again. */
function choices(form: HTMLFormElement, calls: readonly string[]): Lost {
  const chosen = calls.map((call, i) => [call, form.querySelector<HTMLInputElement>(`[name="call-${i}"]:checked`)?.value]);
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as Lost;
}
