import { expect, test } from 'vitest';

import { compare } from '../src/render/compare_tab';
import { head, many, picture } from './fake';
import { lines, of, soon, view } from './given_compare';
import { heads, seen, shown } from './shown';

const six = lines('main', 'a', 'b', 'c', 'd', 'e');

test('those that tell most are compared: main, and the newest that are open', async () => {
  const made = await view(six.map((each) => (each.id === 'd' ? { ...each, open: false } : each)));

  expect(made.asked('compare')).toEqual([{ lines: ['main', 'b', 'c', 'e'] }]);
  expect(made.one('summary').textContent).toBe('4 of 6 lines · choose');
});

test('the line on which the next step comes is one of them, and main still is', async () => {
  const made = shown(compare, picture(many(3), { lines: six, head: head({ line: 'a' }) }), { compare: () => of([]) });
  await soon();

  expect(made.asked('compare')).toEqual([{ lines: ['main', 'a', 'd', 'e'] }]);
});

test('a tick adds a line, another takes one away', async () => {
  const made = await view(six);
  const tick = async (name: string): Promise<void> => {
    made.all('label').find((label) => label.textContent?.trim() === name)?.querySelector('input')?.click();
    await soon();
  };
  await tick('a');
  await tick('e');

  expect(made.asked('compare').slice(1)).toEqual([
    { lines: ['main', 'a', 'c', 'd', 'e'] }, { lines: ['main', 'a', 'c', 'd'] },
  ]);
  expect(heads(made.one('table'))).toEqual(['fact', 'main', 'a', 'c', 'd']);
});

test('no line ticked: no table, and nothing is asked', async () => {
  const made = await view(six);
  for (const box of made.all<HTMLInputElement>('input[type=checkbox]').filter(({ checked }) => checked)) {
    box.click();
  }
  await soon();

  expect(made.all('table').filter(seen)).toEqual([]);
  expect(made.asked('compare')).toHaveLength(1);
});
