import { expect, test } from 'vitest';

import { intent, moved, turned, typing } from '../src/render/timeline_keys';

test.each([
  [{ key: 'ArrowDown' }, 'down'],
  [{ key: '/' }, 'search'],
  [{ key: 'Enter' }, 'open'],
  [{ key: 'Enter', ctrlKey: true }, 'cell'],
  [{ key: 'Enter', metaKey: true }, 'cell'],
  [{ key: 'Escape' }, 'close'],
  [{ key: 's', ctrlKey: true }, null],
  [{ key: 'ArrowDown', altKey: true }, null],
  [{ key: 'Home', ctrlKey: true }, null],
  [{ key: 'x' }, null],
])('the key %o means %s', (init, wanted) => {
  expect(intent(new KeyboardEvent('keydown', init))).toBe(wanted);
});

test('where there is no row nothing is selected', () => {
  expect(moved('last', null, 0, 10, -1)).toBeNull();
});

test('a page is as many rows as are in sight, and ends at the ends', () => {
  expect(moved('pageUp', 50, 100, 19, 99)).toBe(31);
  expect(moved('pageDown', 95, 100, 19, 99)).toBe(99);
});

test('tabs are a ring', () => {
  expect([turned('ArrowLeft', 0, 5), turned('ArrowRight', 4, 5), turned('End', 1, 5), turned('a', 1, 5)]).toEqual([
    4, 0, 4, null,
  ]);
});

test('a slash is a letter where letters are typed', () => {
  const field = document.createElement('textarea');

  expect([typing(field), typing(document.body), typing(null)]).toEqual([true, false, false]);
});
