/** A tab in a page, over a session that a test gives: what a person would see of it. */

import { afterEach } from 'vitest';

import type { Snapshot } from '../src/protocol';
import { store } from '../src/store';
import type { State } from '../src/store';
import type { MakeTab, Tab } from '../src/render/tab';
import { fakeHost, fakeLink } from './fake';
import type { Answers, FakeLink } from './fake';
import type { Host } from '../src/view_host';

export interface Shown {
  root: HTMLElement;
  tab: Tab;
  link: FakeLink;
  host: Host & { did: unknown[][] };
  state(): State;
  all<E extends Element = HTMLElement>(selector: string): E[];
  one<E extends Element = HTMLElement>(selector: string): E;
  /** The button with these words, or this label. */
  button(words: string): HTMLButtonElement;
  /** What was asked with this word. */
  asked(word: string): Record<string, unknown>[];
  dispose(): void;
}

const open = new Set<() => void>();

afterEach(() => open.forEach((dispose) => dispose()));

export function shown(make: MakeTab, picture: Snapshot, answers: Answers = {}, less: (keyof Host)[] = []): Shown {
  const link = fakeLink([], answers);
  link.state = 'connecting';
  const host = fakeHost();
  less.forEach((name) => delete (host as unknown as Record<string, unknown>)[name]);
  const kept = store(link);
  const tab = make(link, host);
  document.body.replaceChildren(tab.root);
  const deaf = kept.listen((changed) => kept.state && tab.show(kept.state, changed));
  link.tell(picture);
  const all = <E extends Element>(selector: string): E[] => [...tab.root.querySelectorAll<E>(selector)];
  const one = <E extends Element>(selector: string): E => {
    const [first] = all<E>(selector);
    if (first === undefined) {
      throw new Error(`Nothing is ${selector}.`);
    }
    return first;
  };
  const dispose = (): void => {
    open.delete(dispose);
    deaf();
    tab.dispose();
    kept.dispose();
    tab.root.remove();
  };
  open.add(dispose);
  return {
    root: tab.root, tab, link, host, all, one, dispose,
    state: () => kept.state as State,
    button(words) {
      const found = all<HTMLButtonElement>('button').find(
        (each) => seen(each) && (each.getAttribute('aria-label') === words || each.textContent === words),
      );
      if (found === undefined) {
        throw new Error(`No button says ${words}.`);
      }
      return found;
    },
    asked: (word) => link.asked.filter((each) => each.word === word).map(({ args }) => args),
  };
}

export const seen = (element: Element): boolean => element.closest('[hidden]') === null;

/** The texts of a table's body, row by row. */
export function cells(table: Element): string[][] {
  return [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent ?? ''));
}

export function heads(table: Element): string[] {
  return [...table.querySelectorAll('thead th')].map((cell) => cell.textContent ?? '');
}

export function key(target: Element, name: string): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
}

/** A double click: its second half hits what is there by then. */
export async function twice(at: () => HTMLElement): Promise<void> {
  for (const detail of [1, 2]) {
    at().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
    await Promise.resolve().then(() => undefined);
  }
}

const HARMFUL = 'script,style,img,a,iframe,object,embed,link,meta,base,foreignObject,use,image,form[action]';

/** What hostile texts would have made of a page, had they been taken for markup. */
export function harm(root: Element): string[] {
  const elements = [...root.querySelectorAll('*')];
  return [
    ...[...root.querySelectorAll(HARMFUL)].map(({ tagName }) => tagName),
    ...elements.flatMap((element) =>
      [...element.attributes].map(({ name }) => name).filter((name) => /^on|^(href|src|style|xlink:href)$/.test(name)),
    ),
  ];
}
