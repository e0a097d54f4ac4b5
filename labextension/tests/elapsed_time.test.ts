/** How long ago a step ran, which is said anew as time goes on. */

import { expect, test, vi } from 'vitest';

import { ago, moment } from '../src/render/elapsed_time';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5, 'this minute'], [0, 'this minute'], [59, 'this minute'], [MINUTE, '1 minute ago'], [5.9 * MINUTE, '5 minutes ago'], [HOUR, '1 hour ago'],
  [23 * HOUR, '23 hours ago'], [DAY, 'yesterday'], [29 * DAY, '29 days ago'], [40 * DAY, 'last month'], [400 * DAY, 'last year'],
  [3 * 365 * DAY, '3 years ago'],
])('%d seconds are %s', (past, says) => {
  expect(ago(1e12, 1e12 + past * 1000)).toBe(says);
});

test('one timer tells all that are in the page', () => {
  vi.useFakeTimers({ now: 1e12 });
  const made = [moment(1e9), moment(1e9 - MINUTE)];
  document.body.append(...made);
  vi.advanceTimersByTime(2 * MINUTE * 1000);

  expect(made.map((each) => each.textContent)).toEqual(['2 minutes ago', '3 minutes ago']);
  expect(made[0]?.getAttribute('datetime')).toBe('2001-09-09T01:46:40.000Z');
  expect(made[0]?.title).toContain('2001');
  expect(vi.getTimerCount()).toBe(1);
  vi.useRealTimers();
});
