import { expect, test } from 'vitest';

import { Refused } from '../src/link';
import { compare } from '../src/render/compare_tab';
import { delta, head, line, many, picture } from './fake';
import { lines, of, reason, soon, submit, view } from './given_compare';
import { key, seen, shown, twice } from './shown';

test('every line that was not merged can be selected, and abandoned but for main', async () => {
  const made = await view([...lines('main', 'a', 'b'), line('gone', 3, { open: false, state: 'merged' })]);

  const offered = made.all('.wfnb-verdict button').filter(seen).map((button) => button.getAttribute('aria-label'));
  expect(offered).toEqual([
    'Select main', 'Score main',
    'Switch to a', 'Select a', 'Abandon a', 'Merge a', 'Score a', 'Switch to b', 'Select b', 'Abandon b', 'Merge b', 'Score b',
  ]);
});

test('a score is a number, and goes with its reason; other verdicts have none', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Score robust').click();
  const field = made.all<HTMLInputElement>('[type="number"]').find(seen) as HTMLInputElement;
  const [focused, kinds] = [document.activeElement === field, made.all('input').filter(seen).length];
  field.value = '0.85';
  made.all<HTMLInputElement>('[type="text"]').filter(seen).forEach((each) => (each.value = 'half the error'));
  await submit(made);
  made.button('Merge robust').click();
  await submit(made);

  expect([focused, kinds]).toEqual([true, 2]);
  expect(made.asked('score')).toEqual([{ branch: 'robust', score: 0.85, reason: 'half the error' }]);
  expect(made.asked('merge')).toEqual([{ branch: 'robust' }]);
});

test('a line that was abandoned and left can be switched to, and selected after all', async () => {
  const made = await view([line('main', 0), line('a', 1, { open: false, state: 'abandoned' })]);
  const offered = made.all('.wfnb-verdict button').filter(seen).map((button) => button.getAttribute('aria-label'));
  made.button('Select a').click();
  await submit(made);

  expect(offered).toEqual(['Select main', 'Score main', 'Switch to a', 'Select a', 'Merge a', 'Score a']);
  expect(made.one('.wfnb-verdicts').textContent).toContain('✕ abandoned');
  expect(made.asked('select')).toEqual([{ branch: 'a' }]);
});

test('a reason that was typed goes with the verdict', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Abandon robust').click();
  reason(made).value = '  outliers, not drift ';
  await submit(made);

  expect(made.asked('abandon')).toEqual([{ branch: 'robust', reason: 'outliers, not drift' }]);
  expect(made.all('form').filter(seen)).toEqual([]);
});

test('without a reason none is sent', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Select main').click();
  await submit(made);

  expect(made.asked('select')).toEqual([{ branch: 'main' }]);
});

test('a click alone decides nothing: it opens the field for the reason, which has the focus', async () => {
  const made = await view(lines('main', 'robust'));
  const button = made.button('Abandon robust');
  button.click();

  expect(made.asked('abandon')).toEqual([]);
  expect(document.activeElement).toBe(reason(made));
  expect(button.getAttribute('aria-expanded')).toBe('true');
});

test('Escape closes the field, decides nothing, and gives the focus back', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Abandon robust').click();
  key(reason(made), 'Escape');

  expect(made.all('form').filter(seen)).toEqual([]);
  expect(document.activeElement).toBe(made.button('Abandon robust'));
  expect(made.asked('abandon')).toEqual([]);
});

test('a refusal is said under the line, and what was typed stays', async () => {
  const made = await view(lines('main', 'robust'), {
    select: () => {
      throw new Refused('BranchMerged', "Branch 'robust' was merged.");
    },
  });
  made.button('Select robust').click();
  reason(made).value = 'best';
  await submit(made);

  const refused = made.all('.wfnb-refused').filter(seen);
  expect(refused.map((each) => each.textContent)).toEqual(["Branch 'robust' was merged."]);
  expect(refused[0]?.getAttribute('role')).toBe('alert');
  expect(refused[0]?.closest('li')?.textContent).toContain('robust');
  expect(reason(made).value).toBe('best');
});

test('a second Enter while the first is under way asks nothing', async () => {
  const made = await view(lines('main', 'robust'), { select: () => new Promise(() => undefined) });
  made.button('Select robust').click();
  await submit(made);
  await submit(made);

  expect(made.asked('select')).toHaveLength(1);
});

test('what is being typed keeps text and focus when the session goes on', async () => {
  const made = await view(lines('main', 'a', 'b'));
  made.button('Abandon b').click();
  const field = reason(made);
  field.value = 'half a sen';
  made.link.tell(delta(1, { lines: [{ id: 'a', open: false, state: 'abandoned' }, line('c', 3), { id: 'b', steps: 4 }] }));
  await soon();

  expect(document.activeElement).toBe(field);
  expect(reason(made)).toBe(field);
  expect(field.value).toBe('half a sen');
});

test('when a line is settled the focus stays near: at what can be done with the next one', async () => {
  const made = await view(lines('main', 'a', 'b'));
  made.button('Select a').focus();
  made.link.tell(delta(1, { lines: [{ id: 'a', open: false, state: 'merged' }] }));

  expect(document.activeElement).toBe(made.button('Switch to b'));
});

test('where one was selected, those that were passed over can still be chosen, and say what they are', async () => {
  const made = await view([
    line('main', 0, { open: false }), line('a', 1, { state: 'selected' }), line('b', 2, { open: false, over: true }),
  ]);

  expect(made.all('.wfnb-verdict').map((each) => each.querySelector('.wfnb-dim')?.textContent)).toEqual([
    '▶ current', '✓ selected', '✕ passed over',
  ]);
  expect(made.all('.wfnb-verdict button').filter(seen).map((button) => button.getAttribute('aria-label'))).toEqual([
    'Select main', 'Score main',
    'Switch to a', 'Abandon a', 'Merge a', 'Score a', 'Switch to b', 'Select b', 'Abandon b', 'Merge b', 'Score b',
  ]);
});

test('the current line is there whatever became of it', async () => {
  const made = shown(
    compare,
    picture(many(3), { lines: [line('main', 0), line('a', 1, { state: 'abandoned', open: false })], head: head({ line: 'a' }) }),
    { compare: () => of([]) },
  );
  await soon();

  expect(made.all('.wfnb-verdict').map((each) => each.querySelector('.wfnb-dim')?.textContent)).toEqual([
    '', '▶ current · ✕ abandoned',
  ]);
  expect(made.all('.wfnb-verdict button').filter(seen).map((button) => button.getAttribute('aria-label'))).toEqual([
    'Switch to main', 'Select main', 'Score main', 'Select a', 'Merge a', 'Score a',
  ]);
});

test('after a line was selected the focus is at what can be done with it, or at the line', async () => {
  const made = await view(lines('main', 'robust'));
  const decided = async (seq: number, id: string): Promise<Element | null> => {
    made.button(`Select ${id}`).click();
    await submit(made);
    made.link.tell(delta(seq, { lines: [{ id, state: 'selected' }] }));
    return document.activeElement;
  };

  expect(await decided(1, 'robust')).toBe(made.button('Switch to robust'));
  expect(await decided(2, 'main')).toBe(made.button('Score main'));
});

test('the two buttons of a verdict have two names', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Abandon robust').click();

  expect(made.all('button').filter(seen).map((each) => each.getAttribute('aria-label') ?? '').filter((name) => /^Abandon/.test(name)))
    .toEqual(['Abandon robust', 'Abandon robust now']);
});

test('a double click opens the form, and does not close it again', async () => {
  const made = await view(lines('main', 'robust'));
  await twice(() => made.button('Abandon robust'));

  expect(made.all('form').filter(seen)).toHaveLength(1);
});

test('a double click leaves the focus in the field that it opened', async () => {
  const made = await view(lines('main', 'robust'));
  const button = made.button('Select robust');
  button.click();
  const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true, detail: 2 });
  button.dispatchEvent(press);

  expect(press.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(reason(made));
});

test('a first press on a button gives it the focus as ever', async () => {
  const made = await view(lines('main', 'robust'));
  const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true, detail: 1 });
  made.button('Select robust').dispatchEvent(press);

  expect(press.defaultPrevented).toBe(false);
});

test('a reason to select a line is none to abandon it', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Select robust').click();
  reason(made).value = 'the best of all';
  made.button('Abandon robust').click();
  const emptied = reason(made).value;
  await submit(made);

  expect(emptied).toBe('');
  expect(made.asked('abandon')).toEqual([{ branch: 'robust' }]);
});

test('a reason that was begun stays while its form is closed', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Select robust').click();
  reason(made).value = 'the be';
  made.button('Select robust').click();
  made.button('Select robust').click();

  expect(reason(made).value).toBe('the be');
});

test('what was refused of one verdict is not said of the other', async () => {
  const made = await view(lines('main', 'robust'), {
    select: () => {
      throw new Refused('JournalLocked', 'The journal is locked.');
    },
  });
  made.button('Select robust').click();
  await submit(made);
  const before = made.all('.wfnb-refused').filter(seen).length;
  made.button('Abandon robust').click();

  expect([before, made.all('.wfnb-refused').filter(seen)]).toEqual([1, []]);
});

test('a line can be switched to', async () => {
  const made = await view(lines('main', 'robust'));
  made.button('Switch to robust').click();
  await soon();

  expect(made.asked('switch')).toEqual([{ branch: 'robust' }]);
});
