/** What cannot be changed now is disabled, says why, and is as it was afterwards; and what did not run here says so. */

import { afterEach, expect, test, vi } from 'vitest';

import { recordedCells } from '../src/lab/recorded_cells';
import { parts } from '../src/lab/step_words';
import { frame } from '../src/render/view_frame';
import { reading, writes } from '../src/render/read_only';
import { away } from '../src/render/state_signs';
import { TABS } from '../src/render/tabs';
import { h } from '../src/render/dom';
import { card, fakeHost, fakeLink, many, picture, row, settled } from './fake';

afterEach(() => document.body.replaceChildren());

test('a button that writes is disabled for as long as there is a reason, and is then as it was', () => {
  const act = vi.fn();
  const one = writes(h('button', { title: 'undo', onclick: act }, 'undo'));
  const two = writes(h('button', { 'aria-disabled': true }, 'redo'));
  const root = h('div', {}, one, two, h('button', { onclick: act }, 'look'));
  const held = reading(root);

  held.because('Nobody answers.');
  one.click();
  expect([one.getAttribute('aria-disabled'), one.title]).toEqual(['true', 'Nobody answers.']);
  expect(act).not.toHaveBeenCalled();
  root.querySelectorAll('button')[2]?.click();
  expect(act).toHaveBeenCalledTimes(1);

  held.because('');
  one.click();
  expect([one.getAttribute('aria-disabled'), one.title]).toEqual([null, 'undo']);
  expect([two.getAttribute('aria-disabled'), two.hasAttribute('title')]).toEqual(['true', false]);
  expect(act).toHaveBeenCalledTimes(2);
  held.dispose();
});

test('a button that is drawn meanwhile is disabled, too', async () => {
  const root = h('div');
  document.body.append(root);
  const held = reading(root);
  held.because('Nobody answers.');

  const late = writes(h('button', {}, 'confirm'));
  root.append(h('p', {}, late));
  await settled();

  expect(late.getAttribute('aria-disabled')).toBe('true');
  held.dispose();
});

test('a step that ran in no kernel that is there says so; one without code and one that runs do not', () => {
  expect(away(row(0, { here: false }))).toBe(true);
  expect(away(row(0))).toBe(false);
  expect(away(row(0, { here: false, outcome: 'none' }))).toBe(false);
  expect(away(row(0, { here: false, outcome: 'running' }))).toBe(false);
  expect(parts(row(2, { number: 3, here: false })).at(-1)).toBe('○ not run in this kernel');
});

test('a panel that reads the journal says so and offers to load wfnb', async () => {
  const link = fakeLink(many(3));
  const load = vi.fn(async () => true);
  const view = frame(document.body, link, { ...fakeHost(), load, start: load }, TABS);
  link.turn('journal');
  link.tell(picture(many(3)));

  const notice = document.querySelector('.wfnb-notice') as HTMLElement;
  const button = [...notice.querySelectorAll('button')].find((each) => each.textContent === 'Load wfnb');
  expect(notice.textContent).toContain('The history as it was saved: no kernel has loaded it.');
  expect(button?.hidden).toBe(false);
  button?.click();
  expect(load).toHaveBeenCalledTimes(1);

  link.turn('live');
  expect(notice.hidden).toBe(true);
  view.dispose();
});

test('while the journal is read, the deeds of a card that write are disabled, and its cell is still found', async () => {
  const rows = [row(0, { kept: 2, stale: true })];
  const link = fakeLink(rows, { card: ({ key }) => card(rows, key, { description: 'Load' }) });
  const view = frame(document.body, link, { ...fakeHost(), holds: () => true }, TABS);
  link.turn('journal');
  link.tell(picture(rows));
  await settled();
  document.querySelector('.wfnb-title')?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  await settled(120);
  const deed = (name: string): HTMLButtonElement =>
    [...document.querySelectorAll<HTMLButtonElement>('.wfnb-card button')].find(({ textContent }) => textContent === name)!;

  const why = ['confirm', 'hide', 'edit title'].map((name) => deed(name).title);
  expect(why).toEqual(Array(3).fill('The history as it was saved: no kernel has loaded it.'));
  deed('hide').click();
  deed('edit title').click();
  expect(link.asked.map(({ word }) => word)).not.toContain('hide');
  expect(document.querySelector<HTMLElement>('.wfnb-describing')?.hidden).toBe(true);
  expect(deed('go to cell').getAttribute('aria-disabled')).toBe(null);

  link.turn('live');
  deed('edit title').click();
  expect(document.querySelector<HTMLElement>('.wfnb-describing')?.hidden).toBe(false);
  view.dispose();
});

test('a notebook without a history offers to begin one, whether wfnb is loaded or not', () => {
  const link = fakeLink();
  const start = vi.fn(async () => true);
  const view = frame(document.body, link, { ...fakeHost(), load: start, start }, TABS);
  const offered = (): string[] =>
    [...document.querySelectorAll<HTMLElement>('.wfnb-empty button')].filter((b) => !b.hidden).map((b) => b.textContent ?? '');

  link.tell({ kind: 'gone', says: 'No session yet. `%%step` begins one.', empty: true });
  expect(offered()).toEqual(['Start a history here']);
  link.turn('gone');
  expect(offered()).toEqual(['Start a history here']);
  link.tell({ kind: 'gone', says: 'The journal is broken.' });
  expect(offered()).toEqual(['Load wfnb']);
  expect(document.querySelector('.wfnb-empty')?.textContent).toContain('The journal is broken.');
  view.dispose();
});

test('badges stay where they are while the same session is told by somebody else', async () => {
  const link = fakeLink(many(200));
  const known = recordedCells(link);
  link.tell(picture(many(200)));
  await expect.poll(() => known.rows().length).toBe(200);

  link.tell(picture(many(200, (i) => row(i, { here: false }))));

  expect(known.row('cell-1')?.index).toBe(0);
  known.dispose();
});
