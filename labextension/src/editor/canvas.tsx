/** A graph as a diagram: looked at, chosen from, wired and moved by mouse. Every deed is told to `on…`; what is drawn
 *  comes from the text alone.
 */

import * as React from 'react';
import {
  BaseEdge, Controls, EdgeLabelRenderer, Handle, MarkerType, Position, ReactFlow, ReactFlowProvider, useReactFlow, useStore,
} from '@xyflow/react';
import type { Connection, Edge, EdgeProps, Node, NodeChange, NodeProps } from '@xyflow/react';

import type { RunDetail } from '../picture';
import { signOf } from '../render/signs';
import type { Place } from './add';
import type { ActionNode, Graph, Mark, Way } from './graph';
import { WIDTH, height } from './layout';
import type { Box, Line } from './layout';
import { DRAGGED } from './palette';

/** How an action is in the run that is shown, in a word of the house; what became of it in a rollback, where its state
 *  does not say so; and whether it was edited since. */
export interface InRun {
  state: string;
  undo: string;
  edited: boolean;
}

/** What was done and undone is undone, as in the drawing of a run. */
export function inRun({ state, undo }: RunDetail['actions'][number], edited: boolean): InRun {
  return undo === 'undone' ? { state: undo, undo: '', edited } : { state, undo, edited };
}

export type States = ReadonlyMap<string, InRun>;

export interface CanvasProps {
  graph: Graph;
  boxes: ReadonlyMap<string, Box>;
  /** How each way is drawn; null where one of its ends was moved. */
  lines: readonly (Line | null)[];
  /** From top to bottom. */
  down: boolean;
  states: States;
  /** How many problems each action has. */
  problems: ReadonlyMap<string, number>;
  selected: readonly string[];
  /** The text cannot be read: this is how it was. */
  stale: boolean;
  /** Nothing can be changed in it. */
  fixed: boolean;
  onSelect(names: readonly string[], opens: boolean): void;
  onMove(name: string, x: number, y: number): void;
  onConnect(from: string, to: string): void;
  onChooseWay(way: Way): void;
  /** Where the tool that is dragged would come: on a way, after an action, beside both; null: nowhere. */
  target: Place | null;
  onTarget(place: Place | null): void;
  onDrop(tool: string): void;
}

type ActionFlowNode = Node<{ action: ActionNode; ran: InRun | undefined; problems: number; down: boolean }, 'action'>;
type WayFlowEdge = Edge<{ way: Way; line: Line | null; down: boolean }, 'way'>;

const SIGNS: Record<Mark['kind'], string> = {
  when: '?', for_each: '⁝', repeat: '↻', retry: '↺', timeout: '◷', on_error: '⚑', compensation: '↶', always: '⊥', cache: '≡',
};

function Action({ data, selected }: NodeProps<ActionFlowNode>): React.JSX.Element {
  const { action, ran, problems, down } = data;
  const kind = action.path === null ? ' wfnb-ghost' : '';
  const ends = `${action.first ? ' wfnb-first' : ''}${action.last ? ' wfnb-last' : ''}`;
  return (
    <div
      className={`wfnb-action${kind}${ends}${selected ? ' wfnb-chosen' : ''}${signClass(ran)}`}
      title={action.description || undefined}
    >
      <Handle type="target" position={down ? Position.Top : Position.Left} />
      <div className="wfnb-action-head">
        {ran && <span aria-hidden="true">{signOf(ran.state)}</span>}
        <b>{action.name}</b>
        {ran?.edited && <i title="Edited since it ran">{signOf('edited')} edited</i>}
        {problems > 0 && <span className="wfnb-count-problems" title={`${problems} problems`}>! {problems}</span>}
      </div>
      <div className="wfnb-action-tool">
        {action.path === null ? 'is not there' : action.tool}
        {action.first && <i>start</i>}
        {ran && <Undo {...ran} />}
      </div>
      {action.marks.map(({ kind: mark, text }) => (
        <div key={mark} className="wfnb-action-mark" title={text}>
          <span aria-hidden="true">{SIGNS[mark]}</span> {text}
        </div>
      ))}
      <Handle type="source" position={down ? Position.Bottom : Position.Right} />
    </div>
  );
}

/** What a rollback did to it, in the words of the panel. */
export function Undo({ state, undo }: InRun): React.JSX.Element | null {
  return state === 'undone' ? <i>undone</i> : undo === '' ? null : <i title={undo}>{undo.split(':')[0]}</i>;
}

/** Onwards a curve; back, an arc beside both; to itself, a loop. As if from left to right: `down` turns it. */
function path({ sourceX, sourceY, targetX, targetY, source, target, data }: EdgeProps<WayFlowEdge>): [string, number, number] {
  const down = data?.down ?? false;
  const [x0, y0, x1, y1] = down ? [sourceY, sourceX, targetY, targetX] : [sourceX, sourceY, targetX, targetY];
  const side = down ? WIDTH / 2 + 40 : 96;
  const point = (x: number, y: number): string => (down ? `${y},${x}` : `${x},${y}`);
  const curve = (ax: number, ay: number, bx: number, by: number): string =>
    `M${point(x0, y0)} C${point(ax, ay)} ${point(bx, by)} ${point(x1, y1)}`;
  const at = (x: number, y: number): [number, number] => (down ? [y, x] : [x, y]);
  if (data?.line && source !== target) {
    return [through([{ x: sourceX, y: sourceY }, ...data.line.points.slice(1, -1), { x: targetX, y: targetY }]), data.line.x, data.line.y];
  }
  if (source === target) {
    const far = Math.min(y0, y1) - side * 1.2;
    return [curve(x0 + 46, far, x1 - 46, far), ...at((x0 + x1) / 2, far + side / 3)];
  }
  if (x1 >= x0 - 20) {
    const bend = Math.max(30, (x1 - x0) / 2);
    return [curve(x0 + bend, y0, x1 - bend, y1), ...at((x0 + x1) / 2, (y0 + y1) / 2)];
  }
  const far = Math.max(y0, y1) + side * 1.3 + Math.min(DEEPEST, (x0 - x1) / 12);
  return [curve(x0 + 80, far, x1 - 80, far), ...at((x0 + x1) / 2, far - side / 3)];
}

/** A line that bends at each point on its way. */
function through(points: Line['points']): string {
  const [first, ...rest] = points as [Line['points'][0], ...Line['points']];
  const bends = rest.slice(0, -1).map((point, n) => {
    const next = rest[n + 1] as Line['points'][0];
    const end = n === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x},${point.y} ${end.x},${end.y}`;
  });
  const end = rest.at(-1) as Line['points'][0];
  return `M${first.x},${first.y} ${bends.length > 0 ? bends.join(' ') : `L${end.x},${end.y}`}`;
}

function WayEdge(props: EdgeProps<WayFlowEdge>): React.JSX.Element {
  const [line, x, y] = path(props);
  const way = props.data?.way;
  return (
    <>
      <BaseEdge
        id={props.id}
        path={line}
        interactionWidth={NEAR}
        className={`wfnb-way wfnb-way-${way?.kind ?? 'order'}`}
        {...(props.markerEnd ? { markerEnd: props.markerEnd } : {})}
      />
      {way?.label && (
        <EdgeLabelRenderer>
          <div
            className="wfnb-way-label"
            title={way.label}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {way.label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const NODES = { action: Action };
const WAYS = { way: WayEdge };
/** What does not fit so is reached by the wheel: nobody reads smaller letters. */
const FIT = { maxZoom: 1, minZoom: 0.5, padding: 0.06 };
/** How much deeper the arc is of a way that leads far back. */
const DEEPEST = 600;
/** How wide an arrow is for a mouse. */
const NEAR = 32;
const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16 };

function Flow(props: CanvasProps): React.JSX.Element {
  const { graph, boxes, lines, down, states, problems, selected } = props;
  const flow = useReactFlow();
  const chosen = new Set(selected);
  const over = props.target?.between && wayId(props.target.between);
  const nodes = graph.nodes.map((action): ActionFlowNode => {
    const ran = states.get(action.name);
    return {
      id: action.name,
      type: 'action',
      position: { x: boxes.get(action.name)?.x ?? 0, y: boxes.get(action.name)?.y ?? 0 },
      data: { action, ran, problems: problems.get(action.name) ?? 0, down },
      selected: chosen.has(action.name),
      width: WIDTH,
      height: height(action),
      ariaLabel: spoken(action, ran, problems.get(action.name) ?? 0),
    };
  });
  const edges = graph.ways.map((way, place): WayFlowEdge => ({
    id: wayId(way),
    type: 'way',
    source: way.from,
    target: way.to,
    data: { way, line: lines[place] ?? null, down },
    markerEnd: ARROW,
    ...(over === wayId(way) && { className: 'wfnb-way-over' }),
    ariaLabel: `from ${way.from} to ${way.to}${way.label ? `: ${way.label}` : ''}`,
  }));
  const names = graph.nodes.map(({ name }) => name).join('\n');
  const width = useStore((state) => state.width);
  React.useEffect(() => void flow.fitView(FIT), [flow, names, width, down]);

  function changed(changes: NodeChange<ActionFlowNode>[]): void {
    for (const change of changes) {
      if (change.type === 'position' && change.position) {
        props.onMove(change.id, change.position.x, change.position.y);
      }
    }
    const picks = changes.filter((change) => change.type === 'select');
    if (picks.length > 0) {
      const next = new Set(selected);
      picks.forEach(({ id, selected: on }) => (on ? next.add(id) : next.delete(id)));
      props.onSelect([...next], false);
    }
  }
  const below = ({ clientX, clientY }: React.DragEvent, part: string): string | undefined =>
    document.elementsFromPoint(clientX, clientY).find((each) => each.closest(part))?.closest<HTMLElement>(part)?.dataset.id;
  function dragged(event: React.DragEvent): void {
    if (!event.dataTransfer.types.includes(DRAGGED) || props.fixed) {
      return;
    }
    event.preventDefault();
    const after = below(event, '.react-flow__node');
    const edge = below(event, '.react-flow__edge');
    const between = graph.ways.find((way) => wayId(way) === edge && way.kind !== 'timeout');
    props.onTarget(after !== undefined ? { after } : between ? { between } : {});
  }
  return (
    <ReactFlow<ActionFlowNode, WayFlowEdge>
      nodes={nodes}
      edges={edges}
      nodeTypes={NODES}
      edgeTypes={WAYS}
      onNodesChange={changed}
      onNodeDoubleClick={(_, { id }) => props.onSelect([id], true)}
      onEdgeClick={(_, { data }) => data && props.onChooseWay(data.way)}
      onConnect={({ source, target }: Connection) => props.onConnect(source, target)}
      nodesConnectable={!props.fixed}
      nodesDraggable={!props.fixed}
      onDragOver={dragged}
      onDragLeave={() => props.onTarget(null)}
      onDrop={(event) => {
        event.preventDefault();
        props.onDrop(event.dataTransfer.getData(DRAGGED));
      }}
      deleteKeyCode={null}
      nodesFocusable
      edgesFocusable
      minZoom={0.1}
      proOptions={{ hideAttribution: true }}
      fitView
      fitViewOptions={FIT}
    >
      <Controls showInteractive={false} />
    </ReactFlow>
  );
}

export function Canvas(props: CanvasProps): React.JSX.Element {
  return (
    <div className={`wfnb-canvas${props.stale ? ' wfnb-was' : ''}`}>
      <ReactFlowProvider>
        <Flow {...props} />
      </ReactFlowProvider>
    </div>
  );
}

export function wayId({ from, to, kind }: Way): string {
  return `${from} ${to} ${kind}`;
}

/** Its colour is that of its state, as long as it is what ran. */
export function signClass(ran: InRun | undefined): string {
  return ran && !ran.edited ? ` wfnb-is-${ran.state.replace(/ /g, '-')}` : '';
}

/** A node for whoever hears it. */
export function spoken(action: ActionNode, ran: InRun | undefined, problems: number): string {
  return [
    `${action.name}: ${action.path === null ? 'is not there' : action.tool}`,
    ran?.state ?? '',
    ran?.undo ?? '',
    ran?.edited ? 'edited since it ran' : '',
    ...action.marks.map(({ text }) => text),
    problems > 0 ? `${problems} problems` : '',
  ].filter(Boolean).join(', ');
}
