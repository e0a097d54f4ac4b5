import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Refused } from '../src/link';
import type { Asked, RunDetail, RunHead, Snapshot } from '../src/picture';
import { runs } from '../src/render/runs';
import { KEPT } from '../src/render/tail';
import { EVERYTHING } from '../src/store';
import { delta, picture } from './fake';
import type { Answers } from './fake';
import { golden } from './golden';
import { cells, harm, seen, shown, twice } from './shown';
import type { Shown } from './shown';

const NOW = 1_750_000_100;

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

const soon = (ms = 300): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

function run(name: string, more: Partial<RunHead> = {}): RunHead {
  return {
    name, workflow: name.replace(/-\d+$/, ''), status: 'running', sign: '▶', step: 1, done: 4, total: 6, now: [],
    started: NOW - 12, ended: null, error: null, asks: [], here: true, resumable: false, ...more,
  };
}
const detail = (of: RunHead, more: Partial<RunDetail> = {}): RunDetail => ({
  run: of, drawing: null,
  actions: [
    { action: 'test', sign: '✓', state: 'ok', tool: 'shell', attempts: 1, seconds: 6.2, note: '12 passed' },
    { action: 'publish', sign: '▶', state: 'running', tool: 'terminal', attempts: 2, seconds: null, note: '' },
    { action: 'announce', sign: '·', state: 'not yet', tool: 'notebook', attempts: 0, seconds: null, note: '' },
  ],
  tail: [{ who: 'publish', text: 'uploading 3 of 7 …' }], upto: 1, ...more,
});
const having = (...all: RunHead[]): Snapshot => picture([], { runs: all });

function view(whole: Snapshot, answers: Answers = {}): Shown {
  return shown(runs, whole, {
    run: ({ run: name }) => detail(run(name)),
    close_run: () => null, cancel: () => null, answer: () => null, resume: ({ run: name }) => run(name), ...answers,
  });
}
const names = (made: Shown): string[] => made.all('.wfnb-run').map((each) => each.getAttribute('aria-label') ?? '');
const meta = (made: Shown, at = 0): string => made.all('.wfnb-meta')[at]?.textContent?.replace(/\u00a0/g, ' ') ?? '';
const open = async (made: Shown, at = 0): Promise<void> => {
  made.all('.wfnb-run-head')[at]?.click();
  await soon();
};
const refusals = (made: Shown): (string | null)[] => made.all('.wfnb-refused').filter(seen).map((each) => each.textContent);

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
      ['✕', 'deploy-1', 'failed · 3 of 3 · 4.8 s'],
    ]);
    expect(made.all('.wfnb-fault').filter(seen).map((each) => each.textContent)).toEqual(['restart: port in use']);
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

  test('without a run it says how to get one', () => {
    expect(view(having()).one('.wfnb-empty').textContent).toContain('%%run_workflow');
  });
});

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
    const lines = Array.from({ length: KEPT }, (_, i) => ({ who: 'publish', text: `line ${i}` }));
    made.link.tell(delta(1, { tails: [{ run: 'a-1', lines: lines.slice(0, 2), upto: 3 }, { run: 'other', lines, upto: 9 }] }));
    expect(made.all('.wfnb-log > div').map((each) => each.lastChild?.textContent)).toEqual([
      'uploading 3 of 7 …', 'line 0', 'line 1',
    ]);

    made.link.tell(delta(2, { tails: [{ run: 'a-1', lines, upto: 3 + KEPT }] }));
    expect(made.all('.wfnb-log > div')).toHaveLength(KEPT);
    expect(made.one('.wfnb-log > div:last-child').textContent).toBe(`line ${KEPT - 1}`);
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

describe('what can be done', () => {
  test('a click cancels, another button stops at once what is being cancelled', async () => {
    const made = view(having(run('a-1')));
    const before = made.all('[aria-label="Stop at once: a-1"]').map(seen);
    made.button('Cancel: a-1').click();
    await soon();
    expect(before).toEqual([false]);
    made.button('Stop at once: a-1').click();
    await soon();

    expect(made.asked('cancel')).toEqual([{ run: 'a-1' }, { run: 'a-1', at_once: true }]);
  });

  test('a double click, or a second one, on Cancel cancels once', async () => {
    const made = view(having(run('a-1')));
    const cancel = made.button('Cancel: a-1');
    await twice(() => cancel);
    await soon();
    cancel.click();
    await soon();

    expect(made.asked('cancel')).toEqual([{ run: 'a-1' }]);
    expect([made.button('Cancel: a-1'), cancel.getAttribute('aria-disabled')]).toEqual([cancel, 'true']);
  });

  test('a double click on Cancel of a run that ends at once does not resume it', async () => {
    const made = view(having(run('a-1')), {
      cancel: () => {
        made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'cancelled', resumable: true }] }));
        return null;
      },
    });
    await twice(() => made.all('.wfnb-run-line > .wfnb-button').filter(seen)[0] as HTMLElement);
    await soon();

    expect([made.asked('cancel').length, made.asked('resume').length]).toEqual([1, 0]);
    made.button('Resume: a-1');
    made.link.tell(delta(2, { runs: [{ name: 'a-1', status: 'running', resumable: false }] }));
    expect(made.button('Cancel: a-1').getAttribute('aria-disabled')).toBeNull();
  });

  test('a run that somebody else stops can be stopped at once', () => {
    const made = view(having(run('a-1', { now: ['stopping: cancelled', '▶ publish (terminal)'] })));

    expect(made.button('Stop at once: a-1').textContent).toBe('Stop at once');
    expect(made.one('.wfnb-doing').textContent).toBe('stopping: cancelled · ▶ publish (terminal)');
  });

  test('a run of another process can be cancelled, not stopped at once', async () => {
    const made = view(having(run('a-1', { here: false })));
    made.button('Cancel: a-1').click();
    await soon();

    expect(made.asked('cancel')).toEqual([{ run: 'a-1' }]);
    const offered = made.all('.wfnb-run-line > .wfnb-button').filter(seen);
    expect(offered.map((each) => [each.textContent, each.getAttribute('aria-disabled')])).toEqual([['Cancel', 'true']]);
  });

  test('a run that ended and runs again is cancelled softly at first', async () => {
    const made = view(having(run('a-1')));
    made.button('Cancel: a-1').click();
    await soon();
    made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'cancelled', resumable: true }] }));
    made.button('Resume: a-1').click();
    made.link.tell(delta(2, { runs: [{ name: 'a-1', status: 'running', resumable: false }] }));

    expect(made.asked('resume')).toEqual([{ run: 'a-1' }]);
    made.button('Cancel: a-1');
  });

  test('only what ended so that it can go on is resumed, only what runs is cancelled', () => {
    const made = view(golden('runs').picture);

    const offered = made.all('.wfnb-run-line > .wfnb-button').filter(seen).map((each) => each.getAttribute('aria-label'));
    expect(offered).toEqual(['Cancel: release-1', 'Resume: lost-1', 'Resume: deploy-1']);
  });

  test.each(['cancel', 'resume'] as const)('a refused %s is said at the run', async (word) => {
    const made = view(having(run('a-1', { resumable: true })), {
      [word]: () => {
        throw new Refused('RunEnded', 'The run has ended.');
      },
    });
    made.button(word === 'cancel' ? 'Cancel: a-1' : 'Resume: a-1').click();
    await soon();

    expect(refusals(made)).toEqual(['The run has ended.']);
    made.button('Cancel: a-1');
  });

  test('a refusal goes when the run is another, and with the next click at it', async () => {
    const made = view(having(run('a-1', { status: 'failed', resumable: true })), {
      resume: () => {
        throw new Refused('SecretMissing', 'token is missing.');
      },
    });
    const refused = async (): Promise<void> => {
      made.button('Resume: a-1').click();
      await soon();
      expect(refusals(made)).toEqual(['token is missing.']);
    };

    await refused();
    made.link.tell(delta(1, { runs: [{ name: 'a-1', done: 5 }] }));
    expect(refusals(made)).toEqual(['token is missing.']);
    made.link.tell(delta(2, { runs: [{ name: 'a-1', status: 'cancelled' }] }));
    expect(refusals(made)).toEqual([]);
    await refused();
    made.all('.wfnb-run-head')[0]?.click();

    expect(refusals(made)).toEqual([]);
  });

  test('what stands between backticks in a refusal is code, and text', async () => {
    const made = view(having(run('a-1', { resumable: true })), {
      resume: () => {
        throw new Refused('Refused', 'Say `%wfnb <b>` or `x`, not `y.');
      },
    });
    made.button('Resume: a-1').click();
    await soon();

    expect(refusals(made)).toEqual(['Say %wfnb <b> or x, not `y.']);
    expect(made.all('.wfnb-refused code').map((each) => each.innerHTML)).toEqual(['%wfnb &lt;b&gt;', 'x']);
  });

  test('when the button with the focus goes, the focus stays at the run', () => {
    const made = view(having(run('a-1')));
    made.button('Cancel: a-1').focus();
    made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'success' }] }));

    expect(document.activeElement).toBe(made.one('.wfnb-run'));
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

describe('the focus after an answer', () => {
  const sure = (call: number, more: Partial<Asked> = {}): Asked => ({
    run: 'a-1', call, action: 'sure', question: 'Go on?', choices: ['yes', 'no'], default: null, secret: false, otherwise: '',
    ...more,
  });
  const asks = (seq: number, ...all: Asked[]) => delta(seq, { runs: [{ name: 'a-1', asks: all }] });

  test('is in the form of the next question, also where that comes later', () => {
    const made = view(having(run('a-1', { asks: [sure(1)] })));
    made.button('no').focus();
    made.link.tell(asks(1, sure(2)));
    const at_once = document.activeElement;
    expect(at_once).toBe(made.button('yes'));
    made.link.tell(asks(2));
    expect(document.activeElement).toBe(made.one('.wfnb-run'));
    made.link.tell(delta(3, { runs: [{ name: 'a-1', done: 5 }] }));

    made.link.tell(asks(4, sure(3, { choices: [] })));

    expect(document.activeElement).toBe(made.one('.wfnb-ask input'));
  });

  test('is where a person has taken it meanwhile', () => {
    const made = view(having(run('a-1', { asks: [sure(1)] })));
    made.button('no').focus();
    made.link.tell(asks(1));
    made.button('Cancel: a-1').focus();

    made.link.tell(asks(2, sure(2)));

    expect(document.activeElement).toBe(made.button('Cancel: a-1'));
  });
});

test('what a called run asks is answered in the run that was begun, to the one that asks', async () => {
  const asked = {
    run: 'checks-2', call: 7, action: 'sure', question: 'Go on?', choices: ['yes', 'no'], default: null, secret: false, otherwise: '',
  };
  const made = view(having(run('release-1', { asks: [asked] })));

  made.button('yes').click();
  await soon();

  expect(made.one('legend').textContent).toBe('checks-2: sure asks: Go on?');
  expect(made.asked('answer')).toEqual([{ run: 'checks-2', call: 7, answer: 'yes' }]);
});

test('a run that is too old for the list is brought into it to be answered', () => {
  const asked = { run: 'a-0', call: 1, action: 'sure', question: 'Tag?', choices: [], default: null, secret: false, otherwise: '' };
  const all = Array.from({ length: 90 }, (_, i) => run(`a-${i}`, i === 0 ? { asks: [asked] } : {}));
  const made = view(having(...all));
  const before = names(made).length;

  made.tab.answer?.('a-0');

  expect([before, names(made).length]).toEqual([30, 90]);
  expect(document.activeElement).toBe(made.one('.wfnb-ask input'));
});
