/** Keys and clicks in the list of steps → what a person wants of it. */

import { intent } from './keys';
import type { Intent } from './keys';

/** What can be wanted. */
export interface Wants {
  /** Whether a card is open, so that it can be closed. */
  readonly open: boolean;
  go(where: Intent): void;
  /** Open the card of the selected step, or close it. */
  turn(): void;
  /** The same of the step at this place, which stays where it is. */
  turnAt(place: number): void;
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

  function click(event: MouseEvent): void {
    const line = (event.target as Element).closest('.wfnb-line');
    const place = Number(line?.parentElement?.getAttribute('aria-rowindex') ?? 0) - 1;
    if (place >= 0 && event.detail <= 1) {
      wants.turnAt(place);
    }
  }

  list.addEventListener('keydown', key);
  list.addEventListener('click', click);
  list.addEventListener('dblclick', (event) => {
    if ((event.target as Element).closest('.wfnb-line')) {
      wants.toCell();
    }
  });
  for (const scrolls of ['wheel', 'touchmove', 'pointerdown'] as const) {
    list.addEventListener(scrolls, () => wants.scrolled(), { passive: true });
  }
}
