/** What the card of a step says, each fact once, and what can be done with a source. */

import { expect, test, vi } from 'vitest';

import type { Card } from '../src/protocol';
import { card, delta, row, settled } from './fake';
import { shown } from './given_timeline';
import type { Shown } from './given_timeline';

async function opened(more: Partial<Card>, of = row(0)): Promise<Shown> {
  const view = await shown([of], { card: ({ key }) => card([of], key, more) });
  ['Home', 'Enter'].forEach((name) => view.key(name));
  await vi.waitFor(() => expect(view.link.asked.map(({ word }) => word)).toContain('card'));
  await settled();
  return view;
}
const grid = (view: Shown): (string | null)[] =>
  [...view.list.querySelectorAll('.wfnb-card > div > .wfnb-values > *')].map(({ textContent }) => textContent);
const copies = (view: Shown): HTMLButtonElement[] => [...view.list.querySelectorAll<HTMLButtonElement>('[aria-label^="copy"]')];

test('facts, runs, tags and values stand in one grid; what the row and the versions say is not said again', async () => {
  const facts = Object.entries({
    step: '1', line: 'main', outcome: '✓ ok', took: '0.8 s', stage: 'observation', 'revised by': '4 · Better', versions: '2', step2: 'x',
  }).map(([name, value]) => ({ name, value }));

  const view = await opened(
    { facts: [...facts, { name: 'step', value: 'a field of that name' }], values: [{ name: 'rmse', value: '0.3' }] },
    row(0, { runs: ['fetch-1', 'fetch-2'], tags: ['slow'], revised_by: 4, stage: 'observation', duration: 0.8 }),
  );

  expect(grid(view)).toEqual([
    'took', '0.8 s', 'stage', 'observation', 'revised by', '4 · Better', 'step2', 'x', 'step', 'a field of that name',
    'runs', 'fetch-1 · fetch-2', 'tags', '#slow', 'rmse', '0.3',
  ]);
});

test.each<[string, string | null, number]>([
  ['is said as that value', '0.3', 0], ['that is none is said', '[0.3]', 1], ['that is not there is not said', null, 0],
])('a result %s', async (_, result, times) => {
  const view = await opened({ result, values: [{ name: 'rmse', value: '0.3' }] });

  expect(view.list.querySelectorAll('.wfnb-result')).toHaveLength(times);
});

test('a step that has a second version while its card is open offers the first, too', async () => {
  const first = { version: 1, says: 'Fit', source: 'x = 1' };
  let versions = [first];
  const view = await shown([row(0)], { card: ({ key }) => card([row(0)], key, { versions }) });
  const names = (): (string | null)[] => [...view.list.querySelectorAll('.wfnb-version summary')].map(({ textContent }) => textContent);
  ['Home', 'Enter'].forEach((name) => view.key(name));
  await vi.waitFor(() => expect(names()).toEqual(['source']));

  versions = [{ version: 2, says: 'Fit', source: 'x = 2' }, first];
  view.link.tell(delta(1, { rows: [row(0, { attempts: 2, versions: 2 })] }));

  await vi.waitFor(() => expect(names()).toEqual(['version 2 · Fit', 'version 1 · Fit']));
});

test('the source of a version is copied as it is, or why it could not be is said', async () => {
  const versions = ['x = "<b>"\n', 'x = 1'].map((source, at) => ({ version: 2 - at, says: '', source }));
  const taken: string[] = [];
  const write = vi.fn(async (text: string) => void taken.push(text));
  vi.stubGlobal('navigator', { clipboard: { writeText: write } });
  const view = await opened({ versions });

  copies(view).forEach((each) => each.click());
  await settled();
  write.mockRejectedValueOnce(new Error('This page may not.'));
  copies(view)[0]?.click();
  await settled();

  expect(copies(view).map((each) => each.getAttribute('aria-label'))).toEqual(['copy the source of version 2', 'copy the source of version 1']);
  expect(taken).toEqual(['x = "<b>"\n', 'x = 1']);
  expect(view.host.did).toEqual([['say', 'The source is copied.'], ['say', 'The source is copied.'], ['say', 'This page may not.']]);
  vi.unstubAllGlobals();
});

test.each<[string, object, string]>([
  ['in a page without a clipboard', {}, 'x = 1'],
  ['of a source that was cut', { clipboard: { writeText: async () => undefined } }, `${'x'.repeat(19_999)}…`],
])('%s nothing offers to copy', async (_, navigator, source) => {
  vi.stubGlobal('navigator', navigator);

  const view = await opened({ versions: [{ version: 1, says: '', source }] });

  expect([copies(view), view.list.querySelectorAll('.wfnb-version').length]).toEqual([[], 1]);
  vi.unstubAllGlobals();
});
