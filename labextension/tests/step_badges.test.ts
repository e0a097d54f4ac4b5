/** What stands over a cell, as it is now, and what the kernel is told of cells. */

import { expect, test } from 'vitest';

import { badge } from '../src/lab/step_badges';
import { recordedCells } from '../src/lab/recorded_cells';
import { digest } from '../src/lab/cell_digest';
import { opened } from '../src/lab/step_count';
import { fakeLink, picture, row } from './fake';
import { GOLDEN } from './golden';
import type { Row } from '../src/protocol';

const SOURCE = '%%step Load\nload()';

/** The badge over a cell `a` with this text, where these are the steps. */
function over(source: string, ...rows: Row[]): ReturnType<typeof badge> {
  const link = fakeLink();
  const known = recordedCells(link);
  link.tell(picture(rows));
  return badge('a', known, { opens: () => opened(source), digest: () => digest(source) });
}

const ran = (more: Partial<Row> = {}): Row => row(0, { cell_id: 'a', digest: digest(SOURCE), ...more });

test('a cell that ran as it is says how', () => {
  expect(over(SOURCE, ran())).toEqual({ key: 1, title: 'Step number 1', says: ['step 1', '✓ ok'], state: 'ok' });
  expect(over(`${SOURCE}  \n\n`, ran())?.state).toBe('ok');
});

test('a whole cell that was recorded is a step as long as it is as it ran', () => {
  const plain = ran({ digest: digest('load()') });

  expect(over('load()', plain)?.says).toEqual(['step 1', '✓ ok']);
  expect(over('other()', plain)).toBeNull();
});

test('a step that failed and is stale says both, and is coloured as failed', () => {
  expect(over(SOURCE, ran({ outcome: 'failed', stale: true }))).toMatchObject({
    says: ['step 1', '✕ failed · ◌ stale'], state: 'failed',
  });
});

test('a cell that was edited since says so, and how it had ended where that was not well', () => {
  const other = `${SOURCE}\nmore()`;

  expect(over(other, ran())?.says).toEqual(['step 1', '✎ edited']);
  expect(over(other, ran({ outcome: 'failed' }))).toMatchObject({
    says: ['step 1', '✎ edited', '✕ failed'], state: 'edited',
  });
  expect(over(other, ran({ stale: true }))?.says).toEqual(['step 1', '✎ edited', '◌ stale']);
});

test('a cell that runs, or whose source was not kept whole, is not said to be edited', () => {
  expect(over('%%step Other', ran({ outcome: 'running' }))?.says).toEqual(['step 1', '▶ running']);
  expect(over('%%step Other', ((row) => (delete row.digest, row))(ran()))?.says).toEqual(['step 1', '✓ ok']);
});

test('a cell that opens no step has no badge, whatever it was before', () => {
  expect(over('load()', ran())).toBeNull();
  expect(over('', ran())).toBeNull();
  expect(over(SOURCE)).toBeNull();
});

test('of a cell that lost its second step the first is shown', () => {
  const both = '%step One\na\n%step Two\nb';
  const first = row(0, { cell_id: 'a', digest: digest(both) });
  const second = row(1, { cell_id: 'a', part: 1, digest: digest(both) });

  expect(over(both, first, second)?.key).toBe(2);
  expect(over('%step One\na', first, second)).toMatchObject({ key: 1, state: 'edited' });
});

test('a stage is said with spaces', () => {
  expect(over(SOURCE, ran({ stage: 'branch_evaluation' }))?.says[1]).toBe('branch evaluation');
});

test.each([
  ['%%step', 1],
  ['# why\n%%step Load\nx', 1],
  ['%step One\nx\n%branch alt Two', 2],
  ['%wfnb revise 2 Better', 1],
  ['if x:\n  %step Perhaps', 1_000],
  ['%%stepper', 0],
  ['%%steps', 0],
  ['%wfnb status', 0],
  ['%%time\nx', 0],
  ['', 0],
])('%j opens %i steps', (source, count) => {
  expect(opened(source)).toBe(count);
});

/** What wfnb/panel/cell_digest.py says of the same text: tests/panel/test_digest.py has these, too. */
test.each([
  ['', '00000000'],
  ['x = 1\ny = 2', 'ccace7b8'],
  ['x = 1 \t\ny = 2\n\n \x0b\x1c\x85\u00a0\u2028', 'ccace7b8'],
  ['größe = "数据 😀"', '7247f285'],
  ['  x\n\n  y', '15855810'],
])('the digest of %j is %s', (source, sum) => {
  expect(digest(source)).toBe(sum);
});

test('the digests that Python wrote are those of the sources that it wrote', () => {
  const seen = GOLDEN.filter(({ name }) => name !== 'hostile').flatMap(({ golden }) =>
    golden.cards.flatMap(({ key, versions }) => {
      const found = golden.picture.rows.find((each) => each.key === key);
      const source = versions[0]?.source;
      return found?.digest && source ? [[digest(source), found.digest]] : [];
    }),
  );

  expect(seen.length).toBeGreaterThan(2);
  seen.forEach(([ours, theirs]) => expect(ours).toBe(theirs));
});
