/** Keys and clicks in the list of steps → what a person wants of it. */

import { intent } from './timeline_keys';
import type { Intent } from './timeline_keys';

/** What can be wanted. */
export interface Wants {
  /** Whether a card is open, so that it can be closed. */
  readonly open: boolean;
  go(where: Intent): void;
  /** Open the card of the selected step, or close it. */
  turn(): void;
  /** The same of the step at this place, which stays where it is. */
  turnAt(place: number): void;
  /** The menu of the step at this place, at a point of the page; false where there is none. */
  menu(place: number, x: number, y: number): boolean;
  close(): void;
  toCell(): void;
  search(): void;
  /** A person scrolls. */
  scrolled(): void;
}

export function gestures(list: HTMLElement, wants: Wants): void {
  function key(event: KeyboardEvent): void {
    const wanted = intent(event);
    if (wanted === null || (event.target !== list && wanted !== 'close')) {
      return;
    }
    if (wanted === 'close' && !wants.open) {
      return; // Escape is for what is around then: it leads out
    }
    event.preventDefault();
    event.stopPropagation();
    switch (wanted) {
      case 'search':
        return wants.search();
      case 'cell':
        return wants.toCell();
      case 'close':
        return wants.close();
      case 'open':
        return wants.turn();
      default:
        return wants.go(wanted);
    }
  }

  const lineOf = ({ target }: Event): Element | null => (target as Element).closest('.wfnb-line');
  const placeOf = (line: Element | null): number => Number(line?.parentElement?.getAttribute('aria-rowindex') ?? 0) - 1;

  function click(event: MouseEvent): void {
    const place = placeOf(lineOf(event));
    if (place >= 0 && event.detail <= 1) {
      wants.turnAt(place);
    }
  }

  /** By mouse or, from the list itself, by a key. With Shift the mouse asks for the menu of the browser. */
  function menu(event: MouseEvent): void {
    const keyed = event.target === list && event.button !== 2;
    const line = keyed ? list.querySelector('[aria-selected=true] > .wfnb-line') : lineOf(event);
    if (line === null || (event.shiftKey && !keyed)) {
      return;
    }
    const { x, bottom } = line.getBoundingClientRect();
    if (keyed ? wants.menu(placeOf(line), x, bottom) : wants.menu(placeOf(line), event.clientX, event.clientY)) {
      event.preventDefault();
      event.stopPropagation(); // JupyterLab opens one of its own
    }
  }

  list.addEventListener('keydown', key);
  list.addEventListener('click', click);
  list.addEventListener('contextmenu', menu);
  list.addEventListener('dblclick', (event) => lineOf(event) && wants.toCell());
  for (const scrolls of ['wheel', 'touchmove', 'pointerdown'] as const) {
    list.addEventListener(scrolls, () => wants.scrolled(), { passive: true });
  }
}
