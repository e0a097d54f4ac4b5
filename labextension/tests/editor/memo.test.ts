/** What is asked again is not worked out again, and what was asked long ago is forgotten. */

import { expect, test } from 'vitest';
import { memoize } from '../../src/editor/memo';

test('the last few answers are remembered, and no more', () => {
  const asked: string[] = [];
  const known = memoize<object>();
  const ask = (question: string): object => known(question, () => {
    asked.push(question);
    return { question };
  });

  const first = ask('a');
  [...'bcda'].forEach(ask);
  expect(ask('a')).toBe(first);
  expect(asked.join('')).toBe('abcd');

  [...'efgh'].forEach(ask);
  expect(ask('a')).not.toBe(first);
  expect(asked.join('')).toBe('abcdefgha');
});
