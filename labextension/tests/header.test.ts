import { expect, test } from 'vitest';

import { delta, settled } from './fake';
import { cleared, framed } from './given_frame';
import { seen } from './shown';

cleared();

test('the header says where the session is', async () => {
  const { link, root } = await framed();

  link.tell(delta(1, { head: { total: 6, strategy: 'react', stage: 'plan', says: '3 steps' } }));

  expect(root.querySelector('.wfnb-session')?.textContent).toBe('sensor-drift');
  expect(root.querySelector('.wfnb-key')?.textContent).toBe('react · plan');
  expect(root.querySelector('.wfnb-says')?.textContent).toBe('3 steps');
  const bar = root.querySelector<HTMLElement>('[role="progressbar"]');
  expect([bar?.getAttribute('aria-valuenow'), bar?.getAttribute('aria-valuemax')]).toEqual(['3', '6']);
  expect(bar?.querySelector<HTMLElement>('i')?.style.width).toBe('50%');
});

const deed = (root: HTMLElement, name: string): HTMLElement =>
  root.querySelector(`[aria-label="${name}"]`) as HTMLElement;
const cannot = (root: HTMLElement): (string | null)[] =>
  ['undo', 'redo'].map((name) => deed(root, name).getAttribute('aria-disabled'));

test.each(['undo', 'redo'])('a double click on %s does it once', async (word) => {
  const { link, root } = await framed({ undo: () => 'Step 3 is undone.', redo: () => 'Step 3 is back.' });
  link.tell(delta(1, { head: { can_undo: true, can_redo: true } }));

  deed(root, word).click();
  await settled();
  deed(root, word).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 2 }));

  expect(link.asked.filter((each) => each.word === word)).toHaveLength(1);
});

test('until the answer is there neither undo nor redo can be asked for, whatever is told meanwhile', async () => {
  let answer: (says: string) => void = () => undefined;
  const { link, root } = await framed({ undo: () => new Promise<string>((done) => (answer = done)) });
  link.tell(delta(1, { head: { can_undo: true, can_redo: true } }));

  deed(root, 'undo').click();
  link.tell(delta(2, { head: { steps: 2 } }));
  const meanwhile = cannot(root);
  deed(root, 'undo').click();
  answer('Step 3 is undone.');
  await settled();

  expect(meanwhile).toEqual(['true', 'true']);
  expect(cannot(root)).toEqual([null, null]);
  expect(link.asked.filter(({ word }) => word === 'undo')).toHaveLength(1);
});

test('undo and redo do something only while they can be done, and say what they did', async () => {
  const { link, host, root } = await framed({ undo: () => 'Step 3 is undone.' });
  const before = cannot(root);
  deed(root, 'undo').click();
  await settled();
  const asked = link.asked.some(({ word }) => word === 'undo');
  link.tell(delta(1, { head: { can_undo: true } }));

  deed(root, 'undo').click();
  deed(root, 'redo').click();
  await settled();

  expect([before, asked, cannot(root)]).toEqual([['true', 'true'], false, [null, 'true']]);
  expect(host.did).toEqual([['say', 'Step 3 is undone.']]);
});

test('the arrow that undid the last thing that there was keeps the focus', async () => {
  const { link, root } = await framed({ undo: () => 'Step 1 is undone.' });
  link.tell(delta(1, { head: { can_undo: true } }));
  deed(root, 'undo').focus();

  link.tell(delta(2, { head: { can_undo: false, can_redo: true } }));

  expect(document.activeElement).toBe(deed(root, 'undo'));
  expect([seen(deed(root, 'undo')), cannot(root)]).toEqual([true, ['true', null]]);
});

test('a button of the header is a drawing with a name, which says whether cells are recorded', async () => {
  const { link, root } = await framed({ record: () => null });
  const buttons = [...root.querySelectorAll('.wfnb-head button')];

  link.tell(delta(1, { head: { recording: true } }));

  expect(buttons.map((each) => [each.getAttribute('aria-label'), each.textContent, each.querySelectorAll('svg[aria-hidden]').length])).toEqual(
    ['record each cell', 'undo', 'redo'].map((name) => [name, '', 1]),
  );
  expect(buttons.every((each) => each.getAttribute('title'))).toBe(true);
  expect(deed(root, 'record each cell').getAttribute('aria-pressed')).toBe('true');
  deed(root, 'record each cell').click();
  expect(link.asked.at(-1)).toEqual({ word: 'record', args: { on: false } });
});
