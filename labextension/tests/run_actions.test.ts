import { describe, expect, test } from 'vitest';

import { Refused } from '../src/link';
import type { OpenQuestion, Delta } from '../src/protocol';
import { delta } from './fake';
import { golden } from './golden';
import { having, inTime, names, refusals, run, soon, view } from './given_runs';
import { seen, twice } from './shown';

inTime();

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
    await soon();
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

describe('the focus after an answer', () => {
  const sure = (call: number, more: Partial<OpenQuestion> = {}): OpenQuestion => ({
    run: 'a-1', call, action: 'sure', question: 'Go on?', choices: ['yes', 'no'], default: null, secret: false, otherwise: '',
    ...more,
  });
  const asks = (seq: number, ...all: OpenQuestion[]): Delta => delta(seq, { runs: [{ name: 'a-1', asks: all }] });

  test('is in the form of the next question, also where that comes later', () => {
    const made = view(having(run('a-1', { asks: [sure(1)] })));
    made.button('no').focus();
    made.link.tell(asks(1, sure(2)));
    const atOnce = document.activeElement;
    expect(atOnce).toBe(made.button('yes'));
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
