/** The frame around tabs that a test gives: what each was shown is in `shows`. */

import { afterEach, vi } from 'vitest';

import { h } from '../src/render/dom';
import { frame } from '../src/render/view_frame';
import type { View } from '../src/render/view_frame';
import type { MakeTab } from '../src/render/tab';
import type { Answers, FakeLink } from './fake';
import { fakeHost, fakeLink, many, picture, settled } from './fake';

/** Once a file: the page is empty again after each test. */
export function cleared(): void {
  afterEach(() => {
    vi.useRealTimers();
    document.body.replaceChildren();
  });
}

export const shows: string[] = [];

export function tab(name: string, count: number | null = null): MakeTab {
  return () => ({
    name,
    root: h('div', {}, h('button', {}, name)),
    show: (_, changed) => void shows.push(`${name}: ${[...changed].sort().join(' ')}`),
    count: () => count,
    dispose: () => void shows.push(`${name} ends`),
  });
}

export async function framed(
  answers: Answers = {},
  made: MakeTab[] = [tab('One'), tab('Two', 3), tab('Three', 0)],
): Promise<{ link: FakeLink; host: ReturnType<typeof fakeHost>; root: HTMLElement; end: View }> {
  const rows = many(3);
  const link = fakeLink(rows, { snapshot: () => picture(rows), ...answers });
  const host = fakeHost();
  const root = document.body.appendChild(document.createElement('div'));
  const end = frame(root, link, host, made);
  await settled();
  shows.length = 0;
  return { link, host, root, end };
}

export const tabs = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[role="tab"]')];
export const open = (root: HTMLElement): (string | null)[] =>
  [...root.querySelectorAll<HTMLElement>('[role="tabpanel"]')].filter((p) => !p.hidden).map((p) => p.textContent);
export const hear = (root: HTMLElement): string | null | undefined => root.querySelector('[aria-live]')?.textContent;
