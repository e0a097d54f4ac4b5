import { describe, expect, it } from 'vitest';

import { inSight } from '../../src/editor/viewport_shift';

const ROOM = { width: 400, height: 300 };
const box = { x: 100, y: 100, width: 200, height: 50 };

describe('a diagram moves as little as brings a box into sight', () => {
  it('stays where all of it is in sight', () => {
    expect(inSight(box, { x: 0, y: 0, zoom: 1 }, ROOM)).toBeNull();
  });

  it('moves to the side at which it is out of sight', () => {
    expect(inSight(box, { x: 150, y: 0, zoom: 1 }, ROOM)).toEqual({ x: 88, y: 0, zoom: 1 });
    expect(inSight(box, { x: -150, y: 0, zoom: 1 }, ROOM)).toEqual({ x: -88, y: 0, zoom: 1 });
    expect(inSight(box, { x: 0, y: 400, zoom: 1 }, ROOM)).toEqual({ x: 0, y: 138, zoom: 1 });
  });

  it('counts in the pixels of its zoom', () => {
    expect(inSight(box, { x: 0, y: 0, zoom: 0.5 }, ROOM)).toBeNull();
    expect(inSight(box, { x: 0, y: 0, zoom: 1.5 }, ROOM)).toEqual({ x: -62, y: 0, zoom: 1.5 });
  });

  it('shows the beginning of what is larger than the room', () => {
    expect(inSight({ ...box, width: 900 }, { x: -300, y: 0, zoom: 1 }, ROOM)).toEqual({ x: -88, y: 0, zoom: 1 });
  });
});
