import { describe, expect, test } from 'vitest';

import { Refused } from '../src/link';
import { delta } from './fake';
import { golden } from './golden';
import { having, inTime, names, refusals, run, soon, view } from './given_runs';
import { seen } from './shown';

inTime();

describe('what can be done', () => {
  test('a click cancels, a second one while it stops does so at once', async () => {
    const made = view(having(run('a-1')));
    made.button('Cancel: a-1').click();
    await soon();
    made.button('Stop at once: a-1').click();
    await soon();

    expect(made.asked('cancel')).toEqual([{ run: 'a-1' }, { run: 'a-1', at_once: true }]);
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
    expect(made.all('.wfnb-run-line > .wfnb-button').filter(seen)).toEqual([]);
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

  test('when the button with the focus goes, the focus stays at the run', () => {
    const made = view(having(run('a-1')));
    made.button('Cancel: a-1').focus();
    made.link.tell(delta(1, { runs: [{ name: 'a-1', status: 'success' }] }));

    expect(document.activeElement).toBe(made.one('.wfnb-run'));
  });
});

test('what a called run asks is answered in the run that was begun, to the one that asks', async () => {
  const asked = {
    run: 'checks-2', action: 'sure', question: 'Go on?', choices: ['yes', 'no'], default: null, secret: false, otherwise: '',
  };
  const made = view(having(run('release-1', { asks: [asked] })));

  made.button('yes').click();
  await soon();

  expect(made.one('legend').textContent).toBe('checks-2: sure asks: Go on?');
  expect(made.asked('answer')).toEqual([{ run: 'checks-2', action: 'sure', answer: 'yes' }]);
});

test('a run that is too old for the list is brought into it to be answered', () => {
  const asked = { run: 'a-0', action: 'sure', question: 'Tag?', choices: [], default: null, secret: false, otherwise: '' };
  const all = Array.from({ length: 90 }, (_, i) => run(`a-${i}`, i === 0 ? { asks: [asked] } : {}));
  const made = view(having(...all));
  const before = names(made).length;

  made.tab.answer?.('a-0');

  expect([before, names(made).length]).toEqual([30, 90]);
  expect(document.activeElement).toBe(made.one('.wfnb-ask input'));
});
