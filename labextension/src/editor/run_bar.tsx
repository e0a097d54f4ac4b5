/** Run the text as it is now, and what became of its runs: how far they are, what they ask, what can be done with them. */

import * as React from 'react';

import { sentence } from '../link';
import type { Link } from '../link';
import type { RunHead, SavedWorkflow } from '../protocol';
import { runLine } from '../render/run_line';
import type { RunLine } from '../render/run_line';
import { __, _n, term } from '../translation';
import type { EditorHost } from './host';

export interface RunBarProps {
  host: EditorHost;
  run: RunHead | null;
  runs: readonly RunHead[];
  text: string;
  /** The action that a run may go on from. */
  selected: string | null;
  /** Whether it is shown on the definition that it had. */
  past: boolean;
  /** On that definition or the text, where that is said; else as the one before. */
  showRun(name: string | null, past?: boolean): void;
}

export function RunBar({ host, run, runs, text, selected, past, showRun }: RunBarProps): React.JSX.Element {
  const [busy, setBusy] = React.useState(false);

  /** With a kernel that has wfnb, started where there is none; a refusal is told as it was said. */
  async function withKernel(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      const refusal = await host.load();
      if (refusal) {
        host.say(refusal);
      } else {
        await work();
      }
    } catch (reason) {
      host.say(sentence(reason));
    }
    setBusy(false);
  }
  async function start(): Promise<void> {
    const { problems, variables } = await host.check(text);
    if (problems.length > 0) {
      const [first] = problems;
      return host.say(problems.length === 1 && first ? first.says : _n('%1 problem keeps it from running.', '%1 problems keep it from running.', problems.length));
    }
    await begin(host.file, variables, {});
  }
  /** The text, or one action of it, once a person has said with what. */
  async function begin(title: string, variables: SavedWorkflow['variables'], of: { action?: string; run?: string }): Promise<void> {
    showRun(run?.name ?? null, false);
    const ask = (typed: Record<string, string>): Promise<RunHead> =>
      host.link.ask('start', { workflow: host.file, text, variables: typed, ...of });
    const head = variables.length === 0 ? await ask({}) : await host.fill(title, variables, ask);
    showRun(head?.name ?? null);
  }
  async function startAlone(action: string): Promise<void> {
    const of = { action, ...(run && { run: run.name }) };
    await begin(__('%1 alone', action), await host.link.ask('inputs', { text, file: host.file, ...of }), of);
  }
  const from = (start: string): Promise<RunHead> =>
    host.link.ask('resume', { run: run?.name ?? '', text, file: host.file, start });

  const running = busy || (run !== null && run.ended === null);

  return (
    <>
      <button type="button" className="wfnb-run-button" disabled={running}
        onClick={() => void withKernel(start)}>▶ {__('Run')}</button>
      {selected && (
        <button type="button" disabled={running} title={__('This action and no other, with what it needs from others asked for')}
          onClick={() => void withKernel(() => startAlone(selected))}>{__('Run %1 alone', selected)}</button>
      )}
      {run?.resumable && selected && (
        <button type="button" disabled={busy} title={__('With the text as it is now')} onClick={() => void withKernel(() => from(selected))}>
          {__('Resume from %1', selected)}
        </button>
      )}
      {runs.length > 1 && (
        <select aria-label={__('Run that is shown')} value={run?.name ?? ''} onChange={({ target }) => showRun(target.value)}>
          {[...runs].reverse().map(({ name, status }) => (
            <option key={name} value={name}>{name}: {term(status.replaceAll('_', ' '))}</option>
          ))}
        </select>
      )}
      {run && (
        <button type="button" aria-pressed={past} title={__('The run on the definition that it had, and what is otherwise now')}
          onClick={() => showRun(run.name, !past)}>{__('As it ran')}</button>
      )}
    </>
  );
}

/** The run as the panel shows it, by the kernel's `clock`; it is resumed with the text as it is now, and asks for no
 *  values: those of the text may be others. */
export function RunStrip({ host, run, clock }: { host: EditorHost; run: RunHead; clock(): number }): React.JSX.Element {
  const place = React.useRef<HTMLUListElement>(null);
  const line = React.useRef<RunLine | null>(null);
  const { name } = run;
  React.useEffect(() => {
    const { link } = host;
    const mended: Pick<Link, 'ask'> = {
      ask: (word, args) =>
        word === 'variables'
          ? Promise.resolve([] as never)
          : link.ask(word, word === 'resume' ? { ...args, text: host.text(), file: host.file } : args),
    };
    const made = runLine(Object.assign(Object.create(link) as Link, mended), name);
    line.current = made;
    place.current?.replaceChildren(made.root);
    return () => made.dispose();
  }, [host, name]);
  React.useEffect(() => {
    line.current?.show(run, false, clock);
    const timer = run.ended === null ? setInterval(() => line.current?.tick(), 1000) : undefined;
    return () => clearInterval(timer);
  }, [host, run, clock]);
  return <ul ref={place} className="wfnb-runs wfnb-run-strip" aria-label={__('Run')} />;
}
