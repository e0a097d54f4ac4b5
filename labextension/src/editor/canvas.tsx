/** A graph as a diagram: looked at, chosen from, wired and moved by mouse. Every deed is told to `on…`; what is drawn
 *  comes from the text alone.
 */

import * as React from 'react';
import { Controls, MarkerType, Position, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import type { Connection, NodeChange } from '@xyflow/react';

import { Action, spoken } from './action_node';
import type { ActionFlowNode, States } from './action_node';
import type { Place } from './add';
import { idOf, pathOf } from './frames';
import type { Frames } from './frames';
import type { Graph, Way } from './graph';
import { useStableObjects } from './stable_objects';
import { beginning } from './layout';
import type { Layout, Line } from './layout';
import { DRAGGED } from './palette';
import { WayEdge, wayId } from './way_edge';
import type { WayFlowEdge } from './way_edge';

export interface CanvasProps {
  graph: Graph;
  /** Where its boxes are, and how its ways are drawn; null where one of the ends was moved. */
  laid: Layout;
  /** The workflows that its actions run. */
  frames: Frames;
  /** From top to bottom. */
  down: boolean;
  states: States;
  /** How many problems each action has. */
  problems: ReadonlyMap<string, number>;
  /** Ids: also of actions in frames. */
  selected: readonly string[];
  /** The text cannot be read: this is how it was. */
  stale: boolean;
  /** Nothing can be changed in it. */
  fixed: boolean;
  onSelect(ids: readonly string[], opens: boolean): void;
  onMove(name: string, x: number, y: number): void;
  onConnect(from: string, to: string): void;
  onChooseWay(way: Way): void;
  /** Where the tool that is dragged would come: on a way, after an action, beside both; null: nowhere. */
  target: Place | null;
  onTarget(place: Place | null): void;
  onDrop(tool: string): void;
  /** An action that is there was dragged onto a way. */
  onPut(name: string, way: Way): void;
}

const NODES = { action: Action };
const WAYS = { way: WayEdge };
/** What does not fit so is reached by the wheel: nobody reads smaller letters. */
const FIT = { maxZoom: 1, minZoom: 0.5, padding: 0.06 };
const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16 };

interface Level {
  graph: Graph;
  laid: Layout;
  frames: Frames;
  /** The actions that lead to it, and where it begins in the box of the last. */
  above: readonly string[];
  corner: { x: number; y: number };
}

const WHOLE = { above: [], corner: { x: 0, y: 0 } };

/** The boxes of a graph, each before what stands in its frame. */
function nodesOf(props: CanvasProps, { graph, laid, frames, above, corner }: Level): ActionFlowNode[] {
  const { states, problems, selected, down } = props;
  const isOuter = above.length === 0;
  return graph.nodes.flatMap((action): ActionFlowNode[] => {
    const path = [...above, action.name];
    const id = idOf(path);
    const [box, ran, frame, inner] = [laid.boxes.get(action.name), states.get(id), frames.get(action.name), laid.inner.get(action.name)];
    const wrong = isOuter ? problems.get(action.name) ?? 0 : 0;
    const size = { width: box?.width ?? 0, height: box?.height ?? 0 };
    const node: ActionFlowNode = {
      id,
      type: 'action',
      position: { x: (box?.x ?? 0) + corner.x, y: (box?.y ?? 0) + corner.y },
      data: { action, ran, problems: wrong, down, frame },
      selected: selected.includes(id),
      ...size,
      measured: size, // else React Flow forgets where the arrows meet a box that is made anew, and draws none
      sourcePosition: down ? Position.Bottom : Position.Right, // where these change, it looks again
      targetPosition: down ? Position.Top : Position.Left,
      ariaLabel: spoken(action, ran, wrong, frame),
      ...(!isOuter && { parentId: idOf(above), draggable: false, connectable: false }),
    };
    return frame?.graph && inner
      ? [node, ...nodesOf(props, { graph: frame.graph, laid: inner, frames: frame.inner, above: path, corner: beginning(action) })]
      : [node];
  });
}

function edgesOf(props: CanvasProps, { graph, laid, frames, above }: Omit<Level, 'corner'>): WayFlowEdge[] {
  const over = props.target?.between && wayId(props.target.between);
  const isOuter = above.length === 0;
  const own = graph.ways.map((way, place): WayFlowEdge => {
    const id = wayId(way);
    return {
      id: isOuter ? id : `${idOf(above)} ${id}`,
      type: 'way',
      source: idOf([...above, way.from]),
      target: idOf([...above, way.to]),
      data: { way, line: shifted(laid.lines[place] ?? null, props, above), down: props.down },
      markerEnd: ARROW,
      ...(isOuter ? over === id && { className: 'wfnb-way-over' } : { selectable: false, focusable: false }),
      ariaLabel: `from ${way.from} to ${way.to}${way.label ? `: ${way.label}` : ''}`,
    };
  });
  const inner = [...frames].flatMap(([name, frame]) => {
    const within = laid.inner.get(name);
    return frame.graph && within ? edgesOf(props, { graph: frame.graph, laid: within, frames: frame.inner, above: [...above, name] }) : [];
  });
  return [...own, ...inner];
}

/** A line as it is laid out in its frame → where it is in the diagram. */
function shifted(line: Line | null, { graph, laid, frames }: CanvasProps, above: readonly string[]): Line | null {
  let [x, y] = [0, 0];
  let [here, boxes, held]: [Graph, Layout, Frames] = [graph, laid, frames];
  for (const name of above) {
    const [node, box, inner, frame] = [here.nodes.find((each) => each.name === name), boxes.boxes.get(name), boxes.inner.get(name), held.get(name)];
    if (!node || !box || !inner || !frame?.graph) {
      return null;
    }
    const corner = beginning(node);
    [x, y] = [x + box.x + corner.x, y + box.y + corner.y];
    [here, boxes, held] = [frame.graph, inner, frame.inner];
  }
  return line && { points: line.points.map((point) => ({ x: point.x + x, y: point.y + y })), x: line.x + x, y: line.y + y };
}

function Flow(props: CanvasProps): React.JSX.Element {
  const { graph, laid, frames, down, selected } = props;
  const flow = useReactFlow();
  const nodes = useStableObjects(nodesOf(props, { graph, laid, frames, ...WHOLE }));
  const edges = useStableObjects(edgesOf(props, { graph, laid, frames, above: [] }));
  const names = nodes.map(({ id }) => id).join('\n');
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
  const below = ({ clientX, clientY }: { clientX: number; clientY: number }, part: string): string | undefined =>
    document.elementsFromPoint(clientX, clientY).find((each) => each.closest(part))?.closest<HTMLElement>(part)?.dataset.id;
  function wayBelow(event: { clientX: number; clientY: number }): Way | undefined {
    const edge = below(event, '.react-flow__edge');
    return graph.ways.find((way) => wayId(way) === edge && way.kind !== 'timeout');
  }
  /** What a box that is dragged would come between; not what it is an end of. */
  function between(event: MouseEvent | TouchEvent, { id }: ActionFlowNode, all: readonly unknown[]): Way | null {
    const way = all.length === 1 && !props.fixed && 'clientX' in event ? wayBelow(event) : undefined;
    return way && way.from !== id && way.to !== id ? way : null;
  }
  function dragged(event: React.DragEvent): void {
    if (!event.dataTransfer.types.includes(DRAGGED) || props.fixed) {
      return;
    }
    event.preventDefault();
    const after = pathOf(below(event, '.react-flow__node') ?? '')[0];
    const between = wayBelow(event);
    props.onTarget(after ? { after } : between ? { between } : {});
  }
  return (
    <ReactFlow<ActionFlowNode, WayFlowEdge>
      nodes={nodes}
      edges={edges}
      nodeTypes={NODES}
      edgeTypes={WAYS}
      onNodesChange={changed}
      onNodeDoubleClick={(_, { id }) => props.onSelect([id], true)}
      onEdgeClick={(_, { data, selectable }) => data && selectable !== false && props.onChooseWay(data.way)}
      onConnect={({ source, target }: Connection) => props.onConnect(source, target)}
      nodesConnectable={!props.fixed}
      nodesDraggable={!props.fixed}
      onNodeDrag={(event, node, all) => {
        const way = between(event, node, all);
        props.onTarget(way && { between: way });
      }}
      onNodeDragStop={(event, node, all) => {
        const way = between(event, node, all);
        props.onTarget(null);
        if (way) {
          props.onPut(node.id, way);
        }
      }}
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
