import { expect, test, vi } from 'vitest';

import type { Figure, Row } from '../src/protocol';
import { image } from '../src/render/dom';
import { figuresPart, remembering, thumbs } from '../src/render/figures';
import { fakeHost, row, settled } from './fake';

const PNG: Figure = { form: 'image/png', data: 'iVBORw0KGgo=' };
const TABLE: Figure = { form: 'table', heads: ['', '<i>a</i>'], rows: [['0', '<b>1</b>']], says: '9 rows' };
const plot = (more = {}) => row(2, { figures: ['a', 'b'], ...more });

function host(...shown: (Figure | null)[]) {
  return { ...fakeHost(), figure: vi.fn(async (_: unknown, place: number) => shown[place] ?? null) };
}

async function card(...shown: (Figure | null)[]): Promise<HTMLElement> {
  const root = figuresPart(plot(), host(...shown), (change) => change())?.make() as HTMLElement;
  await settled();
  return root;
}

test('a card shows pictures as images and tables as texts', async () => {
  const root = await card(PNG, TABLE);

  const img = root.querySelector('img');
  expect([img?.src, img?.alt]).toEqual(['data:image/png;base64,iVBORw0KGgo=', 'figure 1 of 2 of step 3']);
  expect([...root.querySelectorAll('th, td')].map((cell) => cell.textContent)).toEqual(['row', '<i>a</i>', '0', '<b>1</b>']);
  expect(root.querySelector('caption')?.textContent).toBe('9 rows');
  expect(root.querySelector('i, b')).toBeNull();
});

test('what is not there any more, or is no picture, is said', async () => {
  const root = await card(null, { form: 'text/html', data: 'PGI+' } as unknown as Figure);

  expect([...root.querySelectorAll('p')].map((says) => says.textContent)).toEqual(
    Array(2).fill('A figure of this step is not kept any more.'),
  );
});

test('an image has no other address than that of a picture in it', () => {
  expect(() => image('text/html', 'PGI+', '')).toThrow('no picture');
  expect(() => image('image/png', 'x" onerror="alert(1)', '')).toThrow('no picture');
});

test('without figures, and where none can be had, a card has no place for them', () => {
  expect(figuresPart(row(1), host(PNG), () => undefined)).toBeNull();
  expect(figuresPart(plot(), fakeHost(), () => undefined)).toBeNull();
});

test('a row has the first as a thumbnail, and another one once the step ran again', async () => {
  const asked = host(PNG);
  const thumb = thumbs(asked).make();
  thumb.fill(row(0));
  thumb.fill(plot());
  thumb.fill(plot({ stale: true }));
  await settled();

  expect(asked.figure).toHaveBeenCalledTimes(1);
  expect([thumb.root.hidden, thumb.root.querySelector('img')?.alt, thumb.root.textContent]).toEqual([false, '', '2 figures']);

  thumb.fill(plot({ attempts: 2, outcome: 'running' }));
  expect(asked.figure).toHaveBeenCalledTimes(1);

  thumb.fill(plot({ attempts: 2, figures: ['c', 'b'] }));
  expect(thumb.root.hidden).toBe(true);
  await settled();
  expect(asked.figure).toHaveBeenCalledTimes(2);
});

test('a figure is asked of the server once, and again where it was not there', async () => {
  const answers = [PNG, null, TABLE];
  const ask = vi.fn(async () => answers.shift() as Figure | null);
  const { figure = ask } = remembering({ ...fakeHost(), figure: ask }, () => 'demo');

  expect([await figure(plot(), 0), await figure(plot(), 0)]).toEqual([PNG, PNG]);
  expect([await figure(plot(), 1), await figure(plot(), 1)]).toEqual([null, TABLE]);
  expect(ask).toHaveBeenCalledTimes(3);
});

test('what a step showed is not taken for what it shows now, however it came to it', async () => {
  const ask = vi.fn(async ({ figures = [] }: Row, place: number) => ({ ...PNG, data: figures[place] as string }) as Figure);
  const { figure = ask } = remembering({ ...fakeHost(), figure: ask }, () => 'demo');

  const shown = [plot({ attempts: 2, outcome: 'running' }), plot({ attempts: 2, figures: ['new'] }), plot({ attempts: 2 })];

  expect(await Promise.all(shown.map((row) => figure(row, 0)))).toMatchObject([{ data: 'a' }, { data: 'new' }, { data: 'a' }]);
  expect(ask).toHaveBeenCalledTimes(2);
});
