import { describe, expect, test } from 'vitest';

import { store } from '../src/store';
import type { State } from '../src/store';
import { delta, fakeLink, head, line, many, picture, row, settled } from './fake';
import { GOLDEN } from './golden';

const drawn = ({ head, lines, count, stages, runs, inquiry, ledger }: State): object => ({
  head, lines, count, stages, runs, inquiry, ledger,
});
const rowsOf = (state: State): unknown[] => Array.from({ length: state.count }, (_, i) => state.row(i));

describe('what the golden sessions tell', () => {
  test.each(GOLDEN)('leads step by step to the whole picture: $name', ({ golden }) => {
    const link = fakeLink();
    link.state = 'connecting';
    const kept = store(link);

    golden.told.forEach(link.tell);

    const { kind: _kind, protocol: _protocol, seq: _seq, rows, ...rest } = golden.picture;
    expect(drawn(kept.state as State)).toEqual(rest);
    expect(rowsOf(kept.state as State).slice(-rows.length || undefined)).toEqual(rows);
    expect(link.asked).toEqual([]);
  });
});

function live(count = 3): { link: ReturnType<typeof fakeLink>; kept: ReturnType<typeof store> } {
  const link = fakeLink(many(count), { snapshot: () => picture(many(5), { seq: 9 }) });
  link.state = 'connecting';
  const kept = store(link);
  link.tell(picture(many(count)));
  return { link, kept };
}

test('a delta changes what it names and nothing else', () => {
  const { link, kept } = live();
  const before = { ...kept.state };
  const heard: string[][] = [];
  kept.listen((changed) => heard.push([...changed].sort()));

  link.tell(delta(1, { head: { says: 'more' }, count: 4, rows: [row(3), row(0, { stale: true })] }));

  expect(kept.state?.head).toEqual({ ...before.head, says: 'more' });
  expect(kept.state?.lines).toBe(before.lines);
  expect(kept.state?.row(3)).toEqual(row(3));
  expect(kept.state?.row(0)?.stale).toBe(true);
  expect(kept.state?.row(1)).toEqual(row(1));
  expect(heard).toEqual([['count', 'head', 'row']]);
});

test('a changed line is merged into the known one, a new one comes last', () => {
  const { link, kept } = live();

  link.tell(delta(1, { lines: [{ id: 'main', score: 0.5 }, line('b', 1, { from: 1 })] }));

  expect(kept.state?.lines.map(({ id, lane, score }) => [id, lane, score])).toEqual([
    ['main', 0, 0.5],
    ['b', 1, null],
  ]);
});

test('a delta that was told before is left alone', () => {
  const { link, kept } = live();
  link.tell(delta(1, { count: 4 }));

  link.tell(delta(1, { count: 2 }));

  expect(kept.state?.count).toBe(4);
  expect(link.asked).toEqual([]);
});

test('where one is missing, the picture is asked for once and what came meanwhile is applied', async () => {
  const { link, kept } = live();

  link.tell(delta(8, { count: 1 }));
  link.tell(delta(9, { count: 1 }));
  link.tell(delta(10, { count: 6, rows: [row(5)] }));
  await settled();

  expect(link.asked.map(({ word }) => word)).toEqual(['snapshot']);
  expect(kept.state?.count).toBe(6);
  expect(kept.state?.row(5)).toEqual(row(5));
});

test('a picture that does not come is asked for again', async () => {
  let asks = 0;
  const link = fakeLink(many(3), {
    snapshot: () => {
      if (++asks === 1) {
        throw new Error('The kernel did not answer.');
      }
      return picture(many(5), { seq: 8 });
    },
  });
  link.state = 'connecting';
  const kept = store(link);
  link.tell(picture(many(3)));
  link.turn('live');

  link.tell(delta(8));
  await settled();

  expect([asks, kept.state?.count]).toEqual([2, 5]);
});

test('a picture that was asked for and then told is not taken twice', async () => {
  const { link, kept } = live();

  link.tell(delta(8, {}));
  link.tell(picture(many(2), { seq: 20 }));
  link.tell(delta(21, { count: 3 }));
  await settled();

  expect(kept.state?.count).toBe(3);
});

test('a kernel of another version is said, not drawn', () => {
  const { link, kept } = live();

  link.tell(picture(many(2), { protocol: 99 }));

  expect(kept.state).toBeNull();
  expect(kept.why).toContain('another version');
});

test('the end of a session is said in its words', () => {
  const { link, kept } = live();

  link.tell({ kind: 'gone', says: 'The session ended.' });

  expect([kept.state, kept.why]).toEqual([null, 'The session ended.']);
});

test('a link that lives already is asked for the picture', async () => {
  const kept = store(fakeLink([], { snapshot: () => picture(many(5)) }));

  await settled();

  expect(kept.state?.count).toBe(5);
});

describe('rows that are not here', () => {
  test('are asked for in pages of a hundred, once', async () => {
    const { link, kept } = live(1000);

    kept.state?.want(190, 20);
    kept.state?.want(190, 20);
    await settled();
    kept.state?.want(190, 20);

    expect(link.asked.map(({ args }) => args)).toEqual([
      { first: 100, count: 100 },
      { first: 200, count: 100 },
    ]);
    expect(kept.state?.row(209)).toEqual(row(209));
  });

  test('are asked for two pages at a time, the newest wish first', async () => {
    const { link, kept } = live(10000);

    [0, 1000, 2000, 3000, 4000].forEach((first) => kept.state?.want(first, 20));
    await settled();

    expect(link.asked.map(({ args }) => args['first'])).toEqual([0, 1000, 4000]);
  });

  test('do not take the place of newer ones that were told meanwhile', async () => {
    const { link, kept } = live(1000);

    kept.state?.want(0, 20);
    link.tell(delta(1, { rows: [row(7, { title: 'newer' })] }));
    await settled();

    expect(kept.state?.row(7)?.title).toBe('newer');
    expect(kept.state?.row(8)?.title).toBe('Step number 9');
  });

  test('of a picture that is gone are forgotten', async () => {
    const { link, kept } = live(1000);

    kept.state?.want(0, 20);
    link.tell(picture(many(3, (i) => row(i, { title: 'another' }))));
    await settled();

    expect(rowsOf(kept.state as State).map((r) => (r as { title: string }).title)).toEqual(Array(3).fill('another'));
  });

  test('stay in sight in a new picture of the session until they have come again', async () => {
    const { link, kept } = live(1000);
    kept.state?.want(0, 20);
    await settled();
    link.asked.length = 0;

    link.tell(picture(many(900)));
    const before = [kept.state?.row(5), kept.state?.row(950)];
    kept.state?.want(0, 20);
    await settled();

    expect(before).toEqual([row(5), undefined]);
    expect(link.asked.map(({ args }) => args['first'])).toEqual([0]);
  });

  test('of another session are forgotten', async () => {
    const { link, kept } = live(1000);
    kept.state?.want(0, 20);
    await settled();

    link.tell(picture(many(900), { head: head({ session: 'another' }) }));

    expect(kept.state?.row(5)).toBeUndefined();
  });

  test('that the kernel does not give are not asked for without end', async () => {
    const link = fakeLink([], { rows: ({ first }) => ({ first, count: 1000, rows: [] }) });
    const kept = store(link);
    link.tell(picture(many(1000)));
    link.asked.length = 0;
    kept.listen(() => kept.state?.want(0, 20));

    kept.state?.want(0, 20);
    await settled(20);

    expect(link.asked.length).toBe(1);
  });
});

test('nothing listens after the end', () => {
  const { link, kept } = live();

  kept.dispose();

  expect(link.listeners).toBe(0);
});
