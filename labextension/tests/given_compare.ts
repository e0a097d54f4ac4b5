/** The tab that compares, in a page, over lines that a test gives; what is asked is answered within `soon`. */

import { afterEach, beforeEach, vi } from 'vitest';

import type { Comparison, Line } from '../src/protocol';
import { compare } from '../src/render/compare_tab';
import type { Answers } from './fake';
import { line, many, picture } from './fake';
import { seen, shown } from './shown';
import type { Shown } from './shown';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

export const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(300);
export const of = (ids: readonly string[]): Comparison => ({
  lines: ids.map((id) => ({ id, head: id, state: 'open', open: true })),
  rows: [{ name: 'rmse', cells: ids.map((_, i) => `0.${i + 1}`), best: [0] }],
});
export const lines = (...ids: string[]): Line[] => ids.map((id, i) => line(id, i));

export async function view(all: readonly Line[], answers: Answers = {}): Promise<Shown> {
  const made = shown(compare, picture(many(3), { lines: [...all] }), {
    compare: (asked) => of(asked.lines ?? []), select: () => null, abandon: () => null, switch: () => null, ...answers,
  });
  await soon();
  return made;
}
export const submit = async (made: Shown): Promise<void> => {
  const form = made.all<HTMLFormElement>('form').find(seen) as HTMLFormElement;
  form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await soon();
};
export const reason = (made: Shown): HTMLInputElement => made.all<HTMLInputElement>('form input').find(seen) as HTMLInputElement;
