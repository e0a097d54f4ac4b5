/** A graph as a diagram: looked at, chosen from, wired and moved by mouse. Every deed is told to `on…`; what is drawn
 *  comes from the text alone.
 */

import * as React from 'react';
import { Controls, MarkerType, Position, ReactFlow, ReactFlowProvider, getViewportForBounds, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import type { Connection, NodeChange, NodeHandle, ReactFlowProps, Viewport, XYPosition } from '@xyflow/react';
import { __ } from '../translation';

import { Action, spoken } from './action_node';
import type { ActionFlowNode, States } from './action_node';
import type { Place } from './action_addition';
import { idOf, pathOf } from './nested_frames';
import type { Frames } from './nested_frames';
import type { Graph, Way } from './graph';
import type { Places } from './host';
import { beginning } from './layout';
import type { Box, Layout, Line } from './layout';
import { DRAGGED } from './tool_palette';
import { inSight } from './viewport_shift';
import { useStableFunctions, useStableObjects } from './stable_objects';
import { ActionEdge, edgeId } from './action_edge';
import type { ActionFlowEdge } from './action_edge';

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
  /** What somebody was led to, and may be out of sight: another object each time. */
  sought: Sought | null;
  /** The text cannot be read: this is how it was. */
  stale: boolean;
  /** Nothing can be changed in it. */
  fixed: boolean;
  onSelect(ids: readonly string[], opens: boolean): void;
  onMove(places: Places): void;
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
const WAYS = { way: ActionEdge };
/** What does not fit so is reached by the wheel: nobody reads smaller letters. */
const FIT = { maxZoom: 1, minZoom: 0.5, padding: 0.06 };
/** As wide and high as the style makes what an arrow is drawn from, its border with it. */
const HANDLE = 14;
/** Pixels: what a few problems below it take, which come and go as one types. */
const LINES = 60;
/** Milliseconds: what is sought moves into sight. */
const MOVES = 200;
const PLAIN = { hideAttribution: true };
const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16 };

export interface Sought {
  id: string;
}

interface Level {
  graph: Graph;
  laid: Layout;
  frames: Frames;
  /** The actions that lead to it, and where it begins in the box of the last. */
  above: readonly string[];
  corner: { x: number; y: number };
}

const ORIGIN = { x: 0, y: 0 };
const NOWHERE: ReadonlyMap<string, XYPosition> = new Map();

/** The boxes of a graph, each before what stands in its frame. */
function nodesOf(props: CanvasProps, { graph, laid, frames, above, corner }: Level): ActionFlowNode[] {
  const { states, problems, selected, down } = props;
  const isOuter = above.length === 0;
  return graph.nodes.flatMap((action, place): ActionFlowNode[] => {
    const path = [...above, action.name];
    const id = idOf(path);
    const [box, ran, frame, inner] = [laid.boxes[place], states.get(id), frames.get(action.name), laid.inner[place]];
    const wrong = isOuter ? problems.get(action.name) ?? 0 : 0;
    const size = { width: box?.width ?? 0, height: box?.height ?? 0 };
    const node: ActionFlowNode = {
      id,
      type: 'action',
      position: { x: (box?.x ?? 0) + corner.x, y: (box?.y ?? 0) + corner.y },
      data: { action, ran, problems: wrong, down, frame },
      selected: selected.includes(id),
      ...size,
      measured: size,
      handles: handlesOf(size, down), // else React Flow looks for them in the page before it draws an arrow
      ariaLabel: spoken(action, ran, wrong, frame),
      ...(!isOuter && { parentId: idOf(above), draggable: false, connectable: false }),
    };
    return frame?.graph && inner
      ? [node, ...nodesOf(props, { graph: frame.graph, laid: inner, frames: frame.inner, above: path, corner: beginning(action) })]
      : [node];
  });
}

/** Where arrows meet a box: in the middle of two sides. */
function handlesOf({ width, height }: { width: number; height: number }, down: boolean): NodeHandle[] {
  const at = (type: 'source' | 'target', position: Position, x: number, y: number): NodeHandle => ({
    type, position, x: x - HANDLE / 2, y: y - HANDLE / 2, width: HANDLE, height: HANDLE,
  });
  return down
    ? [at('target', Position.Top, width / 2, 0), at('source', Position.Bottom, width / 2, height)]
    : [at('target', Position.Left, 0, height / 2), at('source', Position.Right, width, height / 2)];
}

/** As seen from where it leaves its box, which may stand in frames that are elsewhere. */
function fromBox({ points, x, y }: Line, box: Box, down: boolean): Line {
  const [x0, y0] = down ? [box.x + box.width / 2, box.y + box.height + HANDLE / 2] : [box.x + box.width + HANDLE / 2, box.y + box.height / 2];
  return { points: points.map((point) => ({ x: point.x - x0, y: point.y - y0 })), x: x - x0, y: y - y0 };
}

function edgesOf(props: CanvasProps, { graph, laid, frames, above }: Omit<Level, 'corner'>): ActionFlowEdge[] {
  const { down, target } = props;
  const over = target?.between && edgeId(target.between);
  const boxes = new Map(graph.nodes.map(({ name }, place) => [name, laid.boxes[place]]));
  const isOuter = above.length === 0;
  const own = graph.ways.map((way, place): ActionFlowEdge => {
    const [id, box, line] = [edgeId(way), boxes.get(way.from), laid.lines[place]];
    return {
      id: isOuter ? id : `${idOf(above)} ${id}`,
      type: 'way',
      source: idOf([...above, way.from]),
      target: idOf([...above, way.to]),
      data: { way, line: line && box ? fromBox(line, box, down) : null, down },
      markerEnd: ARROW,
      ...(isOuter ? over === id && { className: 'wfnb-way-over' } : { selectable: false, focusable: false }),
      ariaLabel: way.label ? __('from %1 to %2: %3', way.from, way.to, way.label) : __('from %1 to %2', way.from, way.to),
    };
  });
  const inner = graph.nodes.flatMap(({ name }, place) => {
    const [frame, within] = [frames.get(name), laid.inner[place]];
    return frame?.graph && within ? edgesOf(props, { graph: frame.graph, laid: within, frames: frame.inner, above: [...above, name] }) : [];
  });
  return [...own, ...inner];
}

function Flow(props: CanvasProps): React.JSX.Element {
  const { graph, down, selected, sought } = props;
  const flow = useReactFlow();
  const nodes = useStableObjects(React.useMemo(() => nodesOf(props, { ...props, above: [], corner: ORIGIN }), [props]));
  const edges = useStableObjects(React.useMemo(() => edgesOf(props, { ...props, above: [] }), [props]));
  const [held, setHeld] = React.useState(NOWHERE); // what is dragged, and where it is: the editor is told when it is let go
  const heldIds = [...held.keys()].join('\n');
  const movedNodes = nodes.map((node) => {
    const position = held.get(node.id);
    return position ? { ...node, position } : node;
  });
  const movedEdges = React.useMemo(
    () => edges.map((edge) => (edge.data && (held.has(edge.source) || held.has(edge.target)) ? { ...edge, data: { ...edge.data, line: null } } : edge)),
    [edges, heldIds],
  );
  const names = nodes.map(({ id }) => id).join('\n');
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const store = useStoreApi();
  const made = React.useRef<Viewport | null>(null); // until a person moves it
  function boxOf(id: string | undefined): Box | undefined {
    const node = flow.getInternalNode(id ?? '');
    return node && { ...node.internals.positionAbsolute, width: node.width ?? 0, height: node.height ?? 0 };
  }
  /** Fitted in, something may still be out of sight: no letter is made too small to be read. */
  function look(view: Viewport, id: string | undefined, moves = 0): void {
    const box = boxOf(id);
    made.current = (box && inSight(box, view, store.getState())) ?? view;
    void flow.setViewport(made.current, { duration: moves });
  }
  function fit(): void {
    const { minZoom, maxZoom, padding } = FIT;
    look(getViewportForBounds(flow.getNodesBounds(flow.getNodes()), width, height, minZoom, maxZoom, padding), selected.at(-1));
  }
  React.useEffect(() => {
    if (width > 0) { // what is not in the page yet has none
      fit();
    }
  }, [flow, names, width, down]);
  const before = React.useRef(height);
  React.useEffect(() => { // what stands above or below the diagram hides nothing that was chosen and in sight
    const [box, view] = [boxOf(selected.at(-1)), flow.getViewport()];
    if (JSON.stringify(view) === JSON.stringify(made.current) && Math.abs(height - before.current) > LINES) {
      fit();
    } else if (box && !inSight(box, view, { width, height: before.current })) {
      look(view, selected.at(-1));
    }
    before.current = height;
  }, [flow, height]);
  React.useEffect(() => {
    if (sought && selected.includes(sought.id)) { // else it was so before the diagram was put away
      look(flow.getViewport(), sought.id, isStill() ? 0 : MOVES);
    }
  }, [flow, sought]);

  function changed(changes: NodeChange<ActionFlowNode>[]): void {
    const moves = changes.filter((change) => change.type === 'position');
    const positions = new Map(moves.flatMap(({ id, position }) => (position ? [[id, position] as const] : [])));
    if (moves.some(({ dragging }) => dragging)) {
      setHeld(positions);
    } else if (positions.size > 0) {
      setHeld(NOWHERE);
      props.onMove(Object.fromEntries([...positions].map(([id, { x, y }]) => [id, [x, y]])));
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
    return graph.ways.find((way) => edgeId(way) === edge && way.kind !== 'timeout');
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
  const deeds = useStableFunctions({
    onNodesChange: changed,
    onNodeDoubleClick: (_: unknown, { id }: ActionFlowNode) => props.onSelect([id], true),
    onEdgeClick: (_: unknown, { data, selectable }: ActionFlowEdge) => data && selectable !== false && props.onChooseWay(data.way),
    onConnect: ({ source, target }: Connection) => props.onConnect(source, target),
    onNodeDrag(event: MouseEvent | TouchEvent, node: ActionFlowNode, all: ActionFlowNode[]) {
      const way = between(event, node, all);
      props.onTarget(way && { between: way });
    },
    onNodeDragStop(event: MouseEvent | TouchEvent, node: ActionFlowNode, all: ActionFlowNode[]) {
      const way = between(event, node, all);
      props.onTarget(null);
      if (way) {
        props.onPut(node.id, way);
      }
    },
  });
  return (
    <ReactFlow<ActionFlowNode, ActionFlowEdge>
      {...deeds}
      nodes={movedNodes}
      edges={movedEdges}
      nodeTypes={NODES}
      edgeTypes={WAYS}
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
      autoPanOnNodeFocus={false}
      edgesFocusable
      minZoom={0.1}
      defaultMarkerColor={null}
      proOptions={PLAIN}
      ariaLabelConfig={React.useMemo(labels, [])}
    >
      <Controls showInteractive={false} />
    </ReactFlow>
  );
}

/** What the library says by itself. */
function labels(): NonNullable<ReactFlowProps['ariaLabelConfig']> {
  const about = __('Enter or the space bar selects it, Delete removes it, Escape cancels.');
  return {
    'node.a11yDescription.default': about,
    'node.a11yDescription.keyboardDisabled': about,
    'edge.a11yDescription.default': about,
    'controls.ariaLabel': __('View of the diagram'),
    'controls.zoomIn.ariaLabel': __('Zoom in'),
    'controls.zoomOut.ariaLabel': __('Zoom out'),
    'controls.fitView.ariaLabel': __('Fit into view'),
    'handle.ariaLabel': __('Handle'),
  };
}

/** Whether a person wants nothing to be moved before their eyes. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
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
