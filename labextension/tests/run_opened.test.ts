import { describe, expect, test } from 'vitest';

import { Refused } from '../src/link';
import type { RunDetail } from '../src/protocol';
import { MAX_LINES } from '../src/render/run_tail';
import { EVERYTHING } from '../src/store';
import { delta } from './fake';
import { golden } from './golden';
import { detail, having, inTime, names, open, refusals, run, soon, view } from './given_runs';
import { cells, seen } from './shown';
import type { Shown } from './shown';

inTime();

describe('a run that is opened', () => {
  test('has its actions in a table, and the last lines that it printed', async () => {
    const made = view(having(run('a-1')));
    await open(made);

    expect(made.asked('run')).toEqual([{ run: 'a-1' }]);
    expect(cells(made.one('table'))).toEqual([
      ['✓ok', 'test12 passed', 'shell', '1', '6.2 s'],
      ['▶running', 'publish', 'terminal', '2', ''],
      ['·not yet', 'announce', 'notebook', '', ''],
    ]);
    expect(made.all('.wfnb-log > div').map((each) => each.textContent)).toEqual(['publishuploading 3 of 7 …']);
    expect(made.one('.wfnb-run-head').getAttribute('aria-expanded')).toBe('true');
  });

  test.each(Object.keys(golden('runs').runs))('is drawn as Python laid it out: %s', async (name) => {
    const { picture: whole, runs: details } = golden('runs');
    const made = view(whole, { run: ({ run: asked }) => details[asked] as RunDetail });
    await open(made, names(made).indexOf(name));

    const drawing = details[name]?.drawing;
    const labels = made.all('.wfnb-box').map((box) => box.parentElement?.querySelector('text')?.textContent);
    expect(labels).toEqual((drawing?.nodes ?? []).map(({ sign, label }) => `${sign} ${label}`));
    expect(cells(made.one('table')).map(([state, , tool]) => [state, tool])).toEqual(
      details[name]?.actions.map(({ sign, state, tool }) => [`${sign}${state}`, tool]),
    );
  });

  test('new lines come after those that are there, and old ones go', async () => {
    const made = view(having(run('a-1')));
    await open(made);
    const lines = Array.from({ length: MAX_LINES }, (_, i) => ({ who: 'publish', text: `line ${i}` }));
    made.link.tell(delta(1, { tails: [{ run: 'a-1', lines: lines.slice(0, 2), upto: 3 }, { run: 'other', lines, upto: 9 }] }));
    expect(made.all('.wfnb-log > div').map((each) => each.lastChild?.textContent)).toEqual([
      'uploading 3 of 7 …', 'line 0', 'line 1',
    ]);

    made.link.tell(delta(2, { tails: [{ run: 'a-1', lines, upto: 3 + MAX_LINES }] }));
    expect(made.all('.wfnb-log > div')).toHaveLength(MAX_LINES);
    expect(made.one('.wfnb-log > div:last-child').textContent).toBe(`line ${MAX_LINES - 1}`);
  });

  test('a line is shown once, whether an answer had it or a message brought it', async () => {
    const made = view(having(run('a-1')), { run: ({ run: name }) => detail(run(name), { upto: 3 }) });
    made.all('.wfnb-run-head')[0]?.click();
    const tells = (seq: number, text: string, upto: number): void =>
      made.link.tell(delta(seq, { tails: [{ run: 'a-1', lines: [{ who: '', text }], upto }] }));
    tells(1, 'in the answer', 3);
    tells(2, 'not in the answer', 4);
    await soon();
    tells(3, 'in the answer, told late', 3);
    tells(4, 'after it', 5);

    expect(made.all('.wfnb-log > div').map((each) => each.lastChild?.textContent)).toEqual([
      'uploading 3 of 7 …', 'not in the answer', 'after it',
    ]);
  });

  test('a run that was resumed counts its lines anew, and they are shown', async () => {
    let upto = 40;
    const made = view(having(run('a-1')), { run: ({ run: name }) => detail(run(name), { upto }) });
    await open(made);
    upto = 0;
    made.link.tell(delta(1, { runs: [{ name: 'a-1', done: 0 }] }));
    await soon();
    made.link.tell(delta(2, { tails: [{ run: 'a-1', lines: [{ who: '', text: 'again' }], upto: 1 }] }));

    expect(made.one('.wfnb-log > div:last-child').lastChild?.textContent).toBe('again');
  });

  describe('that is resumed', () => {
    const failed = run('a-1', { status: 'failed', here: false, ended: 10 });
    const said = (text: string): { who: string; text: string } => ({ who: '', text });
    const logged = (made: Shown): unknown[] => made.all('.wfnb-log > div').map((each) => each.lastChild?.textContent);
    const after = async (first: RunDetail, then: RunDetail): Promise<Shown> => {
      let now = first;
      const made = view(having(first.run), { run: () => now });
      await open(made);
      now = then;
      made.link.tell(delta(1, { runs: [{ ...then.run, done: 1 }] }));
      await soon();
      return made;
    };

    test('and ends before it is asked for has all that it keeps', async () => {
      const again = { ...failed, status: 'success', ended: 20 };
      const made = await after(
        detail(failed, { tail: [said('before')], upto: 0 }),
        detail(again, { tail: [said('before'), said('again')], upto: 0 }),
      );

      expect(logged(made)).toEqual(['before', 'again']);
    });

    test('has what it printed before it was asked for, under what it had printed before', async () => {
      const made = await after(
        detail(failed, { tail: [said('before')], upto: 0 }),
        detail(run('a-1'), { tail: [said('at once'), said('soon')], upto: 2 }),
      );
      const tells = (seq: number, text: string, upto: number): void =>
        made.link.tell(delta(seq, { tails: [{ run: 'a-1', lines: [said(text)], upto }] }));
      tells(2, 'soon', 2);
      tells(3, 'later', 3);

      expect(logged(made)).toEqual(['before', 'at once', 'soon', 'later']);
    });

    test('in another process has its lines once', async () => {
      const elsewhere = run('a-1', { here: false });
      const made = await after(
        detail(failed, { tail: [said('before')], upto: 0 }),
        detail(elsewhere, { tail: [said('before'), said('there')], upto: 0 }),
      );

      expect(logged(made)).toEqual(['before', 'there']);
    });
  });

  test('a run of another process has its lines when it has ended', async () => {
    const there = run('a-1', { here: false });
    let now = detail(there, { tail: [], upto: 0 });
    const made = view(having(there), { run: () => now });
    await open(made);
    now = detail({ ...there, status: 'success', ended: 20 }, { tail: [{ who: '', text: 'there' }], upto: 0 });
    made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'success', ended: 20 }] }));
    await soon();

    expect(made.all('.wfnb-log > div').map((each) => each.textContent)).toEqual(['there']);
  });

  test('lines that were told stay when the run has ended, whatever it keeps of them', async () => {
    let now = detail(run('a-1'), { tail: [], upto: 0 });
    const made = view(having(run('a-1')), { run: () => now });
    await open(made);
    made.link.tell(delta(1, { tails: [{ run: 'a-1', lines: [{ who: '', text: 'of a run that it called' }], upto: 1 }] }));
    now = detail(run('a-1', { status: 'success', here: false, ended: 20 }), { tail: [], upto: 0 });
    made.link.tell(delta(2, { runs: [{ name: 'a-1', status: 'success', ended: 20 }] }));
    await soon();

    expect(made.all('.wfnb-log > div').map((each) => each.textContent)).toEqual(['of a run that it called']);
  });

  test('who printed is said where it changes', async () => {
    const made = view(having(run('a-1')));
    await open(made);
    const said = (who: string): { who: string; text: string } => ({ who, text: 'x' });
    made.link.tell(delta(1, { tails: [{ run: 'a-1', lines: [said('publish'), said('test'), said('test'), said('')], upto: 5 }] }));

    expect(made.all('.wfnb-who').map((each) => each.textContent)).toEqual(['publish', 'test']);
  });

  test('is asked for again when it goes on, and only the rows that differ change', async () => {
    const head = run('a-1');
    let now = detail(head);
    const made = view(having(head), { run: () => now });
    await open(made);
    const rows = made.all('tbody tr');
    const log = made.one('.wfnb-log > div');
    now = detail(head, { actions: now.actions.map((one, i) => (i === 1 ? { ...one, state: 'ok', sign: '✓', seconds: 1.7 } : one)) });
    made.link.tell(delta(1, { runs: [{ name: 'a-1', done: 5 }] }));
    await soon();

    expect(cells(made.one('table'))[1]).toEqual(['✓ok', 'publish', 'terminal', '2', '1.7 s']);
    expect(made.all('tbody tr')).toEqual(rows);
    expect(made.one('.wfnb-log > div')).toBe(log);
  });

  test('after a new picture it is opened again, with its lines', async () => {
    const made = view(having(run('a-1')));
    await open(made);
    made.link.tell(delta(1, { tails: [{ run: 'a-1', lines: [{ who: '', text: 'later' }], upto: 2 }] }));
    made.link.tell({ ...having(run('a-1')), seq: 7 });
    await soon();

    expect(made.asked('run')).toHaveLength(2);
    expect(made.all('.wfnb-log > div')).toHaveLength(1);
  });

  test('has all its lines still when the tab was closed and is opened again', async () => {
    const made = view(having(run('a-1')));
    await open(made);
    made.link.tell(delta(1, { tails: [{ run: 'a-1', lines: [{ who: '', text: 'later' }], upto: 2 }] }));
    made.tab.show(made.state(), EVERYTHING);
    await soon();

    expect(made.all('.wfnb-log > div').map((each) => each.lastChild?.textContent)).toEqual(['uploading 3 of 7 …', 'later']);
  });

  test('closed again, the kernel is told', async () => {
    const made = view(having(run('a-1')));
    await open(made);
    await open(made);

    expect(made.asked('close_run')).toEqual([{ run: 'a-1' }]);
    expect(made.all('table')).toEqual([]);
    expect(made.one('.wfnb-run-head').getAttribute('aria-expanded')).toBe('false');
  });

  test('is closed when its session is gone', async () => {
    const made = view(having(run('a-1')));
    await open(made);
    made.link.tell({ ...having(run('b-1')), seq: 1 });

    expect(made.asked('close_run')).toEqual([{ run: 'a-1' }]);
    expect(names(made)).toEqual(['b-1']);
  });

  test('that the kernel does not know is said in place', async () => {
    const made = view(having(run('a-1')), {
      run: () => {
        throw new Refused('RunUnknown', "There is no run 'a-1'.");
      },
    });
    await open(made);

    expect(refusals(made)).toEqual(["There is no run 'a-1'."]);
    expect(made.all('.wfnb-opened > .wfnb-dim').filter(seen)).toEqual([]);
  });
});
