/** A graph as a list: what the diagram shows, for keyboards and screen readers, and for large files. What an action runs
 *  stands below it once it is opened.
 */

import * as React from 'react';

import { signed, signOf } from '../render/state_signs';
import { __ } from '../translation';
import { FrameContext, Toggle, Undo, signClass } from './action_node';
import type { CanvasProps } from './canvas';
import { idOf, pathOf } from './nested_frames';
import type { Frame, Frames } from './nested_frames';
import type { ActionNode, Graph, Way } from './graph';

interface Row {
  id: string;
  depth: number;
  action: ActionNode;
  goes: readonly Way[];
  frame: Frame | undefined;
}

function rowsOf(graph: Graph, frames: Frames, above: readonly string[] = []): Row[] {
  const goes = new Map<string, Way[]>(graph.nodes.map(({ name }) => [name, []]));
  graph.ways.forEach((way) => goes.get(way.from)?.push(way));
  return graph.nodes.flatMap((action) => {
    const path = [...above, action.name];
    const frame = frames.get(action.name);
    const row = { id: idOf(path), depth: path.length, action, goes: goes.get(action.name) ?? [], frame };
    return [row, ...(frame?.graph ? rowsOf(frame.graph, frame.inner, path) : [])];
  });
}

export function Outline({ graph, frames, states, problems, selected, onSelect }: CanvasProps): React.JSX.Element {
  const list = React.useRef<HTMLUListElement>(null);
  const { toggle } = React.useContext(FrameContext);
  const rows = React.useMemo(() => rowsOf(graph, frames), [graph, frames]);
  const current = rows.find(({ id }) => id === selected[0]) ?? rows[0];
  function keys(event: React.KeyboardEvent): void {
    const at = rows.indexOf(current as Row);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const next = to === undefined ? undefined : rows[to];
    const turns = current?.frame && { ArrowRight: !current.frame.open, ArrowLeft: current.frame.open }[event.key];
    const outer = event.key === 'ArrowLeft' && current && current.depth > 1 ? idOf(pathOf(current.id).slice(0, -1)) : undefined;
    if (next) {
      go(next.id);
    } else if (turns && current) {
      toggle(current.id);
    } else if (outer !== undefined) {
      go(outer);
    } else {
      return;
    }
    event.preventDefault();
  }
  function go(id: string): void {
    onSelect([id], false);
    (list.current?.children[rows.findIndex((row) => row.id === id)] as HTMLElement | undefined)?.focus();
  }
  return (
    <ul ref={list} className="wfnb-outline" role="tree" aria-label={__('Actions')} onKeyDown={keys}>
      {rows.map(({ id, depth, action, goes, frame }) => {
        const ran = states.get(id);
        const wrong = depth === 1 ? problems.get(action.name) ?? 0 : 0;
        return (
          <li
            key={id}
            role="treeitem"
            aria-selected={selected.includes(id)}
            aria-level={depth}
            {...(frame && { 'aria-expanded': frame.open })}
            style={{ paddingLeft: `${depth * INDENT}px` }}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => onSelect([id], false)}
            onDoubleClick={() => onSelect([id], true)}
          >
            <span className="wfnb-outline-name">
              {ran && <span className={signClass(ran)}>{signOf(ran.state)} </span>}
              <b>{action.name}</b> {ran?.edited && <i>{signed('edited')} </i>}
              {frame ? <Toggle id={id} frame={frame} /> : action.path === null ? __('is not there') : action.tool}
              {ran && <> <Undo {...ran} /></>}
              {wrong > 0 && <span className="wfnb-count-problems"> ! {wrong}</span>}
            </span>
            <span className="wfnb-outline-more">
              {[
                ...(frame?.open && !frame.graph ? [frame.of.says ?? '…'] : []),
                ...action.marks.map(({ text }) => text),
                ...goes.map(({ to, label }) => `→ ${to}${label ? ` (${label})` : ''}`),
              ].join(' · ')}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Of each level, in pixels. */
const INDENT = 12;
