import { afterEach, expect, test, vi } from 'vitest';

import { Refused } from '../src/link';
import type { OpenQuestion } from '../src/protocol';
import { answerForms } from '../src/render/answer_form';
import { seen, twice } from './shown';

type Answer = (action: string, words: string) => Promise<unknown>;

const asked = (more: Partial<OpenQuestion> = {}): OpenQuestion => ({
  run: 'release-1', call: 1, action: 'sure', question: 'Release it?', choices: [], default: null, secret: false, otherwise: '', ...more,
});

function view(asks: OpenQuestion[], answer = vi.fn(async (): Promise<unknown> => null)) {
  const forms = answerForms('release-1', ({ action }, words) => (answer as unknown as Answer)(action, words));
  document.body.replaceChildren(forms.root);
  forms.show(asks);
  const all = <E extends HTMLElement>(selector: string): E[] => [...forms.root.querySelectorAll<E>(selector)];
  return {
    forms, answer, all,
    field: () => all<HTMLInputElement>('input')[0] as HTMLInputElement,
    async submit(at = 0) {
      all('form')[at]?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
      await vi.waitFor(() => expect(all('button[aria-disabled]')).toEqual([]));
    },
  };
}

afterEach(() => document.body.replaceChildren());

test.each([0, 1, 2])('a choice that is clicked is the answer: number %i', async (at) => {
  const made = view([asked({ choices: ['yes', 'no', '<b>'], default: 'no' })]);
  made.all('button')[at]?.click();

  await vi.waitFor(() => expect(made.answer.mock.calls).toEqual([['sure', ['yes', 'no', '<b>'][at]]]));
});

test('the default is the button that stands out, and is said to be it', () => {
  const made = view([asked({ choices: ['yes', 'no'], default: 'no' })]);

  expect(made.all('button').map((each) => [each.className, each.getAttribute('aria-label')])).toEqual([
    ['wfnb-button', null], ['wfnb-button wfnb-first', 'no (default)'],
  ]);
});

test('what is typed is the answer, to the letter', async () => {
  const made = view([asked({ default: 'v1' })]);
  expect([made.field().type, made.field().value]).toEqual(['text', 'v1']);
  made.field().value = '  v2 ';
  await made.submit();

  expect(made.answer.mock.calls).toEqual([['sure', '  v2 ']]);
});

test('a secret is not shown, not filled in, and gone once it was sent', async () => {
  const made = view([asked({ secret: true, default: 'known' })]);
  const field = made.field();
  expect([field.type, field.value, field.autocomplete]).toEqual(['password', '', 'new-password']);
  field.value = 'hunter2';
  await made.submit();

  expect(made.answer.mock.calls).toEqual([['sure', 'hunter2']]);
  expect(field.value).toBe('');
  expect(document.body.innerHTML).not.toContain('hunter2');
});

test('a refused answer is said in the form, and what was typed stays for the next try', async () => {
  const answer = vi.fn(async (): Promise<unknown> => {
    throw new Refused('BadAnswer', "'v2' is no answer to this.");
  });
  const made = view([asked()], answer);
  made.field().value = 'v2';
  await made.submit();

  expect(made.all('[role=alert]').filter(seen).map((each) => each.textContent)).toEqual(["'v2' is no answer to this."]);
  expect(made.field().value).toBe('v2');
  answer.mockImplementation(async () => null);
  await made.submit();
  expect(made.all('[role=alert]').filter(seen)).toEqual([]);
  expect(answer).toHaveBeenCalledTimes(2);
});

test('an answer under way is not sent twice', async () => {
  let come: (value: unknown) => void = () => undefined;
  const answer = vi.fn(() => new Promise<unknown>((resolve) => (come = resolve)));
  const made = view([asked({ choices: ['yes', 'no'] })], answer);
  made.all('button')[0]?.click();
  made.all('button')[1]?.click();

  expect(answer.mock.calls).toEqual([['sure', 'yes']]);
  come(null);
});

test('a double click on a choice is one answer, whoever asks by then', async () => {
  const made = view([asked({ choices: ['yes', 'no'] })]);
  made.answer.mockImplementation(async () => made.forms.show([asked({ call: 2, choices: ['yes', 'no'] })]));

  await twice(() => made.all('button')[0] as HTMLElement);

  expect(made.answer.mock.calls).toEqual([['sure', 'yes']]);
});

test('Enter that is held answers nothing', () => {
  const made = view([asked({ choices: ['yes', 'no'] })]);
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });

  made.all('button')[0]?.dispatchEvent(held);

  expect(held.defaultPrevented).toBe(true);
});

test('the same question of the next call has a form of its own, with nothing in it', async () => {
  const made = view([asked()]);
  made.field().value = 'v1';
  await made.submit();
  const before = made.all('[role=status]').map((each) => each.textContent);

  made.forms.show([asked({ call: 2 })]);

  expect(before).toEqual(['sent']);
  expect(made.all('[role=status]').map((each) => each.textContent)).toEqual(['']);
  expect(made.field().value).toBe('');
});

test.each(['click', 'input'])('a refusal goes with the next %s in its form, but not with one on itself', async (type) => {
  const answer = vi.fn(async (): Promise<unknown> => {
    throw new Refused('QuestionGone', 'This question is no longer open.');
  });
  const made = view([asked()], answer);
  await made.submit();
  const alert = made.all('[role=alert]')[0] as HTMLElement;
  alert.click();
  const before = seen(alert);

  made.field().dispatchEvent(new Event(type, { bubbles: true }));

  expect([before, seen(alert)]).toEqual([true, false]);
});

test('what comes if nobody answers is said, where something comes', () => {
  const made = view([asked({ otherwise: 'fails after 5 min' }), asked({ action: 'b' })]);

  expect(made.all('p.wfnb-dim').map((each) => each.textContent)).toEqual(['If nobody answers: fails after 5 min.']);
});

test('a form keeps text and focus while its question stays, whatever else is asked', () => {
  const made = view([asked({ action: 'a' }), asked({ action: 'b', question: 'Name?' })]);
  const field = made.all<HTMLInputElement>('input')[1] as HTMLInputElement;
  field.value = 'half';
  field.focus();
  made.forms.show([asked({ action: 'c' }), asked({ action: 'b', question: 'Name?' })]);

  expect(document.activeElement).toBe(field);
  expect(made.all<HTMLInputElement>('input').map(({ value }) => value)).toEqual(['', 'half']);
});

test('without a question there is no form', () => {
  const made = view([asked()]);
  made.forms.show([]);

  expect(made.all('form')).toEqual([]);
  expect(made.forms.root.hidden).toBe(true);
});

test('a field has a name for who cannot see the question beside it', () => {
  const made = view([asked({ question: 'Which tag?' })]);

  expect(made.field().getAttribute('aria-label')).toBe('Which tag?');
  expect(made.all('legend').map((each) => each.textContent)).toEqual(['sure asks: Which tag?']);
});
