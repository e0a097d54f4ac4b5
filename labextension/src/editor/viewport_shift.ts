/** A box, the part of a diagram that is in sight → how far that is to be moved, so that the box is in it. */

import type { Viewport } from '@xyflow/react';

import type { Box } from './layout';

/** Pixels that are left free beside it. */
const FREE = 12;

/** The least movement; null where there is none. Of what is larger than the room its beginning is in sight. */
export function inSight(box: Box, view: Viewport, room: { width: number; height: number }): Viewport | null {
  const x = along(box.x, box.width, view.x, view.zoom, room.width);
  const y = along(box.y, box.height, view.y, view.zoom, room.height);
  return x === view.x && y === view.y ? null : { ...view, x, y };
}

function along(begins: number, size: number, corner: number, zoom: number, room: number): number {
  const [first, last] = [corner + begins * zoom, corner + (begins + size) * zoom];
  if (first < FREE || last - first > room - 2 * FREE) {
    return corner + FREE - first;
  }
  return last > room - FREE ? corner + room - FREE - last : corner;
}
