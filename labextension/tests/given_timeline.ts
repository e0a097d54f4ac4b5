/** The timeline in a frame, over steps that a test gives: its list, its keys, and what it asked for. */

import { afterEach } from 'vitest';

import type { Row, Snapshot } from '../src/protocol';
import { frame } from '../src/render/view_frame';
import type { View } from '../src/render/view_frame';
import { timeline } from '../src/render/timeline';
import { fakeHost, fakeLink, picture, settled } from './fake';
import type { Answers, FakeLink } from './fake';

export interface Shown {
  link: FakeLink;
  host: ReturnType<typeof fakeHost>;
  list: HTMLElement;
  root: HTMLElement;
  end: View;
  key(name: string, more?: KeyboardEventInit): void;
}

const ends: View[] = [];
/** What a test left waiting, a card that is to be asked for, comes in no page that is gone. */
afterEach(() => ends.splice(0).forEach((end) => end()));

export async function shown(rows: readonly Row[], answers: Answers = {}, more: Partial<Snapshot> = {}): Promise<Shown> {
  const link = fakeLink(rows, { snapshot: () => picture(rows, more), ...answers });
  const host = fakeHost();
  const root = document.body.appendChild(document.createElement('div'));
  const end = frame(root, link, host, [timeline]);
  ends.push(end);
  await settled();
  await settled();
  const list = root.querySelector('.wfnb-list') as HTMLElement;
  const key = (name: string, init: KeyboardEventInit = {}): void => {
    const target = list.contains(document.activeElement) ? (document.activeElement as Element) : list;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...init }));
  };
  return { link, host, list, root, end, key };
}

export const titles = (list: HTMLElement): string[] =>
  [...list.querySelectorAll('.wfnb-title')].map((title) => title.textContent ?? '');
export const selected = (list: HTMLElement): string | null | undefined =>
  list.querySelector('[aria-selected="true"] .wfnb-title')?.textContent;
export const click = (element: Element | null | undefined): unknown =>
  element?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
export const scroll = (list: HTMLElement, to: number): void => {
  list.scrollTop = to;
  list.dispatchEvent(new Event('scroll'));
};
