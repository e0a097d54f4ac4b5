/** Runs as a kernel tells them, and the tab that shows them, at a time that stands still. */

import { afterEach, beforeEach, vi } from 'vitest';

import type { RunDetail, RunHead, Snapshot } from '../src/protocol';
import { runs } from '../src/render/runs_tab';
import { picture } from './fake';
import type { Answers } from './fake';
import { seen, shown } from './shown';
import type { Shown } from './shown';

export const NOW = 1_750_000_100;

export function inTime(): void {
  beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
  afterEach(() => void vi.useRealTimers());
}

export const soon = (ms = 300): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

export function run(name: string, more: Partial<RunHead> = {}): RunHead {
  return {
    name, workflow: name.replace(/-\d+$/, ''), status: 'running', sign: '▶', step: 1, done: 4, total: 6, now: [],
    started: NOW - 12, ended: null, error: null, asks: [], here: true, resumable: false, ...more,
  };
}
export const detail = (of: RunHead, more: Partial<RunDetail> = {}): RunDetail => ({
  run: of, drawing: null,
  actions: [
    { action: 'test', sign: '✓', state: 'ok', tool: 'shell', attempts: 1, seconds: 6.2, undo: '', note: '12 passed' },
    { action: 'publish', sign: '▶', state: 'running', tool: 'terminal', attempts: 2, seconds: null, undo: '', note: '' },
    { action: 'announce', sign: '·', state: 'not yet', tool: 'notebook', attempts: 0, seconds: null, undo: '', note: '' },
  ],
  tail: [{ who: 'publish', text: 'uploading 3 of 7 …' }], upto: 1, nested: [], ...more,
});
export const having = (...all: RunHead[]): Snapshot => picture([], { runs: all });

export function view(whole: Snapshot, answers: Answers = {}): Shown {
  return shown(runs, whole, {
    run: ({ run: name }) => detail(run(name)),
    close_run: () => null, variables: () => [], cancel: () => null, answer: () => null, resume: ({ run: name }) => run(name), ...answers,
  });
}
export const names = (made: Shown): string[] => made.all('.wfnb-run').map((each) => each.getAttribute('aria-label') ?? '');
export const meta = (made: Shown, at = 0): string => made.all('.wfnb-meta')[at]?.textContent?.replace(/\u00a0/g, ' ') ?? '';
export const open = async (made: Shown, at = 0): Promise<void> => {
  made.all('.wfnb-run-head')[at]?.click();
  await soon();
};
export const refusals = (made: Shown): (string | null)[] => made.all('.wfnb-refused').filter(seen).map((each) => each.textContent);
