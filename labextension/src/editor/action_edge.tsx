/** A way from one action to the next → the line that is drawn for it. */

import * as React from 'react';
import { BaseEdge, EdgeLabelRenderer } from '@xyflow/react';
import type { Edge, EdgeProps } from '@xyflow/react';

import type { Way } from './graph';
import { WIDTH } from './layout';
import type { Line } from './layout';

/** `line`: as seen from its source; null: as its ends are. */
export type ActionFlowEdge = Edge<{ way: Way; line: Line | null; down: boolean }, 'way'>;

/** How much deeper the arc is of a way that leads far back. */
const DEEPEST = 600;
/** How wide an arrow is for a mouse. */
const NEAR = 32;

/** Onwards a curve; back, an arc beside both; to itself, a loop. As if from left to right: `down` turns it. */
function path({ sourceX, sourceY, targetX, targetY, source, target, data }: EdgeProps<ActionFlowEdge>): [string, number, number] {
  const down = data?.down ?? false;
  const [x0, y0, x1, y1] = down ? [sourceY, sourceX, targetY, targetX] : [sourceX, sourceY, targetX, targetY];
  const side = down ? WIDTH / 2 + 40 : 96;
  const point = (x: number, y: number): string => (down ? `${y},${x}` : `${x},${y}`);
  const curve = (ax: number, ay: number, bx: number, by: number): string =>
    `M${point(x0, y0)} C${point(ax, ay)} ${point(bx, by)} ${point(x1, y1)}`;
  const at = (x: number, y: number): [number, number] => (down ? [y, x] : [x, y]);
  if (data?.line && source !== target) {
    const bends = data.line.points.slice(1, -1).map(({ x, y }) => ({ x: sourceX + x, y: sourceY + y }));
    return [through([{ x: sourceX, y: sourceY }, ...bends, { x: targetX, y: targetY }]), sourceX + data.line.x, sourceY + data.line.y];
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

export function ActionEdge(props: EdgeProps<ActionFlowEdge>): React.JSX.Element {
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

export function edgeId({ from, to, kind }: Way): string {
  return `${from} ${to} ${kind}`;
}
