// @vitest-environment node
import { afterEach, expect, test } from 'vitest';

import { __, _n, speak, term, translation } from '../src/translation';
import type { Language } from '../src/translation';
// @ts-expect-error: a script of the build
import { parsed, untranslated } from '../untranslated_texts.mjs';
// @ts-expect-error: a script of the build
import { template, words, written } from '../extract_texts.mjs';

/** What JupyterLab does with a text and its values, to the letter. */
function filled(text: string, ...values: (string | number)[]): string {
  return text
    .replace(/%%/g, '%% ')
    .replace(/%(\d+)/g, (_, place) => String(values[Number(place) - 1]))
    .replace(/%% /g, '%');
}

const GERMAN: Language = {
  __: (text, ...values) => filled({ '%1 asks: %2': '%2, fragt %1', stale: 'veraltet' }[text] ?? text, ...values),
  _n: (_one, _many, count, ...values) => filled(count === 1 ? '%1 Schritt, %2' : '%1 Schritte, %2', count, ...values),
};

afterEach(() => speak({ load: () => ({ __: (text) => text, _n: (one, many, count) => (count === 1 ? one : many) }) }));

test('without a language, texts are English and filled', () => {
  expect(__('%1 asks: %2', 'a', 'b')).toBe('a asks: b');
  expect([1, 2].map((count) => _n('%1 step, %2', '%1 steps, %2', count, 'x'))).toEqual(['1 step, x', '2 steps, x']);
  expect(term('stale')).toBe('stale');
});

test('in a language, values stand where it wants them', () => {
  speak({ load: () => GERMAN });

  expect(__('%1 asks: %2', 'a', 'b')).toBe('b, fragt a');
  expect([1, 2].map((count) => _n('%1 step, %2', '%1 steps, %2', count, 'x'))).toEqual(['1 Schritt, x', '2 Schritte, x']);
  expect([term('stale'), term('release-1')]).toEqual(['veraltet', 'release-1']);
});

test.each(['50 %% off', '%1 %2', '100%', '$& $1', '%%step x'])('a value stays as it is: %s', (value) => {
  speak({ load: () => GERMAN });

  expect(__('%1 asks: %2', 'a', value)).toBe(`${value}, fragt a`);
  expect(_n('%1 step, %2', '%1 steps, %2', 2, value)).toBe(`2 Schritte, ${value}`);
});

test('where there is no translator, the language stays', () => {
  speak({ load: () => GERMAN });
  speak(null);

  expect(term('stale')).toBe('veraltet');
});

test('every text can be found, and has a value for each of its places', () => {
  expect(words().faults).toEqual([]);
});

test('translators have every text: `make words` writes them', () => {
  expect(written()).toBe(template());
});

test('a sentence of the kernel is translated where the language has it, its code and numbers in their places', () => {
  const known: Record<string, string> = { '%1 stale': '%1 veraltet', 'it is %1 (%2)': '%2 (%1)' };
  speak({ load: () => ({ ...GERMAN, __: (text, ...values) => filled(known[text] ?? text, ...values) }) });

  expect(translation('3 steps · 1,200 stale · it is `a 1` (2)')).toBe('3 steps · 1,200 veraltet · 2 (`a 1`)');
});

test.each(['', '100 %% of %1', '`%%step` begins one', '`a` `b` `c` `d` `e` `f` `g` `h` `i` 10', 'x'.repeat(1000)])(
  'what the language does not have stays as it is: %s',
  (says) => {
    speak({ load: () => GERMAN });

    expect(translation(says)).toBe(says);
  },
);

test.each([
  ["h('p', {}, 'Not yet')", 'Not yet'],
  ["h('p', { title: `in ${file}` })", 'in  '],
  ["attribute(made, 'aria-label', word || 'undo')", 'undo'],
  ["throw new Refusal(there ? `It is ${name}.` : '')", 'It is  .'],
  ['<b title="Add it">{__("Add")}</b>', 'Add it'],
  ['<p>Nothing is there.</p>', 'Nothing is there.'],
])('a text that is shown as it is is found: %s', (code, text) => {
  expect(untranslated(parsed(code))).toEqual([text]);
});

test('a text in a call, a class, a key and a comparison is not', () => {
  const code = "h('p', { class: 'wfnb-dim', title: __('A title') }, kind === 'order' && __('In order'), ' · ')";

  expect(untranslated(parsed(code))).toEqual([]);
});
