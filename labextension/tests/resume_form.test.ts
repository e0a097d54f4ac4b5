/** A run that was cut off, or partly undone: what is asked of its calls, and what is sent. */

import { expect, test } from 'vitest';

import { Refused } from '../src/link';
import type { RunHead } from '../src/protocol';
import { delta } from './fake';
import { having, inTime, refusals, run, soon, view } from './given_runs';
import { seen } from './shown';
import type { Shown } from './shown';

inTime();

const SAYS = 'Whether charge (shell) was done is unknown. Resume with `--again` or `--done`.';
const CUT = run('a-1', { status: 'interrupted', resumable: true });

const resumes = (made: Shown): (string | null)[] =>
  made.all('button').filter((each) => seen(each) && each.getAttribute('aria-label') === 'Resume: a-1').map((each) => each.className);
const choose = (made: Shown, call: number, answer: 'again' | 'done'): void =>
  made.all(`[name="call-${call}"][value="${answer}"]`)[0]?.click();

/** Refused, with its calls, as long as there is an answer missing. */
async function asked(calls: string[], later: (lost: object) => RunHead = () => run('a-1')): Promise<Shown> {
  const made = view(having(CUT), {
    resume: ({ lost }) => {
      if (calls.some((call) => lost?.[call] === undefined)) {
        throw new Refused('CallUncertain', SAYS, calls);
      }
      return later(lost ?? {});
    },
  });
  made.button('Resume: a-1').focus();
  made.button('Resume: a-1').click();
  await soon();
  return made;
}

test('each call is a group of two answers, under the sentence, and the first one has the focus', async () => {
  const made = await asked(['charge', 'deploy-2/send']);

  expect(made.one('.wfnb-cut-off [role="alert"]').textContent).toBe(SAYS.replace(/`/g, ''));
  const groups = made.all('.wfnb-cut-off fieldset').map((each) => [
    each.querySelector('legend')?.textContent,
    ...[...each.querySelectorAll('label')].map((label) => label.textContent),
  ]);
  expect(groups).toEqual([
    ['charge', 'Call it again', 'It was done'],
    ['deploy-2/send', 'Call it again', 'It was done'],
  ]);
  expect(document.activeElement).toBe(made.all('input')[0]);
  expect([refusals(made), resumes(made).length]).toEqual([[], 1]);
});

test('the run goes on when each call is answered, and not before', async () => {
  const made = await asked(['charge', 'deploy-2/send']);
  choose(made, 0, 'done');
  made.button('Resume: a-1').click();
  await soon();
  const before = made.asked('resume').length;
  choose(made, 1, 'again');
  made.button('Resume: a-1').click();
  await soon();

  expect(before).toBe(1);
  expect(made.asked('resume').slice(1)).toEqual([{ run: 'a-1', lost: { charge: 'done', 'deploy-2/send': 'again' } }]);
  expect(made.all('.wfnb-cut-off')).toEqual([]);
});

test('a click at the run leaves the form, and another fact of the run its answers', async () => {
  const made = await asked(['charge']);
  choose(made, 0, 'done');
  made.all('.wfnb-run-head')[0]?.click();
  await soon();
  made.link.tell(delta(1, { runs: [{ name: 'a-1', done: 5 }] }));

  expect(made.all('.wfnb-cut-off input').map((each) => (each as HTMLInputElement).checked)).toEqual([false, true]);
});

test('the form goes when the run has another status, and the focus stays at the run', async () => {
  const made = await asked(['charge']);
  made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'running', resumable: false }] }));

  expect([made.all('.wfnb-cut-off'), resumes(made)]).toEqual([[], []]);
  expect(document.activeElement).toBe(made.one('.wfnb-run'));
});

test('what is asked next has a form without answers', async () => {
  const made = await asked(['charge'], () => {
    throw new Refused('CallUncertain', SAYS, ['send']);
  });
  choose(made, 0, 'done');
  made.button('Resume: a-1').click();
  await soon();

  expect(made.all('legend').map((each) => each.textContent)).toEqual(['send']);
  expect(made.all('.wfnb-cut-off input:checked')).toEqual([]);
});

test('another refusal takes the place of the form, and Resume asks anew', async () => {
  const made = await asked(['charge'], () => {
    throw new Refused('CallNotAsked', 'Nothing is asked.');
  });
  choose(made, 0, 'done');
  made.button('Resume: a-1').click();
  await soon();

  expect([made.all('.wfnb-cut-off'), refusals(made)]).toEqual([[], ['Nothing is asked.']]);
  made.button('Resume: a-1').click();
  await soon();
  expect(made.asked('resume').at(-1)).toEqual({ run: 'a-1' });
});

test('hostile names are text, and are sent as they came', async () => {
  const names = ['<img src=x onerror=alert(1)>', '__proto__', '"]`x`'];
  const made = await asked(names.slice(0, 1));
  const [first] = made.all('.wfnb-cut-off legend');

  expect([first?.textContent, first?.childElementCount]).toEqual([names[0], 0]);

  const others = await asked(names);
  names.forEach((_, i) => choose(others, i, 'done'));
  others.button('Resume: a-1').click();
  await soon();
  const { lost } = others.asked('resume').at(-1) as { lost: object };
  expect(Object.entries(lost)).toEqual(names.map((name) => [name, 'done']));
});

const VARIABLES = [
  { name: 'limit', default: '3', secret: false, description: 'in kg' },
  { name: 'to', default: 'Morris', secret: false, description: '' },
  { name: 'token', default: '', secret: true, description: '' },
];

/** A run with variables, whose Resume was pressed. */
async function filled(resume: (args: object) => RunHead = () => run('a-1')): Promise<Shown> {
  const made = view(having(CUT), { variables: () => VARIABLES, resume });
  made.button('Resume: a-1').focus();
  made.button('Resume: a-1').click();
  await soon();
  return made;
}
const field = (made: Shown, name: string): HTMLInputElement => made.one<HTMLInputElement>(`input[aria-label="${name}"]`);

test('a run with variables has a field for each, as it knows them; only another value is said', async () => {
  const made = await filled();
  const fields = made.all<HTMLInputElement>('form input').map(({ type, value }) => [type, value]);
  expect([fields, document.activeElement]).toEqual([[['text', '3'], ['text', 'Morris'], ['password', '']], field(made, 'limit')]);
  expect([made.asked('resume'), resumes(made).length]).toEqual([[], 1]);

  field(made, 'limit').value = '5';
  made.button('Resume: a-1').click();
  await soon();

  expect(made.asked('resume')).toEqual([{ run: 'a-1', variables: { limit: '5' } }]);
  expect(made.all('form.wfnb-cut-off')).toEqual([]);
});

test('a value that is refused stays as it was typed, under what is said of it', async () => {
  const made = await filled(() => {
    throw new Refused('VariableWrong', 'limit is no number.');
  });
  field(made, 'limit').value = 'x';
  made.button('Resume: a-1').click();
  await soon();

  expect([refusals(made), field(made, 'limit').value]).toEqual([['limit is no number.'], 'x']);
});

test('what was typed goes with the answers for calls that were cut off', async () => {
  const made = await filled((args) => {
    if (!('lost' in args)) {
      throw new Refused('CallUncertain', SAYS, ['charge']);
    }
    return run('a-1');
  });
  field(made, 'to').value = 'Duluth';
  made.button('Resume: a-1').click();
  await soon();
  choose(made, 0, 'again');
  made.button('Resume: a-1').click();
  await soon();

  expect(made.asked('resume').at(-1)).toEqual({ run: 'a-1', variables: { to: 'Duluth' }, lost: { charge: 'again' } });
});
