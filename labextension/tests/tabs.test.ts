/** Which tabs are offered: those that have something to show. */

import { expect, test } from 'vitest';

import type { Snapshot } from '../src/protocol';
import type { MakeTab, Tab } from '../src/render/tab';
import { mount } from '../src/render/view';
import { delta, fakeHost, fakeLink, picture, settled } from './fake';
import { cleared, framed, open, tab, tabs } from './given_frame';
import { golden } from './golden';
import { key, seen } from './shown';

cleared();

/** A tab that is empty while nothing is stale. */
const stale = (name: string, more: Partial<Tab> = {}): MakeTab => (link, host) => ({
  ...tab(name)(link, host), empty: ({ head }) => head.stale === 0, ...more,
});
const offered = (root: HTMLElement): (string | null)[] => tabs(root).filter(seen).map((one) => one.textContent);

test('a tab is offered as soon as it has something to show, and no longer', async () => {
  const { link, root } = await framed({}, [tab('One'), stale('Two'), tab('Three')]);
  const before = offered(root);
  link.tell(delta(1, { head: { stale: 1 } }));
  const then = offered(root);

  link.tell(delta(2, { head: { stale: 0 } }));

  expect([before, then, offered(root)]).toEqual([['One', 'Three'], ['One', 'Two', 'Three'], ['One', 'Three']]);
});

test('arrows pass over tabs that are not offered, round both ends', async () => {
  const { root } = await framed({}, [tab('One'), stale('Two'), tab('Three'), stale('Four')]);
  const opened = ['ArrowRight', 'ArrowRight', 'End', 'Home', 'ArrowLeft'].map((name) => {
    key(tabs(root).find((one) => one.tabIndex === 0) as HTMLElement, name);
    return [open(root)[0], document.activeElement?.textContent];
  });

  expect(opened).toEqual(['Three', 'One', 'Three', 'One', 'Three'].map((name) => [name, name]));
});

test('where the open tab has nothing to show any more the first is opened, with the focus that was in it', async () => {
  const { link, root } = await framed({}, [tab('One'), stale('Two')]);
  link.tell(delta(1, { head: { stale: 1 } }));
  const [one, two] = tabs(root);
  two?.click();
  two?.focus();

  link.tell(delta(2, { head: { stale: 0 } }));

  expect([offered(root), open(root), document.activeElement]).toEqual([['One'], ['One'], one]);
});

test.each<[string, Snapshot, string[]]>([
  ['no step', picture([]), []],
  ['branches', golden('branches').picture, ['Compare']],
  ['strategy', golden('strategy').picture, ['Stages']],
  ['runs', golden('runs').picture, ['Runs']],
  ['investigation', golden('investigation').picture, ['Compare', 'Findings']],
])('beside the timeline only what there is of a session is offered: %s', async (_, told, names) => {
  const root = document.body.appendChild(document.createElement('div'));
  const link = fakeLink(told.rows, { snapshot: () => told });
  const view = mount(root, link, fakeHost());
  await settled();

  expect(offered(root).map((name) => name?.replace(/ \d+$/, ''))).toEqual(['Timeline', ...names]);
  view.dispose();
});
