/** A workflow's text → the editor of it beside the text: diagram or outline, the form of what is selected, what is wrong,
 *  and the run that goes on.
 */

import * as React from 'react';
import { __ } from '../translation';

import { FrameContext } from './action_node';
import { Canvas } from './canvas';
import type { CanvasProps } from './canvas';
import type { Path } from './definition_data';
import { valueAtPath } from './definition_data';
import { Empty } from './empty_editor';
import { Form, WayForm, WorkflowForm } from './form';
import type { Way } from './graph';
import type { EditorHost } from './host';
import { isTyping, onEscape, onKey } from './editor_keys';
import { Outline } from './outline';
import { Palette } from './tool_palette';
import { Past } from './past_definition';
import { Problems, owner } from './problems';
import { RunBar, RunStrip } from './run_bar';
import { useEdits } from './use_edits';
import { useLayout } from './use_layout';
import { useViewModel } from './use_view_model';

/** Beyond it a diagram is offered, and not made at once. */
const MANY = 300;

export function Editor({ host }: { host: EditorHost }): React.JSX.Element {
  const [picked, setPicked] = React.useState<readonly string[]>([]);
  const [opened, setOpened] = React.useState<readonly string[]>([]);
  const [pickedWay, setWay] = React.useState<Way | null>(null);
  const shown = useViewModel(host, picked.length > 1 ? undefined : picked[0] ?? pickedWay?.from ?? '', opened);
  const { graph, data, run, ran, kernel, fixed, reading, frames, states, problemCounts } = shown;
  const [view, setView] = React.useState<'diagram' | 'outline' | null>(null);
  const isDiagram = (view ?? (graph.nodes.length > MANY ? 'outline' : 'diagram')) === 'diagram';
  const [root, body] = [React.useRef<HTMLDivElement>(null), React.useRef<HTMLDivElement>(null)];
  const focus = (selector: string): boolean => {
    const found = root.current?.querySelector<HTMLElement>(selector);
    found?.focus();
    return found !== undefined && found !== null && found === document.activeElement;
  };
  const toChosen = (): boolean =>
    focus(`.react-flow__node.selected[data-id="${CSS.escape(picked.at(-1) ?? '')}"], .wfnb-outline [aria-selected=true]`);
  const deeds = useEdits(host, shown, { picked, setPicked, opened, setOpened, pickedWay, setWay }, toChosen);
  const { selected, inner, way, edit, reveal, select, show } = deeds;
  const { laid, down, move, arrange, isMoved } = useLayout(host, body, graph, frames, isDiagram);
  const [palette, setPalette] = React.useState(false);
  const toPalette = (): void => {
    setPalette(!fixed);
    focus('.wfnb-palette input');
  };
  const chosen = selected.length === 1 ? graph.nodes.find((node) => node.name === selected[0] && node.path) : undefined;
  const source = way ? graph.nodes.find((node) => node.name === way.from) : undefined;
  const file = React.useMemo(() => ({ toggle: deeds.toggle, openFile: (name: string) => host.open(name) }), [host]);

  /** Whoever goes by Tab chooses what they come to. */
  function focused({ target }: React.FocusEvent): void {
    const to = target.closest<HTMLElement>('.react-flow__node')?.dataset.id;
    if (to !== undefined && !picked.includes(to) && target.matches(':focus-visible')) {
      show(to);
    }
  }
  const around = { tools: kernel.tools, edit, reveal, show };
  const parts: CanvasProps = {
    graph, laid, frames, down: down === true, states, problems: problemCounts, fixed,
    selected: picked,
    sought: deeds.sought,
    stale: !reading.ok || host.readOnly,
    onSelect: select,
    onMove: move,
    onConnect: (from, to) => void edit({ do: 'connect', from, to }),
    onChooseWay: deeds.chooseWay,
    target: deeds.target,
    onTarget: deeds.aim,
    onDrop: deeds.drop,
    onPut: (name, { from, to }) => {
      if (edit({ do: 'between', name, from, to })) {
        arrange(name); // it stands where it leads from and to
      }
    },
  };
  return (
    <div className="wfnb-editor" ref={root} onFocus={focused}
      onKeyDownCapture={(event) => onKey(event, {
        host, root: root.current, graph, laid, frames, picked, isDiagram, deeds, toPalette,
        toForm: () => focus('.wfnb-form :is(input, select, textarea)'),
      })}
      onKeyDown={(event) => onEscape(event, toChosen)}
      onCopy={(event) => {
        const text = isTyping(event.target) ? '' : deeds.copied();
        if (text !== '') {
          event.preventDefault();
          event.clipboardData.setData('text/plain', text);
        }
      }}
      onPaste={(event) => {
        if (!isTyping(event.target) && deeds.paste(event.clipboardData.getData('text/plain'))) {
          event.preventDefault();
        }
      }}>
      <div className="wfnb-editor-bar" role="toolbar" aria-label={__('Workflow')}>
        <RunBar host={host} run={run} runs={shown.runs} text={shown.text} selected={chosen?.name ?? null} past={shown.past}
          showRun={shown.showRun} />
        <button type="button" aria-pressed={palette} disabled={fixed} onClick={() => setPalette(!palette)}>+ {__('Add')}</button>
        <button type="button" disabled={selected.length === 0 || fixed} onClick={() => void deeds.remove()}>{__('Delete')}</button>
        <span className="wfnb-gap" />
        <button type="button" hidden={!isMoved} onClick={() => arrange()}>{__('Arrange')}</button>
        <button type="button" aria-pressed={!isDiagram} onClick={() => setView(isDiagram ? 'outline' : 'diagram')}>
          {isDiagram ? __('Outline') : __('Diagram')}
        </button>
      </div>
      {run && <RunStrip host={host} run={run} clock={shown.clock} />}
      {run && ran && <Past run={run.name} ran={ran} graph={graph} show={show} />}
      <div className="wfnb-editor-body" ref={body}>
        {palette && !ran && (
          <Palette tools={kernel.tools} disabled={fixed} add={(tool) => deeds.add(tool)}
            where={way ? __('Between %1 and %2', way.from, way.to) : selected.length > 0 ? __('After %1', selected.at(-1) ?? '') : __('Last')}
            close={() => {
              setPalette(false);
              toChosen();
            }} />
        )}
        {graph.nodes.length === 0 && <Empty data={data} ok={reading.ok} begin={deeds.begin} />}
        <FrameContext.Provider value={file}>
          {graph.nodes.length > 0 && (isDiagram ? down !== null && <Canvas {...parts} /> : <Outline {...parts} />)}
        </FrameContext.Provider>
        {way && (
          <WayForm {...around} way={way} graph={graph} names={kernel.names} leave={() => undefined} readOnly={fixed} problems={[]}
            action={source} work={source?.path ? valueAtPath(data, source.path) : null} insert={toPalette} />
        )}
        {picked.length === 0 && !way && (
          <WorkflowForm {...around} graph={graph} data={data} names={kernel.names} readOnly={fixed}
            problems={ran ? [] : shown.problems.filter(({ path }) => path !== '' && owner(path, graph) === undefined)} />
        )}
        {chosen && (
          <Form {...around} graph={graph} action={chosen} work={valueAtPath(data, chosen.path as Path)} names={kernel.names} readOnly={fixed}
            leave={deeds.focusLater}
            problems={ran ? [] : shown.problems.filter(({ path }) => owner(path, graph) === chosen.name)} />
        )}
        {inner?.node.path && inner.frame.graph && (
          <Form {...around} key={picked[0]} graph={inner.frame.graph} action={inner.node} work={valueAtPath(inner.frame.data, inner.node.path)} names={[]}
            readOnly leave={() => undefined} problems={[]} reveal={null} />
        )}
      </div>
      <Problems problems={shown.problems} warnings={shown.warnings} checked={shown.isChecked} go={deeds.go} />
      <div className="wfnb-hidden" role="status" aria-live="polite">{deeds.news}</div>
    </div>
  );
}
