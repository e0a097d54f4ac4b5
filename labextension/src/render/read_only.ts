/** While nothing can be changed: every button that would is disabled, and its title says why. */

import { attribute } from './dom';

const WRITES = 'data-writes';

/** This button changes something. */
export function writes<B extends HTMLElement>(button: B): B {
  attribute(button, WRITES, '');
  return button;
}

export interface Reading {
  /** Why nothing can be changed now; '' where it can. */
  because(reason: string): void;
  dispose(): void;
}

export function reading(root: HTMLElement): Reading {
  /** Those that are disabled by this, with what they were. */
  const held = new Map<Element, { disabled: string | null; title: string | null }>();
  let why = '';

  function hold(): void {
    for (const button of root.querySelectorAll(`[${WRITES}]`)) {
      const { disabled, title } = held.get(button) ?? {
        disabled: button.getAttribute('aria-disabled'),
        title: button.getAttribute('title'),
      };
      held.set(button, { disabled, title });
      attribute(button, 'aria-disabled', true);
      attribute(button, 'title', why);
    }
  }

  function release(): void {
    for (const [button, { disabled, title }] of held) {
      attribute(button, 'aria-disabled', disabled);
      attribute(button, 'title', title);
    }
    held.clear();
  }

  /** What is drawn meanwhile, too; and a press on what is not marked yet does nothing. */
  const observer = new MutationObserver(hold);
  const stop = (event: Event): void => {
    if (why !== '' && (event.target as Element).closest(`[${WRITES}]`)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  root.addEventListener('click', stop, true);

  return {
    because(reason) {
      if (reason === why) {
        return;
      }
      why = reason;
      observer.disconnect();
      if (why === '') {
        return release();
      }
      hold();
      observer.observe(root, { childList: true, subtree: true, attributeFilter: ['aria-disabled'] });
    },
    dispose() {
      observer.disconnect();
      root.removeEventListener('click', stop, true);
      held.clear();
    },
  };
}
