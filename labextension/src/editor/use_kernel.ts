/** What the kernel says of the text: its problems and its tools; and of the runs of the file: how each action is. */

import * as React from 'react';

import { sentence, writable } from '../link';
import type { Checked, KnownName, NestedDefinition, Ran, RunDetail, RunHead, Tool } from '../protocol';
import { store } from '../store';
import type { Store } from '../store';
import { pathOf } from './nested_frames';
import type { EditorHost } from './host';

const QUIET = 300;
const LIVELY = 250;
/** How often a run that goes on in another is looked at: only the outer one tells of itself. */
const INNER = 1000;
const NONE: readonly KnownName[] = [];

export interface Findings extends Checked {
  /** The text that they are of. */
  of: string;
}

export interface KernelView {
  findings: Findings | null;
  /** The actions that are defined otherwise than the run had them. */
  changed: readonly string[];
  tools: readonly Tool[];
  /** What the action may name; where none is chosen, outputs. */
  names: readonly KnownName[];
  /** The workflows that its actions run. */
  nested: readonly NestedDefinition[];
}

/** The runs of the kernel, and its clock; none where no kernel answers: nobody knows then how they are. */
export function useRuns(host: EditorHost): { runs: readonly RunHead[]; clock(): number } {
  const [runs, setRuns] = React.useState<readonly RunHead[]>([]);
  const known = React.useRef<Store | null>(null);
  const clock = React.useCallback(() => known.current?.state?.clock() ?? Date.now() / 1000, []);
  React.useEffect(() => {
    const kept = store(host.link);
    known.current = kept;
    const deaf = kept.listen((changed) => changed.has('runs') && setRuns(kept.state?.runs ?? []));
    return () => {
      deaf();
      kept.dispose();
    };
  }, [host]);
  return { runs, clock };
}

/** Asked again 300 ms after the last key, of another action and what is opened in place at once, and when the run goes on otherwise: resumed, it has
 *  another definition.
 */
export function useKernel(host: EditorHost, text: string, run: RunHead | null, action: string | undefined, opened: readonly string[]): KernelView {
  const { name, status, ended } = run ?? {};
  const [live, setLive] = React.useState(false);
  const [findings, setFindings] = React.useState<Findings | null>(null);
  const [changed, setChanged] = React.useState<readonly string[]>([]);
  const [tools, setTools] = React.useState<readonly Tool[]>([]);
  const [names, setNames] = React.useState<{ of: string | undefined; known: readonly KnownName[] }>({ of: undefined, known: [] });
  const [nested, setNested] = React.useState<readonly NestedDefinition[]>([]);
  const paths = opened.join('\n');
  const asked = React.useRef<string | null>(null);

  React.useEffect(() => {
    const look = (): void => setLive(writable(host.link.state));
    look();
    return host.link.watch(look);
  }, [host]);

  React.useEffect(() => {
    if (live) {
      host.link.ask('tools', {}).then(setTools, () => undefined);
    }
  }, [host, live]);

  React.useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      host.check(text, { ...(name !== undefined && { run: name }), ...(action !== undefined && { action }), opened: opened.map(pathOf) }).then(
        (found) => {
          if (wanted) {
            setFindings({ of: text, ...found });
            setTools((known) => found.tools ?? known);
            setNested((known) => found.nested ?? known);
            setChanged((known) => found.changed ?? known);
            setNames((before) => ({ of: action, known: found.names ?? (before.of === action ? before.known : []) }));
          }
        },
        (reason: unknown) => wanted && setFindings({ of: text, problems: [], warnings: [{ path: '', says: sentence(reason) }], variables: [] }),
      );
    }, asked.current === null || asked.current === text ? 0 : QUIET);
    asked.current = text;
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [host, live, text, name, status, ended, action, paths]);

  return { findings, changed, tools, nested, names: names.of === action ? names.known : NONE };
}

/** A run in detail, as it goes on: again whenever its line has changed; with those that the opened actions called. */
export function useRun(host: EditorHost, run: RunHead | null, opened: readonly string[]): RunDetail | null {
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
    let wanted = true;
    const timer = setTimeout(() => {
      host.link.ask('run', { run: run.name, opened: opened.map(pathOf) }).then((found) => wanted && setDetail(found), () => undefined);
    }, detail && detail.run.name === run.name ? LIVELY : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [host, run, paths, beat]);
  React.useEffect(
    () => () => void (name !== undefined && host.link.ask('close_run', { run: name }).catch(() => undefined)),
    [host, name],
  );
  return detail?.run.name === name ? detail : null;
}

/** The definition that a run had, and what differs in the text now; null while it is not wanted, or not known. */
export function useRan(host: EditorHost, run: RunHead | null, text: string, wanted: boolean, opened: readonly string[]): Ran | null {
  const [ran, setRan] = React.useState<{ of: string; text: string; ran: Ran } | null>(null);
  const { name, status } = run ?? {};
  const paths = opened.join('\n');
  React.useEffect(() => {
    let shown = wanted;
    const timer = setTimeout(() => {
      if (name !== undefined && shown) {
        host.link.ask('ran', { run: name, text, file: host.file, opened: opened.map(pathOf) })
          .then((found) => shown && setRan({ of: name, text, ran: found }), () => undefined);
      }
    }, ran?.of === name && ran?.text !== text ? QUIET : 0);
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, [host, name, status, text, wanted, paths]);
  return wanted && ran?.of === name ? ran?.ran ?? null : null;
}
