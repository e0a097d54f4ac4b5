/** An action as a box: its name, its tool, its rules, how it is in the run that is shown; opened, the frame around what it
 *  runs.
 */

import * as React from 'react';
import { Handle, Position } from '@xyflow/react';
import type { Node, NodeProps } from '@xyflow/react';

import type { PerformedAction } from '../protocol';
import { signed, signOf } from '../render/state_signs';
import { __, _n, term } from '../translation';
import { pathOf } from './nested_frames';
import type { Frame } from './nested_frames';
import type { ActionNode, Mark } from './graph';

/** How an action is in the run that is shown, in a word of the house; what became of it in a rollback, where its state
 *  does not say so; and whether it was edited since. */
export interface InRun {
  state: string;
  undo: string;
  edited: boolean;
}

/** By the ids of the actions. */
export type States = ReadonlyMap<string, InRun>;

/** What was done and undone is undone, as in the drawing of a run. */
export function inRun({ state, undo }: PerformedAction, edited: boolean): InRun {
  return undo === 'undone' ? { state: undo, undo: '', edited } : { state, undo, edited };
}

export type ActionFlowNode = Node<{ action: ActionNode; ran: InRun | undefined; problems: number; down: boolean; frame: Frame | undefined }, 'action'>;

/** What a person does with the workflow that an action runs. */
export interface FrameActions {
  /** Opened in place, or closed again. */
  toggle(id: string): void;
  /** Its own file. */
  openFile(file: string): void;
}

export const FrameContext = React.createContext<FrameActions>({ toggle: () => undefined, openFile: () => undefined });

const SIGNS: Record<Mark['kind'], string> = {
  when: '?', for_each: '⁝', repeat: '↻', retry: '↺', timeout: '◷', on_error: '⚑', compensation: '↶', always: '⊥', cache: '≡', steps: '∥',
};

/** Drawn anew where it is otherwise, and not where it is moved. */
export const Action = React.memo(function Action({ id, data, selected }: NodeProps<ActionFlowNode>): React.JSX.Element {
  const { action, ran, problems, down, frame } = data;
  const kind = action.path === null ? ' wfnb-ghost' : '';
  const ends = `${action.first ? ' wfnb-first' : ''}${action.last ? ' wfnb-last' : ''}`;
  return (
    <div
      className={`wfnb-action${kind}${ends}${selected ? ' wfnb-chosen' : ''}${frame?.open ? ' wfnb-frame' : ''}${signClass(ran)}`}
      title={action.description || undefined}
    >
      <Handle type="target" position={down ? Position.Top : Position.Left} />
      <div className="wfnb-action-head">
        {ran && <span aria-hidden="true">{signOf(ran.state)}</span>}
        <b>{action.name}</b>
        {ran?.edited && <i title={__('Edited since it ran')}>{signed('edited')}</i>}
        {problems > 0 && <span className="wfnb-count-problems" title={many(problems)}>! {problems}</span>}
      </div>
      <div className="wfnb-action-tool">
        {action.first && <i>{__('start')}</i>}
        {ran && <Undo {...ran} />}
        {frame ? <Toggle id={id} frame={frame} /> : action.path === null ? __('is not there') : action.tool}
      </div>
      {action.marks.map(({ kind: mark, text }) => (
        <div key={mark} className="wfnb-action-mark" title={text}>
          <span aria-hidden="true">{SIGNS[mark]}</span> {text}
        </div>
      ))}
      {frame?.open && !frame.graph && <div className="wfnb-action-mark" title={frame.of.says}>{frame.of.says ?? '…'}</div>}
      <Handle type="source" position={down ? Position.Bottom : Position.Right} />
    </div>
  );
});

/** What an action runs: opened in place, and where it has a file of its own, there. */
export function Toggle({ id, frame }: { id: string; frame: Frame }): React.JSX.Element {
  const { toggle, openFile } = React.useContext(FrameContext);
  const { name, file, same } = frame.of;
  const what = name || __('a workflow');
  return (
    <>
      <button type="button" className="wfnb-toggle nodrag" aria-expanded={frame.open} onClick={() => toggle(id)}
        aria-label={__('What %1 runs: %2', pathOf(id).at(-1) ?? '', what)} title={frame.open ? __('Close it') : __('Open it in place')}>
        {frame.open ? '▾' : '▸'} {what}
      </button>{' '}
      {file && (
        <button type="button" className="wfnb-link nodrag" onClick={() => openFile(file)}
          title={same ? __('Edit %1', file) : __('Edit %1, which differs from what is saved and runs here', file)}>
          {same ? __('open %1', name) : __('open %1 (differs)', name)}
        </button>
      )}
    </>
  );
}

/** What a rollback did to it, in the words of the panel. */
export function Undo({ state, undo }: InRun): React.JSX.Element | null {
  return state === 'undone' ? <i>{term('undone')}</i> : undo === '' ? null : <i title={undo}>{term(undo.split(':')[0] ?? '')}</i>;
}

/** Its colour is that of its state, as long as it is what ran. */
export function signClass(ran: InRun | undefined): string {
  return ran && !ran.edited ? ` wfnb-is-${ran.state.replace(/ /g, '-')}` : '';
}

/** A node for whoever hears it. */
export function spoken(action: ActionNode, ran: InRun | undefined, problems: number, frame: Frame | undefined): string {
  return [
    `${action.name}: ${action.path === null ? __('is not there') : action.tool}`,
    ...(frame ? [runs(frame)] : []),
    ran ? term(ran.state) : '',
    ran?.undo ?? '',
    ran?.edited ? __('edited since it ran') : '',
    ...action.marks.map(({ text }) => text),
    problems > 0 ? many(problems) : '',
  ].filter(Boolean).join(', ');
}

function many(problems: number): string {
  return _n('%1 problem', '%1 problems', problems);
}

function runs({ of, open }: Frame): string {
  const name = of.name || __('a workflow');
  return open ? __('runs %1, opened', name) : __('runs %1, closed', name);
}
