import { expect, test } from 'vitest';

import { attribute, each, h, holding, text } from '../src/render/dom';

test('a text is a text whatever it looks like', () => {
  const made = h('p', { title: '"><script>' }, '<b>bold</b>', ['&amp;', 1, null, false]);

  expect(made.children.length).toBe(0);
  expect(made.textContent).toBe('<b>bold</b>&amp;1');
  expect(made.getAttribute('title')).toBe('"><script>');
});

test.each(['style', 'href', 'src', 'onclick', 'srcdoc', 'action', 'xlink:href'])('%s is never set', (name) => {
  expect(() => attribute(h('p'), name, 'x')).toThrow(name);
});

test('an attribute that is false is not there, but of aria', () => {
  const made = h('button', { disabled: false, hidden: true, 'aria-selected': false });

  expect(made.outerHTML).toBe('<button hidden="" aria-selected="false"></button>');
});

const names = (list: Element): string => [...list.children].map((child) => child.textContent).join('');

function listed(): { list: HTMLElement; show: (values: readonly string[]) => void } {
  const list = document.body.appendChild(h('ul'));
  return { list, show: each<string, HTMLElement>(list, (value) => value, () => h('li', { tabindex: 0 }), text) };
}

test.each([
  ['abc', 'bc'], ['abc', 'ab'], ['abc', 'xabc'], ['abc', 'axbxc'], ['abc', 'cba'], ['abc', ''], ['', 'abc'],
  ['aab', 'aba'],
])('a list that was %s becomes %s', (before, after) => {
  const { list, show } = listed();

  show([...before]);
  show([...after]);

  expect(names(list)).toBe(after);
});

test('an element that stays in a list keeps the focus when others come and go before it', () => {
  const { list, show } = listed();
  show([...'abc']);
  (list.lastElementChild as HTMLElement).focus();

  show([...'bxc']);
  show([...'c']);

  expect(document.activeElement).toBe(list.lastElementChild);
});

test('where what has the focus is taken away its holder has it', () => {
  const button = h('button', {}, 'go');
  const box = document.body.appendChild(h('div', { tabindex: 0 }, button));
  button.focus();

  holding(box, () => button.remove());

  expect(document.activeElement).toBe(box);
});
