/** The menu of a step: by mouse or by a key, with what the card of the step offers, and no more. */

import { expect, test } from 'vitest';

import { card, line, many, row, settled } from './fake';
import { selected, shown, titles } from './given_timeline';
import type { Shown } from './given_timeline';
import { inRoom } from './room';

inRoom();

const ask = (target: Element | null | undefined, more: MouseEventInit = {}): MouseEvent => {
  const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, clientX: 40, clientY: 50, ...more });
  target?.dispatchEvent(event);
  return event;
};
const title = ({ list }: Shown, number: number): Element | undefined =>
  [...list.querySelectorAll('.wfnb-title')].find(({ textContent }) => textContent === `Step number ${number}`);
const names = ({ host }: Shown): string[] => host.menus.at(-1)?.items.map(({ label }) => label) ?? [];
const item = ({ host }: Shown, name: string): (() => void) | null | undefined =>
  host.menus.at(-1)?.items.find(({ label }) => label === name)?.act;
const deeds = ({ list }: Shown): (string | null)[] =>
  [...list.querySelectorAll<HTMLElement>('.wfnb-card .wfnb-wraps > button')].filter((b) => !b.hidden).map((b) => b.textContent);
const lines = [line('main', 0), line('alt', 1), line('gone', 2, { state: 'merged' })];

test('a click with the right button selects the step and offers what can be done with it', async () => {
  const view = await shown(many(3));

  const event = ask(title(view, 2));

  expect(event.defaultPrevented).toBe(true);
  expect(selected(view.list)).toBe('Step number 2');
  expect(view.host.menus.map(({ at }) => at)).toEqual([[40, 50]]);
  expect(names(view)).toEqual(['open its card', 'go to cell', 'branch from here', 'revise', 'edit title', 'hide']);
});

test.each([
  row(0), row(0, { stale: true, kept: 2 }), row(0, { hidden: true, by: 'bot' }), row(0, { branch: 'alt' }),
  row(0, { branch: 'gone' }), row(0, { stale: true, withdrawn: true, cell_id: null }),
])('of a step whose card is open it offers what the card does', async (of) => {
  const view = await shown([of], { card: ({ key }) => card([of], key) }, { lines });
  ['Home', 'Enter'].forEach((name) => view.key(name));
  await settled(100);

  ask(title(view, 1));

  expect(names(view)).toEqual(deeds(view));
  expect(names(view).includes('switch to alt')).toBe(of.branch === 'alt');
});

test('a key opens it under the selected step, and the list has the keyboard again when it closes', async () => {
  const view = await shown(many(3));
  view.key('Home');
  const keyed = ask(view.list, { button: 0, shiftKey: true });
  (document.activeElement as HTMLElement | null)?.blur();

  view.host.menus[0]?.closed();
  item(view, 'revise')?.();

  expect(keyed.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(view.list);
  expect(view.host.did.map(([deed, of]) => [deed, (of as { number: number }).number])).toEqual([['revise', 1]]);
});

test.each([
  ['with Shift', (view: Shown) => ask(title(view, 1), { shiftKey: true })],
  ['beside the rows', (view: Shown) => ask(view.list)],
  ['within a card', (view: Shown) => ask(view.list.querySelector('.wfnb-card'))],
])('%s the menu is that of the browser', async (_, asked) => {
  const view = await shown(many(3));
  ['Home', 'Enter'].forEach((name) => view.key(name));

  expect([asked(view).defaultPrevented, view.host.menus]).toEqual([false, []]);
});

test('a title is edited from it, though the card was not open', async () => {
  const view = await shown(many(3));

  ask(title(view, 2));
  item(view, 'edit title')?.();
  await settled(100);

  expect((document.activeElement as HTMLInputElement).value).toBe('Step number 2');
});

test('a step is hidden from it; while nothing can be changed, it cannot be', async () => {
  const view = await shown(many(2), { hide: () => null });
  ask(title(view, 1));
  item(view, 'hide')?.();
  view.link.turn('lost');
  ask(title(view, 2));

  expect(view.link.asked.filter(({ word }) => word === 'hide').map(({ args }) => args)).toEqual([{ key: 1 }]);
  expect([item(view, 'hide'), item(view, 'edit title'), typeof item(view, 'go to cell')]).toEqual([null, null, 'function']);
});

test('the branch of a step is switched to from it', async () => {
  const view = await shown([row(0), row(1, { branch: 'alt' })], { switch: () => null }, { lines });

  ask(title(view, 2));
  item(view, 'switch to alt')?.();

  expect(titles(view.list)).toContain('Step number 2');
  expect(view.link.asked.filter(({ word }) => word === 'switch').map(({ args }) => args)).toEqual([{ branch: 'alt' }]);
});
