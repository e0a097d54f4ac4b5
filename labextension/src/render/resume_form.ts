/** What a person may say before a run goes on → a form: other values of its variables; or of each call that was cut off,
 *  whether to make it again.
 */

import type { Asks, SavedWorkflow } from '../protocol';
import { __ } from '../translation';
import { fieldOf } from './answer_form';
import { deliberate } from './double_clicks';
import { h } from './dom';
import { writes } from './read_only';
import { spoken } from './status_line';

export type ResumeAnswer = Pick<Asks['resume'][0], 'lost' | 'variables'>;

/** Of one or the other. */
export interface ResumeQuestion {
  says?: string;
  calls?: readonly string[];
  variables?: SavedWorkflow['variables'];
}

/** `goOn` is called with what was said, and with the button that does nothing meanwhile. What was left as it stands, or is
 *  not answered, is not said: then it holds, or the kernel asks again.
 */
export function resumeForm(
  run: string,
  { says = '', calls = [], variables = [] }: ResumeQuestion,
  goOn: (given: ResumeAnswer, by: HTMLElement) => Promise<unknown>,
): HTMLFormElement {
  const answers = [['again', __('Call it again')], ['done', __('It was done')]] as const;
  const resume = h('button', { type: 'submit', class: 'wfnb-button wfnb-first', 'aria-label': __('Resume: %1', run) }, __('Resume'));
  const fields = variables.map(({ name, ...of }) => fieldOf({ question: name, ...of }));
  const form = h(
    'form',
    { class: 'wfnb-ask wfnb-cut-off' },
    says && h('p', { role: 'alert' }, spoken(says)),
    calls.map((call, i) => h(
      'fieldset',
      {},
      h('legend', {}, call),
      h('div', { class: 'wfnb-answers' }, answers.map(([value, label]) => h(
        'label', {}, h('input', { type: 'radio', name: `call-${i}`, value, required: true }), label,
      ))),
    )),
    fields.length > 0 && h('div', { class: 'wfnb-describing' }, variables.map(({ name, description }, i) => h('label', { title: description }, name, fields[i]))),
    h('div', { class: 'wfnb-answers' }, resume),
  );

  deliberate(form);
  writes(resume);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = new FormData(form);
    const said = [
      ...calls.map((call, i) => [call, chosen.get(`call-${i}`)]),
      ...fields.map(({ value, defaultValue }, i) => [variables[i]?.name, value === defaultValue ? null : value]),
    ].filter(([, value]) => value !== null);
    void goOn({ [calls.length > 0 ? 'lost' : 'variables']: Object.fromEntries(said) }, resume);
  });
  return form;
}
