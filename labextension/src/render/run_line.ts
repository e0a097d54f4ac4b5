/** A run in the list: how it is, how far, what it asks, and what can be done with it; a click opens it. */

import type { Link, Refused } from '../link';
import type { RunHead } from '../protocol';
import { __, term } from '../translation';
import { answerForms } from './answer_form';
import { deliberate } from './double_clicks';
import { attribute, h, text } from './dom';
import { keeping } from './focus_repair';
import { progressBar } from './progress_bar';
import { resumeForm } from './resume_form';
import type { ResumeAnswer, ResumeQuestion } from './resume_form';
import { opened } from './run_detail';
import type { Opened } from './run_detail';
import { writes } from './read_only';
import { button, statusLine } from './status_line';
import { seconds } from './duration';
import { look } from './tables';

const STOPPING = 'stopping:';
/** The nearest words of the house for what became of a run. */
const STATES: Readonly<Record<string, string>> = {
  success: 'ok', partial_success: 'ok', rolled_back: 'undone', partly_rolled_back: 'failed', parked: 'running',
};

export interface RunLine {
  root: HTMLElement;
  readonly open: Opened | null;
  /** `clock`: that of the kernel. */
  show(run: RunHead, whole: boolean, clock: () => number): void;
  /** Say how long it runs now. */
  tick(): void;
  dispose(): void;
}

export function runLine(link: Link, name: string): RunLine {
  let now: RunHead | null = null;
  let open: Opened | null = null;
  let cancelling = false;
  let cancelled = false;
  /** The focus was in a form that is gone: the next one has it. */
  let following = false;
  let time = (): number => Date.now() / 1000;

  const sign = h('span', { 'aria-hidden': 'true' });
  const workflow = h('span', { class: 'wfnb-dim' });
  const meta = h('span', { class: 'wfnb-meta' });
  const head = h(
    'button',
    { type: 'button', class: 'wfnb-run-head', 'aria-expanded': 'false', onclick: toggle },
    sign,
    h('span', { class: 'wfnb-run-name' }, h('b', { class: 'wfnb-name', title: name }, name), ' ', workflow, ' ', meta),
  );
  const told = statusLine();
  const cancel = button(__('Cancel'), () => void stop());
  const atOnce = button(__('Stop at once'), () => void told.of(() => link.ask('cancel', { run: name, at_once: true }), [atOnce]));
  const resume = button(__('Resume'), () => void goOn(resume));
  [cancel, atOnce, resume].forEach(writes);
  const bar = progressBar(name);
  const doing = h('p', { class: 'wfnb-dim wfnb-doing' });
  const error = h('p', { class: 'wfnb-fault' });
  const asks = answerForms(name, ({ run, call }, answer) => link.ask('answer', { run, call, answer }));
  const form = h('div');
  const line = h('div', { class: 'wfnb-run-line' }, head, atOnce, cancel, resume);
  const root = h(
    'li',
    { class: 'wfnb-run', tabindex: -1, 'aria-label': name },
    line, bar.root, doing, error, told.root, form, asks.root,
  );
  attribute(cancel, 'aria-label', __('Cancel: %1', name));
  attribute(atOnce, 'aria-label', __('Stop at once: %1', name));
  attribute(resume, 'aria-label', __('Resume: %1', name));
  deliberate(line);
  told.until(root);

  async function stop(): Promise<void> {
    cancelling = true;
    const well = await told.of(() => link.ask('cancel', { run: name }), [cancel]);
    cancelling = false;
    cancelled = well && now?.status === 'running';
    deeds();
  }
  /** `given` is what a person has said so far; before that, a run with variables asks for them. */
  async function goOn(by: HTMLElement, given?: ResumeAnswer): Promise<void> {
    const refused = (reason: Refused): ResumeQuestion => {
      if (reason.calls?.length) {
        return { says: reason.message, calls: reason.calls };
      }
      given?.lost && askOf(null);
      throw reason;
    };
    await told.of(async () => {
      const variables = given ? [] : await link.ask('variables', { run: name });
      askOf(variables.length > 0 ? { variables } : await link.ask('resume', { run: name, ...given }).then(() => null, refused), given);
    }, [by]);
  }
  /** The form has its own Resume, after the answers: one is there at a time. */
  function askOf(asked: ResumeQuestion | null, before?: ResumeAnswer): void {
    keeping(root, () => {
      form.replaceChildren(...(asked ? [resumeForm(name, asked, (given, by) => goOn(by, { ...before, ...given }))] : []));
      deeds();
    }, () => form.querySelector('input'));
  }
  function stopping(): boolean {
    return cancelled || (now?.now.some((words) => words.startsWith(STOPPING)) ?? false);
  }
  /** Cancel stays where it is, so that a click too many hits nothing else. */
  function deeds(): void {
    const runs = now?.status === 'running';
    cancel.hidden = !runs && now?.status !== 'parked';
    attribute(cancel, 'aria-disabled', cancelling || stopping() || null);
    atOnce.hidden = !runs || !stopping() || !now?.here;
    resume.hidden = !now?.resumable || form.firstChild !== null;
  }
  function follow(asked: boolean): void {
    following = document.activeElement === root && (following || asked);
    if (following) {
      asks.root.querySelector<HTMLElement>('input, button')?.focus();
    }
  }
  function toggle(): void {
    if (open === null) {
      open = opened(link, name);
      root.append(open.root);
    } else {
      open.dispose();
      open.root.remove();
      open = null;
    }
    attribute(head, 'aria-expanded', open !== null);
    attribute(root, 'data-open', open !== null ? '' : null);
  }
  function fill(run: RunHead): void {
    const state = STATES[run.status] ?? run.status;
    text(sign, run.sign);
    attribute(sign, 'class', `wfnb-run-sign ${look(state)}`);
    attribute(root, 'data-state', state);
    const named = run.name.startsWith(`${run.workflow}-`);
    text(workflow, run.workflow);
    workflow.hidden = named;
    bar.show(run.done, run.status === 'running' ? run.total : null);
    text(doing, run.now.join(' · '));
    attribute(doing, 'title', run.now.join('\n') || null);
    doing.hidden = run.now.length === 0;
    text(error, run.error ?? '');
    error.hidden = run.error === null;
    asks.show(run.asks);
    deeds();
  }

  return {
    root,
    get open() {
      return open;
    },
    show(run, whole, clock) {
      time = clock;
      if (run !== now) {
        if (run.status !== now?.status) {
          told.say('');
          cancelled = false;
          askOf(null);
        }
        now = run;
        const asked = asks.root.contains(document.activeElement);
        keeping(root, () => fill(run));
        follow(asked);
        this.tick();
        open?.again(whole);
      } else if (whole) {
        open?.again(true);
      }
    },
    tick() {
      if (now !== null) {
        text(meta, says(now, time()));
      }
    },
    dispose() {
      open?.dispose();
      open = null;
    },
  };
}

/** Not broken between a number and its unit. */
function whole(words: string): string {
  return words.replace(/ /g, '\u00a0');
}

/** "running · 4 of 6 · 12 s". */
function says({ status, done, total, started, ended }: RunHead, now: number): string {
  const runs = status === 'running';
  const end = ended ?? (runs ? now : null);
  const took = started === null || end === null ? null : Math.max(0, end - started);
  const time = took === null ? '' : seconds(runs ? Math.floor(took) : took);
  const count = total === null ? (done > 0 ? __('%1 done', done) : '') : __('%1 of %2', done, total);
  return [term(status.replace(/_/g, ' ')), count, time].filter(Boolean).map(whole).join(' · ');
}
