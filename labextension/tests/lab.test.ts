/** What JupyterLab's side makes of what the kernel tells: cells with their steps, and the text of new cells. */

import { expect, test } from 'vitest';

import { branchText, headText, lastHeading, reviseText, stepText } from '../src/lab/step_magic_line';
import { recordedCells } from '../src/lab/recorded_cells';
import { forms } from '../src/lab/panel_output';
import { parts, place } from '../src/lab/step_words';
import { delta, fakeLink, head, line, many, picture, row, settled } from './fake';

const typed = ({ text, selected }: { text: string; selected: [number, number] }): string =>
  `${text.slice(0, selected[0])}[${text.slice(...selected)}]${text.slice(selected[1])}`;

test('a new cell waits for a title, or for the name of the branch', () => {
  const step = row(2, { number: 3 });

  expect(typed(stepText())).toBe('%%step []');
  expect(typed(stepText('observation'))).toBe('%%step --stage observation []');
  expect(typed(stepText('', 'alt'))).toBe('%%step --branch alt []');
  expect(typed(branchText(step, 'main'))).toBe('%%branch [NAME] --from 3 ');
  expect(typed(reviseText(step, 'main'))).toBe('%%step --revises 3 []');
});

test.each([
  ['x = 1', undefined, '%%step []\n', 0],
  ['x = 1', 'Load', '%%step [Load]\n', 0],
  ['# Load the data\nx = 1', 'Fit', '%%step [Load the data]\n', 16],
  ['\n# %% Load\n', 'Fit', '%%step [Load]\n', 11],
  ['#!x\n', 'Fit', '%%step [Fit]\n', 0],
  ['#\nx', 'Fit', '%%step [Fit]\n', 0],
  ['x = 1', '3 ways', '%%step ["3 ways"]\n', 0],
  ['x = 1', 'a "b" --done', `%%step ["a 'b' --done"]\n`, 0],
  ['x = 1', "it's", `%%step ["it's"]\n`, 0],
])('a cell becomes a step: %j under %j', (source, heading, text, instead) => {
  const made = headText(source, heading);

  expect(typed(made)).toBe(text);
  expect(made.instead).toBe(instead);
});

test.each([
  ['# One\ntext\n## **Two** [link](http://x) #', 'Two link'],
  ['no heading\n#tag', undefined],
  ['text\n   ### `code` <b>x</b>', 'code x'],
])('the last heading of %j', (markdown, heading) => {
  expect(lastHeading(markdown)).toBe(heading);
});

test('a step of another line is named with its branch', () => {
  const step = row(2, { number: 3, branch: 'größer/v2' });

  expect(branchText(step, 'main').text).toBe('%%branch NAME --from größer/v2:3 ');
  expect(reviseText(step, 'main').text).toBe('%%step --branch größer/v2 --revises 3 ');
});

test('a name that is none never gets into a cell', () => {
  const step = row(2, { number: 3, branch: 'a\nimport os' });

  expect(stepText('a b\n!rm', 'a\n!rm').text).toBe('%%step ');
  expect(branchText(step, 'main').text).toBe('%%branch NAME --from 3 ');
  expect(reviseText(step, 'main').text).toBe('%%step --revises 3 ');
});

test('a cell holds the last step that came out of it', () => {
  const link = fakeLink();
  const known = recordedCells(link);

  link.tell(picture([row(0, { cell_id: 'a' }), row(1, { cell_id: 'b' }), row(2, { cell_id: 'a' })]));

  expect(known.row('a')?.index).toBe(2);
  expect(known.row('b')?.index).toBe(1);
  expect(known.row('c')).toBeUndefined();
});

test('a step that is withdrawn gives its cell back to the one before', () => {
  const link = fakeLink();
  const known = recordedCells(link);
  link.tell(picture([row(0, { cell_id: 'a' }), row(1, { cell_id: 'a' })]));

  link.tell({ kind: 'delta', seq: 1, rows: [row(1, { cell_id: 'a', withdrawn: true })] });

  expect(known.row('a')?.index).toBe(0);
});

test('a step that is run again in another cell leaves its first cell', () => {
  const link = fakeLink();
  const known = recordedCells(link);
  link.tell(picture([row(0, { cell_id: 'a' })]));

  link.tell({ kind: 'delta', seq: 1, rows: [row(0, { cell_id: 'b', attempts: 2 })] });

  expect(known.row('a')).toBeUndefined();
  expect(known.row('b')?.attempts).toBe(2);
});

test('where a message is missing, cells are shown as the whole picture has them', async () => {
  const link = fakeLink([], { snapshot: () => picture([row(0, { cell_id: 'a', outcome: 'ok' })], { seq: 2 }) });
  const known = recordedCells(link);
  link.tell(picture([row(0, { cell_id: 'a', outcome: 'running' })]));
  await settled();

  link.tell(delta(2));
  await settled();

  expect(known.row('a')?.outcome).toBe('ok');
});

test('steps before the first picture are asked for', async () => {
  const link = fakeLink(many(1_200));
  const known = recordedCells(link);

  link.tell(picture(many(1_200)));
  await expect.poll(() => known.rows().length).toBe(1_200);

  expect(known.row('cell-1')?.index).toBe(0);
  const rows = link.asked.filter(({ word }) => word === 'rows');
  expect(rows.map(({ args }) => args['first'])).toEqual([640, 140, 0]);
});

test('what was asked for a picture that is gone is not used', async () => {
  const link = fakeLink(many(200));
  const known = recordedCells(link);
  link.tell(picture(many(200)));

  link.tell({ kind: 'gone', says: 'over' });
  await new Promise((done) => setTimeout(done));

  expect(known.rows()).toEqual([]);
  expect(known.head).toBeNull();
});

test('a badge says number, branch, stage and state, each with a word', () => {
  expect(parts(row(2, { number: 3 }))).toEqual(['step 3', '✓ ok']);
  expect(parts(row(2, { number: 3, branch: 'alt', stage: 'plan', stale: true, revised_by: 7 }))).toEqual([
    'step 3', 'alt', 'plan', '◌ stale', '↻ revised',
  ]);
});

test.each([
  ['failed', ['✕ failed · ◌ stale']],
  ['interrupted', ['◐ interrupted · ◌ stale']],
  ['running', ['▶ running · ◌ stale']],
  ['unknown', ['? unknown · ◌ stale']],
] as const)('a badge of a stale step that is %s says both', (outcome, said) => {
  expect(parts(row(2, { number: 3, outcome, stale: true })).slice(1)).toEqual(said);
});

test('a badge says what became of the line of its step, as soon as that is decided', () => {
  const link = fakeLink();
  const known = recordedCells(link);
  const step = row(1, { number: 2, branch: 'alt' });
  const says = (): string[] => parts(step, known.line(step));
  link.tell(picture([row(0), step], { lines: [line('main', 0), line('alt', 1)] }));
  const before = says();

  link.tell(delta(1, { lines: [{ id: 'alt', state: 'abandoned' }] }));

  expect(before).toEqual(['step 2', 'alt', '✓ ok']);
  expect(says()).toEqual(['step 2', '✕ alt · abandoned', '✓ ok']);
});

test('the status bar says how far, on which line, at which stage', () => {
  expect(place(head({ steps: 3, total: null }))).toBe('3 steps · main');
  const alt = head({ steps: 7, total: 5, line: 'alt', stage: 'plan' });
  expect(place(alt, row(6, { number: 3, branch: 'alt' }))).toBe('step 3/5 · alt · plan');
});

test('an output is drawn as its widget and as the best of its other forms', () => {
  const asked: string[][] = [];
  const first = (data: object): string | undefined => {
    asked.push(Object.keys(data));
    return Object.keys(data)[0];
  };
  const widget = 'application/vnd.jupyter.widget-view+json';
  const ours = 'application/vnd.wfnb.panel+json';

  expect(forms({ [ours]: {}, 'text/html': 'x', [widget]: { model_id: '1' } }, first)).toEqual({
    still: 'text/html',
    live: widget,
  });
  expect(forms({ [ours]: {}, 'text/html': 'x' }, first)).toEqual({ still: 'text/html', live: undefined });
  expect(asked.flat()).not.toContain(ours);
});
