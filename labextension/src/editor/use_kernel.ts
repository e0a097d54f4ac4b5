/** What the kernel says of the text: its problems and its tools; and of the runs of the file: how each action is. */

import * as React from 'react';

import { sentence } from '../link';
import type { Checked, RunDetail, RunHead, Told, Tool } from '../picture';
import type { EditorHost } from './host';

const QUIET = 300;
const LIVELY = 250;

export type Finding = Checked['problems'][number];

export interface Findings extends Checked {
  /** The text that they are of. */
  of: string;
}

export interface KernelView {
  state: 'none' | 'live';
  findings: Findings | null;
  tools: readonly Tool[];
  runs: readonly RunHead[];
}

/** Asked again 300 ms after the last key. */
export function useKernel(host: EditorHost, text: string): KernelView {
  const [state, setState] = React.useState<KernelView['state']>('none');
  const [findings, setFindings] = React.useState<Findings | null>(null);
  const [tools, setTools] = React.useState<readonly Tool[]>([]);
  const [runs, setRuns] = React.useState<readonly RunHead[]>([]);

  const first = React.useRef(true);

  React.useEffect(() => {
    const link = host.link;
    const look = (): void => setState(link.state === 'live' || link.state === 'busy' ? 'live' : 'none');
    let known = new Map<string, RunHead>();
    const hear = (told: Told): void => {
      look();
      if (told.kind === 'snapshot') {
        known = new Map(told.runs.map((run) => [run.name, run]));
      } else if (told.kind === 'delta' && told.runs) {
        known = new Map(known);
        for (const run of told.runs) {
          known.set(run.name, { ...known.get(run.name), ...run } as RunHead);
        }
      } else {
        return;
      }
      setRuns([...known.values()]);
    };
    const parts = [link.told(hear), link.watch(look)];
    look();
    return () => parts.forEach((part) => part());
  }, [host]);

  React.useEffect(() => {
    if (state === 'live') {
      host.link.ask('tools', {}).then(setTools, () => undefined);
    }
  }, [host, state]);

  React.useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      host.check(text).then(
        (found) => {
          if (wanted) {
            setFindings({ of: text, ...found });
            setTools((known) => found.tools ?? known);
          }
        },
        (reason: unknown) => wanted && setFindings({ of: text, problems: [], warnings: [{ path: '', says: sentence(reason) }], variables: [] }),
      );
    }, first.current ? 0 : QUIET);
    first.current = false;
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [host, state, text]);

  return { state, findings, tools, runs };
}

/** A run in detail, as it goes on: again whenever its line has changed. */
export function useRun(host: EditorHost, run: RunHead | null): RunDetail | null {
  const [detail, setDetail] = React.useState<RunDetail | null>(null);
  const name = run?.name;
  React.useEffect(() => {
    if (!run) {
      setDetail(null);
      return undefined;
    }
    let wanted = true;
    const timer = setTimeout(() => {
      host.link.ask('run', { run: run.name }).then((found) => wanted && setDetail(found), () => undefined);
    }, detail && detail.run.name === run.name ? LIVELY : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [host, run]);
  React.useEffect(
    () => () => void (name !== undefined && host.link.ask('close_run', { run: name }).catch(() => undefined)),
    [host, name],
  );
  return detail;
}
