/** The button that runs what is stale, and the same in the card of a step. */

import { beforeEach, expect, test } from 'vitest';

import { progress } from '../src/lab/cell_run_progress';
import { runStale } from '../src/render/run_stale';
import type { RunStale } from '../src/render/run_stale';
import { delta, fakeHost, fakeLink, settled } from './fake';
import { cleared, framed } from './given_frame';
import { seen } from './shown';

cleared();

type Framed = Awaited<ReturnType<typeof framed>>;
let made: Framed;
beforeEach(async () => {
  made = await framed();
});

const button = ({ root }: Framed): HTMLButtonElement =>
  [...root.querySelectorAll<HTMLButtonElement>('.wfnb-stale button')][0] as HTMLButtonElement;
const line = ({ root }: Framed): HTMLElement => root.querySelector('.wfnb-stale > span') as HTMLElement;

test('it is there only while a stale step can be run', () => {
  const before = seen(button(made));
  made.link.tell(delta(1, { head: { can_run_stale: true, stale: 2 } }));
  const between = [seen(button(made)), line(made).textContent];
  made.link.tell(delta(2, { head: { can_run_stale: false } }));

  expect([before, between, seen(button(made))]).toEqual([false, [true, '2 steps are stale.'], false]);
});

test('while cells run it stops them, and says which step it is', () => {
  made.link.tell(delta(1, { head: { can_run_stale: true, stale: 1 } }));

  button(made).click();
  made.host.stale.goes(true, 'Running step 3.');
  const going = [button(made).textContent, line(made).textContent];
  button(made).click();
  made.host.stale.goes(false, '');

  expect(made.host.did).toEqual([['runStale'], ['stopStale']]);
  expect(going).toEqual(['Stop', 'Running step 3.']);
  expect([button(made).textContent, line(made).textContent]).toEqual(['Run stale', '1 step is stale.']);
});

test('while a notebook is resumed it says how far that is, and stops it', () => {
  const resume = Object.assign(progress(), { run: async () => undefined });
  const { root } = runStale(fakeLink(), { ...fakeHost(), resume }) as RunStale;
  document.body.append(root);
  const hidden = root.hidden;

  resume.tell(true, 'Running cell 3 of 7.');
  const text = (): string => [...root.querySelectorAll('span, button')].filter(seen).map((each) => each.textContent).join('');
  const says = [seen(root), text()];
  root.querySelector('button')?.click();

  expect([hidden, says]).toEqual([true, [true, 'Running cell 3 of 7.Stop']]);
  expect([resume.stopped, text()]).toEqual([true, 'Running cell 3 of 7. Stops after it.Stop']);
  resume.tell(false, '');
  expect(seen(root)).toBe(false);
});

test('all hold as they are by one click, but not while cells run', () => {
  made.link.tell(delta(1, { head: { can_run_stale: true, stale: 2 } }));
  const all = [...made.root.querySelectorAll<HTMLButtonElement>('.wfnb-stale button')][1] as HTMLButtonElement;

  all.click();
  made.host.stale.goes(true, 'Running step 3.');

  expect(all.textContent).toBe('Confirm all');
  expect(made.link.asked.filter(({ word }) => word === 'confirm')).toEqual([{ word: 'confirm', args: {} }]);
  expect(seen(all)).toBe(false);
});

test('why it ended stays until nothing is stale any more; code in it is code', () => {
  made.link.tell(delta(1, { head: { can_run_stale: true, stale: 1 } }));
  made.host.stale.goes(false, 'The cell of step 3 was edited: `%wfnb run-stale 3` runs it.');
  const says = [line(made).textContent, line(made).querySelector('code')?.textContent];

  made.link.tell(delta(2, { head: { can_run_stale: false, stale: 0 } }));

  expect(says).toEqual(['The cell of step 3 was edited: %wfnb run-stale 3 runs it.', '%wfnb run-stale 3']);
  expect(seen(line(made))).toBe(false);
});

test('why it ended is no reason for what is stale later', () => {
  made.link.tell(delta(1, { head: { can_run_stale: true, stale: 1 } }));
  made.host.stale.goes(false, 'Step 3 failed.');
  made.link.tell(delta(2, { head: { can_run_stale: false, stale: 0 } }));
  made.link.tell(delta(3, { head: { can_run_stale: true, stale: 2 } }));
  const later = line(made).textContent;

  made.host.stale.goes(true, 'Running step 3.');
  made.host.stale.goes(false, 'Step 3 failed.');

  expect([later, line(made).textContent]).toEqual(['2 steps are stale.', 'Step 3 failed.']);
});

test('why a step was not run is said where no other can be run', () => {
  made.link.tell(delta(1, { head: { can_run_stale: false, stale: 1 } }));
  made.host.stale.goes(true, 'Waiting for the kernel.');
  made.host.stale.goes(false, 'Step 3 has no cell in this notebook.');

  expect([seen(line(made)), line(made).textContent]).toEqual([true, 'Step 3 has no cell in this notebook.']);
  expect(button(made).getAttribute('aria-disabled')).toBe('true');
});

test('who pressed it keeps the focus when nothing is stale any more', () => {
  made.link.tell(delta(1, { head: { can_run_stale: true } }));
  button(made).focus();

  made.link.tell(delta(2, { head: { can_run_stale: false } }));

  expect(document.activeElement).toBe(button(made));
  expect(button(made).getAttribute('aria-disabled')).toBe('true');
});

test('without a kernel it does nothing and says what is needed', async () => {
  made.link.tell(delta(1, { head: { can_run_stale: true } }));
  made.link.turn('journal');
  await settled();

  button(made).click();

  expect(made.host.did).toEqual([]);
  expect(button(made).title).toBe('The history as it was saved: no kernel has loaded it.');
});
