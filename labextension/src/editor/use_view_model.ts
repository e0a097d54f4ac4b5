/** A workflow's text, its kernel and its runs → what the editor shows of them. It keeps nothing that the text has. */

import * as React from 'react';

import type { RunHead } from '../protocol';
import { framesOf, idOf } from './nested_frames';
import type { Frames } from './nested_frames';
import { inRun } from './action_node';
import type { States } from './action_node';
import type { Data } from './definition_data';
import { graph as drawn } from './graph';
import type { Graph } from './graph';
import { useText } from './host_hooks';
import type { EditorHost } from './host';
import { counted, placeOf } from './problems';
import type { Problem } from './problems';
import { read } from './definition_text_reader';
import { usePastDefinition, useRunDetail, useRuns } from './use_runs';
import { useKernelAnswer } from './use_kernel_answer';

interface Good {
  data: Data;
  graph: Graph;
}

/** `chosen`: the action whose names are wanted, '' for the outputs; `opened`: ids of those whose workflows are shown in place. */
export function useViewModel(host: EditorHost, chosen: string | undefined, opened: readonly string[]) {
  const text = useText(host);
  const reading = React.useMemo(() => read(text), [text]);
  const last = React.useRef<Good>({ data: {}, graph: { form: 'steps', nodes: [], ways: [], inSequence: true } });
  const good = React.useMemo<Good>(() => {
    if (reading.ok) {
      last.current = { data: reading.data, graph: drawn(reading.data) };
    }
    return last.current;
  }, [reading]);
  const [wanted, setWanted] = React.useState({ name: null as string | null, past: false });
  const name = typeof good.data.name === 'string' ? good.data.name : host.file.split('.')[0];
  const { runs: all, clock } = useRuns(host);
  const runs = all.filter(
    ({ workflow }) => workflow === name || good.graph.nodes.some((node) => workflow === `${name}-${node.name}-alone`),
  );
  const run: RunHead | null = runs.find((each) => each.name === wanted.name) ?? runs.at(-1) ?? null;
  const ran = usePastDefinition(host, run, text, wanted.past, opened);
  const { data, graph } = React.useMemo<Good>(
    () => (ran ? { data: ran.definition as Data, graph: drawn(ran.definition as Data) } : good),
    [ran, good],
  );
  const detail = useRunDetail(host, run, opened);
  const kernel = useKernelAnswer(host, text, run, chosen, opened);
  const frames: Frames = React.useMemo(() => framesOf(ran ? ran.nested : kernel.nested, opened), [ran, kernel.nested, opened]);
  const states: States = React.useMemo(() => {
    const edited = new Set(ran ? [] : kernel.changed); // what ran is shown as it was
    const own = (detail?.actions ?? []).map((each) => [each.action, inRun(each, edited.has(each.action))] as const);
    const inner = (detail?.nested ?? []).flatMap(({ path, actions }) =>
      actions.map((each) => [idOf([...path, each.action]), inRun(each, false)] as const));
    return new Map([...own, ...inner]);
  }, [detail, kernel.changed, ran]);
  const checked = kernel.checked?.text === text ? kernel.checked : null;
  const problems: Problem[] = !reading.ok ? [{ path: '', says: reading.message }] : checked?.problems ?? [];
  const warnings = reading.ok ? checked?.warnings ?? [] : [];
  const problemCounts = React.useMemo(() => counted(ran ? [] : problems, graph), [ran, problems, graph]);

  React.useEffect(() => {
    const parts = (of: readonly Problem[], severity: 'error' | 'warning') =>
      of.flatMap(({ path, says }) => {
        const at = placeOf(reading, path);
        return at ? [{ from: at[0], to: at[1], says, severity }] : [];
      });
    host.mark(reading.ok ? [...parts(problems, 'error'), ...parts(warnings, 'warning')]
      : [{ from: reading.at, to: reading.at + 1, says: reading.message, severity: 'error' }]);
  }, [host, reading, kernel.checked]);

  return {
    text, reading, data, graph, runs, clock, run, ran, kernel, frames, states, problems, warnings, problemCounts,
    isChecked: reading.ok && checked !== null,
    /** Nothing can be changed in what is shown. */
    fixed: host.readOnly || !reading.ok || ran !== null,
    past: wanted.past,
    /** Another run; on the definition that it had or the text, where that is said, else as the one before. */
    showRun: (shown: string | null, past?: boolean) => setWanted((before) => ({ name: shown, past: past ?? before.past })),
  };
}

export type ViewModel = ReturnType<typeof useViewModel>;
