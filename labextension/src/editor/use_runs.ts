/** What the kernel says of the runs of a workflow's file: which there are, how each action is, the definition that one had. */

import * as React from 'react';

import type { PastDefinition, RunDetail, RunHead } from '../protocol';
import { store } from '../store';
import type { Store } from '../store';
import type { EditorHost } from './host';
import { askLater, QUIET } from './later_answer';
import { pathOf } from './nested_frames';

/** Milliseconds between two questions about a run that goes on. */
const LIVELY = 250;
/** How often a run that goes on in another is looked at: only the outer one tells of itself. */
const INNER = 1000;

/** The runs of the kernel, and its clock; none where no kernel answers: nobody knows then how they are. */
export function useRuns(host: EditorHost): { runs: readonly RunHead[]; clock(): number } {
  const [runs, setRuns] = React.useState<readonly RunHead[]>([]);
  const current = React.useRef<Store | null>(null);
  const clock = React.useCallback(() => current.current?.state?.clock() ?? Date.now() / 1000, []);
  React.useEffect(() => {
    const opened = store(host.link);
    current.current = opened;
    const deaf = opened.listen((changed) => changed.has('runs') && setRuns(opened.state?.runs ?? []));
    return () => {
      deaf();
      opened.dispose();
    };
  }, [host]);
  return { runs, clock };
}

/** A run in detail, as it goes on: again whenever its line has changed; with those that the opened actions called. */
export function useRunDetail(host: EditorHost, run: RunHead | null, opened: readonly string[]): RunDetail | null {
  const [detail, setDetail] = React.useState<RunDetail | null>(null);
  const [beat, setBeat] = React.useState(0);
  const name = run?.name;
  const paths = opened.join('\n');
  const goesOn = run !== null && run.ended === null && paths !== '';
  React.useEffect(() => {
    const timer = goesOn ? setInterval(() => setBeat((before) => before + 1), INNER) : undefined;
    return () => clearInterval(timer);
  }, [goesOn]);
  React.useEffect(() => {
    if (!run) {
      setDetail(null);
      return undefined;
    }
    const ask = () => host.link.ask('run', { run: run.name, opened: opened.map(pathOf) });
    return askLater(detail && detail.run.name === run.name ? LIVELY : 0, ask, setDetail);
  }, [host, run, paths, beat]);
  React.useEffect(
    () => () => void (name !== undefined && host.link.ask('close_run', { run: name }).catch(() => undefined)),
    [host, name],
  );
  return detail?.run.name === name ? detail : null;
}

/** The definition that a run had, and what differs in the text now; null while it is not wanted, or not known. */
export function usePastDefinition(host: EditorHost, run: RunHead | null, text: string, wanted: boolean, opened: readonly string[]): PastDefinition | null {
  const [answer, setAnswer] = React.useState<{ run: string; text: string; definition: PastDefinition } | null>(null);
  const { name, status } = run ?? {};
  const paths = opened.join('\n');
  React.useEffect(() => {
    if (name === undefined || !wanted) {
      return undefined;
    }
    const ask = () => host.link.ask('ran', { run: name, text, file: host.file, opened: opened.map(pathOf) });
    const isEdited = answer?.run === name && answer.text !== text;
    return askLater(isEdited ? QUIET : 0, ask, (definition) => setAnswer({ run: name, text, definition }));
  }, [host, name, status, text, wanted, paths]);
  return wanted && answer?.run === name ? answer?.definition ?? null : null;
}
