import { describe, expect, test } from 'vitest';

import { row } from './fake';
import { shown } from './given_timeline';
import type { Shown } from './given_timeline';
import { inRoom } from './room';
import { seen, twice } from './shown';

inRoom();

const button = (view: Shown, words: string): HTMLElement => {
  const all = [...view.root.querySelectorAll<HTMLElement>('button')].filter(seen);
  const found = all.find((each) => (each.getAttribute('aria-label') ?? each.textContent) === words);
  expect(found, words).toBeDefined();
  return found as HTMLElement;
};
const did = (view: Shown): unknown[] => view.host.did.map(([name]) => name);

describe('a double click', () => {
  test.each([['New step', 'newStep'], ['Branch', 'branchFrom'], ['Revise', 'revise']])(
    'on %s under the timeline makes one cell',
    async (words, deed) => {
      const view = await shown([row(0)]);

      await twice(() => button(view, words));

      expect(did(view)).toEqual([deed]);
    },
  );

  test.each([['branch from here', 'branchFrom'], ['revise', 'revise'], ['restore', 'restore']])(
    'on %s in a card makes one cell',
    async (words, deed) => {
      const view = await shown([row(0, { kept: 1 })]);
      ['Home', 'Enter'].forEach((name) => view.key(name));

      await twice(() => button(view, words));

      expect(did(view)).toEqual([deed]);
    },
  );

  test('on an arrow under the timeline goes two steps', async () => {
    const view = await shown([0, 1, 2, 3].map((at) => row(at)));
    view.key('Home');

    await twice(() => button(view, 'next step'));

    expect(view.list.querySelector('[aria-selected="true"] .wfnb-title')?.textContent).toBe('Step number 3');
  });
});

test('Enter that is held on New step makes one cell', async () => {
  const view = await shown([row(0)]);
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });

  button(view, 'New step').dispatchEvent(held);

  expect(held.defaultPrevented).toBe(true);
});
