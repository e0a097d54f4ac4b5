/** A graph as a list: what the diagram shows, for keyboards and screen readers, and for large files. */

import * as React from 'react';

import { signOf } from '../render/signs';
import { Undo, signClass } from './canvas';
import type { CanvasProps } from './canvas';

export function Outline({ graph, states, problems, selected, onSelect }: CanvasProps): React.JSX.Element {
  const list = React.useRef<HTMLUListElement>(null);
  const current = selected[0] ?? graph.nodes[0]?.name;
  function keys(event: React.KeyboardEvent): void {
    const at = graph.nodes.findIndex(({ name }) => name === current);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: graph.nodes.length - 1 }[event.key];
    const next = to === undefined ? undefined : graph.nodes[to];
    if (next) {
      event.preventDefault();
      onSelect([next.name], false);
      (list.current?.children[to as number] as HTMLElement | undefined)?.focus();
    }
  }
  return (
    <ul ref={list} className="wfnb-outline" role="listbox" aria-label="Actions" onKeyDown={keys}>
      {graph.nodes.map((action) => {
        const ran = states.get(action.name);
        const goes = graph.ways.filter(({ from }) => from === action.name);
        const wrong = problems.get(action.name) ?? 0;
        return (
          <li
            key={action.name}
            role="option"
            aria-selected={selected.includes(action.name)}
            tabIndex={action.name === current ? 0 : -1}
            onClick={() => onSelect([action.name], false)}
            onDoubleClick={() => onSelect([action.name], true)}
          >
            <span className="wfnb-outline-name">
              {ran && <span className={signClass(ran)}>{signOf(ran.state)} </span>}
              <b>{action.name}</b> {ran?.edited && <i>{signOf('edited')} edited </i>}{action.path === null ? 'is not there' : action.tool}
              {ran && <> <Undo {...ran} /></>}
              {wrong > 0 && <span className="wfnb-count-problems"> ! {wrong}</span>}
            </span>
            <span className="wfnb-outline-more">
              {[
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
