import { describe, expect, test, vi } from 'vitest';

import type { RunDetail } from '../src/protocol';
import { delta } from './fake';
import { golden } from './golden';
import { having, inTime, meta, names, NOW, open, run, soon, view } from './given_runs';
import { harm, seen } from './shown';

inTime();

describe('the list', () => {
  test('has the runs of the golden session, newest first, with sign, name, state, count and time', () => {
    const made = view(golden('runs').picture);

    const told = made.all('.wfnb-run-head').map((head, at) => [
      head.firstElementChild?.textContent, made.all('.wfnb-name')[at]?.textContent, meta(made, at),
    ]);
    expect(told).toEqual([
      ['▶', 'release-1', 'running · 1 done · 1 min 40 s'],
      ['◐', 'lost-1', 'interrupted · 9 s'],
      ['✓', 'checks-1', 'success · 7 done · 6.1 s'],
      ['◔', 'deploy-1', 'partly rolled back · 3 of 3 · 4.8 s'],
    ]);
    expect(made.all('.wfnb-fault').filter(seen).map((each) => each.textContent)).toEqual(['restart: port in use · not undone: upload (no such upload)']);
  });

  test('says the workflow where the name of the run does not', () => {
    const made = view(having(run('a-1'), run('night', { workflow: 'report' })));

    const said = made.all('.wfnb-run-name > .wfnb-dim').filter((each) => !each.hidden).map((each) => each.textContent);
    expect(said).toEqual(['report']);
  });

  test('shows how far a run is while it runs, in a bar that says it too', () => {
    const made = view(having(run('a-1')));
    const bar = made.one('[role=progressbar]');
    expect([bar.hidden, bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual([false, '4', '6']);

    made.link.tell(delta(1, { runs: [{ name: 'a-1', done: 5 }] }));
    expect(bar.getAttribute('aria-valuenow')).toBe('5');

    made.link.tell(delta(2, { runs: [{ name: 'a-1', status: 'success', done: 6 }] }));
    expect(bar.hidden).toBe(true);
  });

  test('time goes on only while something runs', async () => {
    const made = view(having(run('a-1')));
    expect(meta(made)).toBe('running · 4 of 6 · 12 s');

    await soon(3000);
    expect(meta(made)).toBe('running · 4 of 6 · 15 s');

    made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'success', sign: '✓', ended: NOW + 3 }] }));
    expect(meta(made)).toBe('success · 4 of 6 · 15 s');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('time stands still where nobody can see it, and goes on when it is shown again', async () => {
    const made = view(having(run('a-1')));
    const panel = document.createElement('div');
    panel.append(made.root);
    document.body.append(panel);
    panel.hidden = true;
    await soon(2000);
    expect(vi.getTimerCount()).toBe(0);

    panel.hidden = false;
    made.tab.show(made.state(), new Set(['runs'] as const));
    expect(meta(made)).toBe('running · 4 of 6 · 14 s');
    expect(vi.getTimerCount()).toBe(1);
  });

  test('has 30 runs at first, and older ones on demand', () => {
    const made = view(having(...Array.from({ length: 65 }, (_, i) => run(`a-${i}`, { status: 'success' }))));
    expect(names(made).slice(0, 2).concat(`${names(made).length}`)).toEqual(['a-64', 'a-63', '30']);

    made.button('35 older').click();
    expect(names(made)).toHaveLength(60);
  });

  test('counts what runs', () => {
    const made = view(having(run('a-1'), run('b-1', { status: 'failed' }), run('c-1')));

    expect(made.tab.count?.(made.state())).toBe(2);
    made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'success' }, { name: 'c-1', status: 'cancelled' }] }));
    expect(made.tab.count?.(made.state())).toBeNull();
  });
});

test('hostile names, questions and lines stay text', async () => {
  const { picture: whole, runs: details } = golden('hostile');
  const made = view(whole, { run: ({ run: name }) => details[name] as RunDetail });
  await open(made);

  expect(harm(made.root).filter((found) => found !== 'style')).toEqual([]);
  expect(made.one('.wfnb-bar > i').getAttribute('style') ?? '').toMatch(/^(width: [\d.]+%;?)?$/);
  expect(made.all('[style]').every((each) => each.matches('.wfnb-bar > i'))).toBe(true);
  const [name] = Object.keys(details) as [string];
  expect(names(made)).toEqual([name]);
  expect(made.all('.wfnb-log > div').map((each) => each.lastChild?.textContent)).toEqual(
    details[name]?.tail.map(({ text }) => text || '\u200b'),
  );
  expect(made.one('legend').textContent).toContain('<img src=x onerror=alert(1)>');
});

test('a closed tab leaves no timer and no listener, and closes what it had opened', async () => {
  const made = view(having(run('a-1'), run('b-1')));
  await open(made, 0);
  await open(made, 1);
  made.link.tell(delta(1, { runs: [{ name: 'a-1', done: 5 }] }));
  made.dispose();

  expect(made.asked('close_run')).toEqual([{ run: 'b-1' }, { run: 'a-1' }]);
  expect(vi.getTimerCount()).toBe(0);
  expect(made.link.listeners).toBe(0);
});

describe('the time', () => {
  const hour = 3600;

  test('is that of the kernel, whatever the clock of the page says', async () => {
    const made = view({ ...having(run('a-1', { started: NOW + hour - 12 })), now: NOW + hour });
    const first = meta(made);
    made.link.tell(delta(1, { now: NOW + hour + 5, runs: [{ name: 'a-1', done: 5 }] }));

    expect([first, meta(made)]).toEqual(['running · 4 of 6 · 12 s', 'running · 5 of 6 · 17 s']);
  });

  test('goes on in whole seconds while a run does', async () => {
    const made = view({ ...having(run('a-1', { started: NOW - 8.4 })), now: NOW });
    const first = meta(made);
    await soon(1000);

    expect([first, meta(made)]).toEqual(['running · 4 of 6 · 8 s', 'running · 4 of 6 · 9 s']);
  });
});
