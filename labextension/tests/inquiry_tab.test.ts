import { expect, test } from 'vitest';

import type { Inquiry, Snapshot } from '../src/protocol';
import { inquiry } from '../src/render/inquiry_tab';
import { delta, line } from './fake';
import { golden } from './golden';
import { cells, harm, seen, shown } from './shown';
import type { Shown } from './shown';

const whole = (): Snapshot => golden('investigation').picture;
const told = (): Inquiry => whole().inquiry as Inquiry;
const having = (more: Partial<Inquiry>): Snapshot => ({ ...whole(), inquiry: { ...told(), ...more } });
const rows = (view: Shown, caption: string): string[][] => {
  const table = view.all('table').find((each) => each.querySelector('caption')?.textContent === caption);
  return table && seen(table) ? cells(table) : [];
};
const point = (step: string, place: number, state = ''): Inquiry['confidence'][number] =>
  ({ step, level: told().levels[place] ?? 'other', place, state });

test('says where the investigation stands', () => {
  expect(shown(inquiry, whole()).one('.wfnb-status').textContent).toBe(told().says);
});

test('says what is missing to end, where somebody asked for the end', () => {
  const end = 'not ended: what is missing: a relevant file';

  expect(seen(shown(inquiry, whole()).one('.wfnb-end'))).toBe(false);
  expect(shown(inquiry, having({ end })).one('.wfnb-end').textContent).toBe(end);
});

test('the checklist says what is done, by what, and what is open', () => {
  const view = shown(inquiry, whole());

  expect(view.all('.wfnb-checklist li').map((item) => [...item.children].map((part) => part.textContent))).toEqual(
    told().checklist.map(({ text, done, by, box }) => [!box ? '•' : done ? '☑' : '☐', !box ? '' : done ? 'done: ' : 'to do: ', text, by ?? '']),
  );
  expect(view.tab.count?.(view.state())).toBe(3);
});

test('findings and hypotheses have a row each, with what became of them in sign and word', () => {
  const view = shown(inquiry, whole());

  expect(rows(view, 'Findings')).toEqual([
    ['1', '3 days, the log book says 4', ''],
    ['2', '335 rows', ''],
    ['parser:3', 'none is lost', '✕ abandoned'],
    ['3', 'twice', '⊖ withdrawn'],
    ['4', '00:10 is the day before', ''],
  ]);
  expect(rows(view, 'Hypotheses').map(([, , fate]) => fate)).toEqual(['· standing', '✕ discarded', '⊖ withdrawn']);
});

test('issues stand by severity, of the same severity in their order', () => {
  const issue = (severity: string, text: string): Inquiry['issues'][number] => ({ severity, text, steps: ['1', '2'], state: '' });
  const view = shown(inquiry, having({
    issues: [issue('low', 'a'), issue('odd', 'b'), issue('critical', 'c'), issue('medium', 'd'), issue('low', 'e'), issue('high', 'f')],
  }));

  expect(rows(view, 'Issues').map(([severity, text]) => [severity, text])).toEqual([
    ['critical', 'c'], ['high', 'f'], ['medium', 'd'], ['low', 'a'], ['low', 'e'], ['odd', 'b'],
  ]);
});

test('the files that matter are listed', () => {
  expect(shown(inquiry, whole()).all('.wfnb-files li').map((each) => each.textContent)).toEqual(['tides.py']);
});

test('what has nothing to say is not there', () => {
  const view = shown(inquiry, having({ checklist: [], confidence: [], findings: [], found: 0, issues: [], hypotheses: [], files: [] }));

  expect(view.all('section, table').filter(seen)).toEqual([]);
  expect(view.tab.count?.(view.state())).toBeNull();
});

test('each step is a point of the chart at the height of its level, hollow where it no longer counts', () => {
  const view = shown(inquiry, whole());
  const levels = new Map(view.all('.wfnb-levels text').map((each) => [each.textContent, Number(each.getAttribute('y')) - 4]));

  const marks = view.all('.wfnb-chart .wfnb-mark').map((mark) => [
    mark.querySelector('title')?.textContent, mark.classList.contains('wfnb-hollow'),
  ]);
  expect(marks).toEqual([
    ['step 1: low', false], ['step 2: low', false], ['step parser:3: medium, abandoned', true],
    ['step 3: high, withdrawn', true], ['step 4: high', false],
  ]);
  expect(view.all('.wfnb-chart circle').map((each) => Number(each.getAttribute('cy')))).toEqual(
    ['low', 'low', 'high', 'high'].map((level) => levels.get(level)),
  );
});

test('lines of steps differ by shape; a branch comes from the point that it left', () => {
  const lines = [line('main', 0), line('b', 1), line('c', 2, { parent: 'b' })];
  const confidence = [point('1', 0), point('2', 1), point('b:2', 2), point('b:3', 3), point('c:4', 1), point('3', 2)];
  const view = shown(inquiry, { ...having({ confidence }), lines });

  const shapes = view.all('.wfnb-chart .wfnb-mark').map((mark) => mark.lastElementChild?.tagName.toLowerCase());
  expect(shapes).toEqual(['circle', 'circle', 'rect', 'rect', 'path', 'circle']);
  const ways = view.all('.wfnb-chart .wfnb-way').map((way) =>
    [...(way.getAttribute('d') ?? '').matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x)),
  );
  const places = ways.map(([, to]) => to ?? 12);
  expect(ways.map(([from]) => places.indexOf(from ?? -1))).toEqual([-1, 0, 0, 2, 3, 1]);
});

test('a step comes from the last one before it that still counts', () => {
  const confidence = [point('1', 0), point('2', 1, 'withdrawn'), point('3', 2)];
  const view = shown(inquiry, having({ confidence }));

  const starts = view.all('.wfnb-chart .wfnb-way').map((way) => Number((way.getAttribute('d') ?? '').match(/^M([\d.]+)/)?.[1]));
  expect(starts.slice(1)).toEqual([12, 12]);
  expect(view.all('.wfnb-chart .wfnb-way').map((way) => way.classList.contains('wfnb-gone'))).toEqual([false, true, false]);
});

test('a level on another scale is in the table and not in the chart', () => {
  const view = shown(inquiry, having({ confidence: [point('1', 0), point('2', -1), point('3', 1)] }));

  expect(view.all('.wfnb-chart .wfnb-mark')).toHaveLength(2);
  expect(rows(view, 'Confidence of the steps')).toHaveLength(3);
});

test('the table beside the chart says the same', () => {
  expect(rows(shown(inquiry, whole()), 'Confidence of the steps').map(([step, level]) => [step, level])).toEqual(
    told().confidence.map(({ step, level }) => [step, level]),
  );
});

test('the chart says in a sentence how sure the steps were', () => {
  expect(shown(inquiry, whole()).one('.wfnb-chart svg[role=img]').getAttribute('aria-label')).toBe(
    'Confidence over 5 steps: low, high',
  );
});

test('a tick changes its item and leaves the others', () => {
  const view = shown(inquiry, whole());
  const items = view.all('.wfnb-checklist li');
  const { checklist } = told();
  view.link.tell(delta(whole().seq + 1, { inquiry: { checklist: [[1, { done: true, by: 'cell: x' }]] } }));

  expect(view.all('.wfnb-checklist li')).toEqual(items);
  expect(items[1]?.textContent).toBe(`☑done: ${checklist[1]?.text}cell: x`);
  expect(view.one('section[aria-label=Checklist] h3').textContent).toBe('Checklist · 1 of 2');
});

test('hostile texts stay text', () => {
  const evil = '"><img src=x onerror=alert(1)></svg><script>alert(1)</script>';
  const view = shown(inquiry, having({
    says: evil, levels: [evil, 'b'], files: [evil], checklist: [{ text: evil, done: true, by: evil, box: true }],
    confidence: [{ step: `${evil}:1`, level: evil, place: 0, state: evil }],
    findings: [{ step: evil, text: evil, state: evil }], issues: [{ severity: evil, text: evil, steps: [evil], state: evil }],
    hypotheses: [{ number: 1, step: evil, text: evil, fate: evil, why: evil }],
  }));

  expect(harm(view.root)).toEqual([]);
  expect(rows(view, 'Findings')).toEqual([[evil, evil, `· ${evil}`]]);
});

test('a hypothesis that stands is confirmed or refuted by a click, one with a verdict is not', () => {
  const each = (number: number, fate: string): Inquiry['hypotheses'][number] =>
    ({ number, step: '1', text: `the loop ${number}`, fate, why: fate === 'standing' ? '' : 'by step 4' });
  const view = shown(inquiry, having({ hypotheses: [each(1, 'standing'), each(2, 'refuted')] }));

  view.all('button').forEach((button) => (button as HTMLButtonElement).click());

  expect(view.link.asked.map(({ args }) => args)).toEqual([
    { hypothesis: 1, verdict: 'confirmed' },
    { hypothesis: 1, verdict: 'refuted' },
  ]);
});

test('every table has a caption and the scope of its heads', () => {
  const view = shown(inquiry, whole());

  expect(view.all('table').filter((table) => !table.querySelector('caption')?.textContent)).toEqual([]);
  expect(view.all('th:not([scope])')).toEqual([]);
});

test('what nothing can show to be done has no box, and is not counted among those that have one', () => {
  const item = { text: 'think', done: false, by: null };
  const boxed = { ...item, text: 'look', box: true };
  const heading = (view: ReturnType<typeof shown>): string | null => view.one('section[aria-label=Checklist] h3').textContent;

  const both = shown(inquiry, having({ checklist: [{ ...item, box: false }, boxed] }));
  expect(both.all('.wfnb-checklist li').map((each) => each.textContent)).toEqual(['•think', '☐to do: look']);
  expect(heading(both)).toBe('Checklist · 0 of 1');
  expect(heading(shown(inquiry, having({ checklist: [{ ...item, box: false }] })))).toBe('Checklist');
});

test('the number of findings is that of all, where only the last are told', () => {
  const view = shown(inquiry, having({ found: 130 }));

  expect(view.tab.count?.(view.state())).toBe(130);
});
