/** A request → what came of it, in a line where it was made: nothing where it went well, else the kernel's
 *  sentence.
 */

import { sentence } from '../link';
import { attribute, h } from './dom';
import type { Child, Props } from './dom';

export interface StatusLine {
  root: HTMLElement;
  /** Whether it went well. Meanwhile `by` does nothing. */
  of(request: () => Promise<unknown>, by?: readonly HTMLElement[]): Promise<boolean>;
  say(words: string): void;
  /** What is said goes with the next click or word typed in `place`. */
  until(place: HTMLElement): void;
}

export function statusLine(): StatusLine {
  const root = h('p', { class: 'wfnb-refused', role: 'alert', hidden: true });
  let asked = 0;

  function say(words: string): void {
    showWords(root, words);
    root.hidden = words === '';
  }
  return {
    root,
    say,
    until(place) {
      for (const type of ['click', 'input']) {
        place.addEventListener(type, ({ target }) => root.contains(target as Node) || say(''));
      }
    },
    async of(request, by = []) {
      if (by.some(waits)) {
        return false;
      }
      const mine = ++asked;
      by.forEach((element) => attribute(element, 'aria-disabled', true));
      try {
        await request();
        if (mine === asked) {
          say('');
        }
        return true;
      } catch (reason) {
        if (mine === asked) {
          say(sentence(reason));
        }
        return false;
      } finally {
        by.forEach((element) => attribute(element, 'aria-disabled', null));
      }
    },
  };
}

/** The element says this, as `spoken`; not again where it does already. */
export function showWords(element: HTMLElement, words: string): void {
  if (element.textContent !== words.replaceAll('`', '')) {
    element.replaceChildren(...spoken(words));
  }
}

/** What stands between backticks is code, as in the sentences of the kernel; all of it is text. */
export function spoken(words: string): (string | HTMLElement)[] {
  return words.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part));
}

/** Whether it waits for an answer, or can do nothing now. */
export function waits(element: Element): boolean {
  return element.getAttribute('aria-disabled') === 'true';
}

/** Clicks while it is disabled are nothing. */
export function button(label: Child, act: () => void, look = 'wfnb-button', more: Props = {}): HTMLButtonElement {
  const made = h('button', { type: 'button', class: look, ...more }, label);
  made.addEventListener('click', () => waits(made) || act());
  return made;
}
