/** happy-dom lays nothing out: this says how much room a list has and how high an open row is. */

import { afterEach, beforeEach } from 'vitest';

export const ROOM = 560;
export const CARD = 100;
/** Pixels beside each other; a test may change it. */
export const room = { width: 420 };

export function inRoom(): void {
  const before = ['clientHeight', 'clientWidth', 'offsetHeight'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)] as const,
  );
  const measures: Record<string, (this: HTMLElement) => number> = {
    clientHeight() {
      return this.classList.contains('wfnb-list') ? ROOM : 0;
    },
    clientWidth: () => room.width,
    offsetHeight() {
      return this.querySelector('.wfnb-card') ? 28 + CARD : 28;
    },
  };
  beforeEach(() => {
    for (const [name, get] of Object.entries(measures)) {
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get });
    }
  });
  afterEach(() => {
    room.width = 420;
    for (const [name, was] of before) {
      if (was) {
        Object.defineProperty(HTMLElement.prototype, name, was);
      } else {
        delete (HTMLElement.prototype as unknown as Record<string, unknown>)[name];
      }
    }
    document.body.replaceChildren();
  });
}
