/** What a button does, drawn as JupyterLab draws it: 16 pixels, one colour. Its name is the button's own. */

import { s } from './dom';

/** In a square of 24. */
const STROKES = {
  undo: 'M9 5L4.5 9.5L9 14M5 9.5h9a5 5 0 0 1 0 10H9',
  redo: 'M15 5l4.5 4.5L15 14M19 9.5h-9a5 5 0 0 0 0 10h5',
  resume: 'M8 5.5v13L18.5 12z',
  record: 'M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z',
  first: 'M12 6l-6 6l6 6M19 6l-6 6l6 6',
  previous: 'M15 6l-6 6l6 6',
  next: 'M9 6l6 6l-6 6',
  last: 'M5 6l6 6l-6 6M12 6l6 6l-6 6',
  copy: 'M9 9h10.5v10.5H9zM5.5 15h-1V4.5H15v1',
};

export function icon(name: keyof typeof STROKES): SVGElement {
  return s('svg', { class: 'wfnb-icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: STROKES[name] }));
}
