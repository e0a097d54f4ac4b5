import { expect, test } from 'vitest';

import { card, delta, many, row, settled } from './fake';
import { click, scroll, selected, shown } from './given_timeline';
import { inRoom } from './room';

inRoom();

test.each([
  [['ArrowDown'], 10],
  [['ArrowUp'], 9],
  [['End', 'ArrowUp', 'ArrowUp'], 8],
  [['Home'], 1],
  [['Home', 'ArrowUp'], 1],
  [['Home', 'ArrowDown'], 2],
  [['End', 'ArrowDown'], 10],
  [['Home', 'PageDown'], 10],
])('the keys %s select step %i', async (keys, number) => {
  const { list, key } = await shown(many(10));

  keys.forEach((name) => key(name));

  expect(selected(list)).toBe(`Step number ${number}`);
  expect(list.getAttribute('aria-activedescendant')).toBe(list.querySelector('[aria-selected="true"]')?.id);
});

test('a step far away is selected before it has come, and shown when it came', async () => {
  const { list, key } = await shown(many(10000));

  key('Home');
  await settled();

  expect(list.scrollTop).toBe(0);
  expect(selected(list)).toBe('Step number 1');
});

test('the selected step stays in the page when it is scrolled away', async () => {
  const { list, key } = await shown(many(10000));
  key('End');

  scroll(list, 0);
  await settled();

  expect(selected(list)).toBe('Step number 10000');
  expect(list.getAttribute('aria-activedescendant')).not.toBeNull();
});

test('Enter opens the selected step into its card and closes it again', async () => {
  const { link, list, key } = await shown(many(10));
  key('Home');

  key('Enter');
  await settled(100);

  const opened = list.querySelector('[aria-expanded="true"]');
  expect(opened?.textContent).toBe('Step number 1');
  expect(opened?.closest('[role="row"]')?.querySelector('.wfnb-card')?.textContent).toContain('About 1.');
  expect(link.asked.filter(({ word }) => word === 'card').map(({ args }) => args)).toEqual([{ key: 1 }]);
  key('Enter');
  expect(list.querySelector('.wfnb-card')).toBeNull();
});

test('rows below an open card stand lower by its height', async () => {
  const { list, key } = await shown(many(10));
  key('Home');

  key('Enter');

  const places = [...list.querySelectorAll<HTMLElement>('.wfnb-row')].map((one) => one.style.transform);
  expect(places.slice(0, 3)).toEqual(['translateY(0px)', 'translateY(128px)', 'translateY(156px)']);
  expect(list.querySelector<HTMLElement>('.wfnb-canvas')?.style.height).toBe('388px');
});

test('while arrows go on, the card goes with the selection and only the last is asked for', async () => {
  const { link, list, key } = await shown(many(10));

  ['Home', 'Enter', 'ArrowDown', 'ArrowDown'].forEach((name) => key(name));
  await settled(100);

  expect(list.querySelector('.wfnb-card')?.getAttribute('aria-label')).toBe('Step 3');
  expect(link.asked.filter(({ word }) => word === 'card').map(({ args }) => args)).toEqual([{ key: 3 }]);
});

test('a click opens a step where it is, a second click closes it', async () => {
  const { list } = await shown(many(100));
  const line = list.querySelectorAll('.wfnb-line')[10];

  click(line);
  const opened = selected(list);
  click(line);

  expect(opened).toBe(line?.querySelector('.wfnb-title')?.textContent);
  expect(list.querySelector('.wfnb-card')).toBeNull();
});

test('Escape in a card gives the focus back to the list', async () => {
  const { list, key } = await shown(many(10));
  ['Home', 'Enter'].forEach((name) => key(name));
  list.querySelector<HTMLElement>('.wfnb-card button:not([hidden])')?.focus();

  key('Escape');

  expect(document.activeElement).toBe(list);
  expect(list.querySelector('.wfnb-card')).toBeNull();
});

test('Escape closes a card, and where none is open it is left to what is around', async () => {
  const { list, key } = await shown(many(10));
  const heard: boolean[] = [];
  const hear = (event: Event): void => void heard.push(event.defaultPrevented);
  document.addEventListener('keydown', hear);
  ['Home', 'Enter'].forEach((name) => key(name));

  key('Escape');
  const closed = list.querySelector('.wfnb-card') === null;
  key('Escape');
  document.removeEventListener('keydown', hear);

  expect(closed).toBe(true);
  expect(heard).toEqual([false]);
});

test('what has the focus in a card keeps it while the step changes', async () => {
  const versions = [{ version: 1, says: 'ok', source: 'x = 1' }];
  const { link, list, key } = await shown(many(10), { card: ({ key }) => card([], key, { versions }) });
  ['Home', 'Enter'].forEach((name) => key(name));
  await settled(100);
  const focused = list.querySelector<HTMLElement>('.wfnb-card pre');
  focused?.focus();

  link.tell(delta(1, { rows: [row(0, { attempts: 2 })] }));
  await settled(100);

  expect(link.asked.filter(({ word }) => word === 'card').length).toBe(2);
  expect(document.activeElement).toBe(focused);
});

test('where what has the focus goes away, the list has it', async () => {
  const { link, list, key } = await shown([row(0, { stale: true })], { confirm: () => null });
  ['Home', 'Enter'].forEach((name) => key(name));
  const confirm = list.querySelector<HTMLElement>('.wfnb-card button');
  confirm?.focus();
  confirm?.click();

  link.tell(delta(1, { rows: [row(0)] }));

  expect(link.asked).toContainEqual({ word: 'confirm', args: { key: 1 } });
  expect(document.activeElement).toBe(list);
});

test('Ctrl+Enter goes to the cell; a step without one says so', async () => {
  const { host, key } = await shown([row(0), row(1, { cell_id: null })]);

  key('Home');
  key('Enter', { ctrlKey: true });
  key('End');
  key('Enter', { ctrlKey: true });

  expect(host.did).toEqual([
    ['goToCell', 'cell-1', 0],
    ['say', 'Step 2 is in no cell of this notebook.'],
  ]);
});

test('the keyboard comes to the step that new ones follow, and goes with it until another is picked', async () => {
  const { link, list, end, key } = await shown(many(10));
  const told = (seq: number): void =>
    link.tell(delta(seq, { count: 10 + seq, rows: [row(9 + seq)], head: { current: 10 + seq } }));

  end.focus();
  const came = [document.activeElement === list, selected(list), list.querySelector('.wfnb-card')];
  told(1);
  const went = selected(list);
  key('ArrowUp');
  told(2);

  expect(came).toEqual([true, 'Step number 10', null]);
  expect(went).toBe('Step number 11');
  expect(selected(list)).toBe('Step number 10');
});

test('the keyboard comes to the step that was picked, and its card stays open', async () => {
  const { list, end, key } = await shown(many(100));
  ['Home', 'Enter'].forEach((name) => key(name));
  scroll(list, 1000);

  end.focus();

  expect([selected(list), list.querySelector('.wfnb-card') !== null]).toEqual(['Step number 1', true]);
  expect(list.scrollTop).toBe(0);
});
