import { expect, test } from 'vitest';

import type { Line, Row } from '../src/protocol';
import { at, band, height, reveal, top } from '../src/render/row_heights';
import { s } from '../src/render/dom';
import { columns, drawLanes } from '../src/render/lanes';
import { line, row } from './fake';

function drawn(lines: Line[], rows: Row[], more: object = {}): SVGSVGElement {
  const svg = s('svg');
  const y = (place: number): number => place * 10;
  drawLanes(
    svg,
    { first: 0, end: rows.length, y, row: (i) => rows[i], lines, line: '', current: null, whole: true, ...more },
    columns(lines, 400),
  );
  return svg;
}

const ways = (svg: SVGSVGElement): (string | null)[] =>
  [...svg.querySelectorAll('.wfnb-way')].map((way) => way.getAttribute('d'));
const shapes = (svg: SVGSVGElement): string[] =>
  [...svg.querySelectorAll('.wfnb-mark > :last-child')].map((mark) => mark.tagName.toLowerCase());

const MAIN = line('main', 0, { first: 0, last: 4 });
const ROWS = [row(0), row(1, { branch: 'b' }), row(2, { branch: 'b' }), row(3), row(4)];

test('a branch leaves the step it was opened at and runs to its last step', () => {
  const svg = drawn([MAIN, line('b', 1, { from: 0, first: 1, last: 2 })], ROWS);

  expect(ways(svg)).toEqual(['M12 0V40', 'M12 0C12 6 30 4 30 10M30 10V20']);
});

test('a merged branch comes back to the step it was merged into', () => {
  const svg = drawn([MAIN, line('b', 1, { from: 0, first: 1, last: 2, joins: 4 })], ROWS);

  expect(ways(svg)[1]).toBe('M12 0C12 6 30 4 30 10M30 30C30 36 12 34 12 40M30 10V30');
});

test('a branch without a step is a stub', () => {
  const svg = drawn([MAIN, line('b', 1, { from: 4 })], ROWS);

  expect(ways(svg)[1]).toBe('M12 40C12 52 30 48 30 60');
});

test('of a line that runs far beyond what is drawn only that much is drawn', () => {
  const svg = drawn([line('main', 0, { first: 0, last: 9999 })], ROWS, { first: 2, end: 4 });

  expect(ways(svg)).toEqual(['M12 10V40']);
});

test('a line that is elsewhere is not drawn', () => {
  const svg = drawn([line('b', 1, { from: 100, first: 101, last: 120, joins: 130 })], ROWS);

  expect(ways(svg)).toEqual([]);
});

test('lanes are told apart by the shape of their marks', () => {
  const names = ['main', 'b', 'c', 'd'];
  const svg = drawn(
    names.map((name, lane) => line(name, lane)),
    names.map((branch, i) => row(i, { branch })),
  );

  const marks = [...svg.querySelectorAll('.wfnb-mark > :last-child')];
  expect(shapes(svg)).toEqual(['circle', 'rect', 'path', 'path']);
  expect(new Set(marks.map((mark) => mark.getAttribute('d') ?? mark.tagName)).size).toBe(4);
});

test('a stale step is hollow, the current one has a ring', () => {
  const svg = drawn([MAIN], [row(0, { stale: true }), row(1)], { current: 2 });

  const marks = [...svg.querySelectorAll('.wfnb-mark')];
  expect(marks.map((mark) => mark.classList.contains('wfnb-hollow'))).toEqual([true, false]);
  expect(marks.map((mark) => mark.querySelector('.wfnb-ring') !== null)).toEqual([false, true]);
});

test('what a filter lets pass has marks but no lines', () => {
  const svg = drawn([MAIN], ROWS, { whole: false });

  expect([ways(svg).length, shapes(svg).length]).toEqual([0, 5]);
});

test('many lanes stand closer, so that words have room', () => {
  const lines = Array.from({ length: 40 }, (_, lane) => line(`b${lane}`, lane));

  expect(columns(lines, 300).width).toBeLessThanOrEqual(300 * 0.27 + 1);
  expect(columns(lines.slice(0, 2), 300).width).toBe(42);
});

const CLOSED = { count: 100, row: 28, open: null, extra: 0 };
const OPEN = { count: 100, row: 28, open: 3, extra: 72 };

test('every row is found at its own height, and below an open card too', () => {
  for (const layout of [CLOSED, OPEN, { ...CLOSED, row: 44 }, { ...OPEN, row: 44 }]) {
    for (let place = 0; place < 100; place++) {
      expect(at(layout, top(layout, place))).toBe(place);
      expect(at(layout, top(layout, place) + layout.row - 1)).toBe(place);
    }
  }
  expect(at(OPEN, 3 * 28 + 50)).toBe(3);
  expect([height(CLOSED), height(OPEN)]).toEqual([2808, 2880]);
});

test('what is drawn holds what is in sight', () => {
  expect(band(CLOSED, 280, 280)).toEqual([4, 27]);
  expect(band(CLOSED, 0, 280)).toEqual([0, 17]);
  expect(band(CLOSED, 2520, 280)).toEqual([84, 100]);
});

test('a row is scrolled to as little as needed, its head before its end', () => {
  expect(reveal(CLOSED, 5, 0, 280)).toBe(0);
  expect(reveal(CLOSED, 10, 0, 280)).toBe(28);
  expect(reveal(CLOSED, 2, 280, 280)).toBe(56);
  expect(reveal({ ...OPEN, extra: 1000 }, 3, 0, 280)).toBe(84);
});
