/** The tab of the workflow runs, newest first. What opened runs print comes beside the state: it is not kept there. */

import type { RunHead, News } from '../protocol';
import type { State } from '../store';
import { __ } from '../translation';
import { each, h, text } from './dom';
import { runLine } from './run_line';
import type { RunLine } from './run_line';
import { button } from './status_line';
import type { MakeTab } from './tab';

/** Runs that are listed, and that each wish for more adds. */
const PAGE_RUNS = 30;
const SECOND = 1000;

export const runs: MakeTab = (link) => {
  const lines = new Map<string, RunLine>();
  let all: readonly RunHead[] = [];
  let most = PAGE_RUNS;
  /** The picture that was drawn last: with another one, lines of opened runs may have been missed. */
  let drawn: State | null = null;
  let whole = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const list = h('ul', { class: 'wfnb-runs', 'aria-label': __('Runs, newest first') });
  const more = button('', older, 'wfnb-link wfnb-more', { hidden: true });
  const root = h('div', {}, list, more);
  const fill = each<RunHead, HTMLElement>(
    list,
    ({ name }) => name,
    ({ name }) => {
      const line = runLine(link, name);
      lines.set(name, line);
      return line.root;
    },
    (_, run) => lines.get(run.name)?.show(run, whole, drawn?.clock ?? (() => Date.now() / 1000)),
  );

  function older(): void {
    most += PAGE_RUNS;
    whole = false;
    draw();
  }
  function draw(): void {
    const shown = all.slice(-most).reverse();
    fill(shown);
    const names = new Set(shown.map(({ name }) => name));
    for (const [name, line] of lines) {
      if (!names.has(name)) {
        line.dispose();
        lines.delete(name);
      }
    }
    more.hidden = all.length <= most;
    text(more, __('%1 older', all.length - most));
    tick();
  }
  /** Times go on while something runs and somebody can see it. */
  function tick(): void {
    clearTimeout(timer);
    timer = undefined;
    const seen = root.isConnected && root.closest('[hidden]') === null;
    if (seen && all.some(({ status }) => status === 'running')) {
      lines.forEach((line) => line.tick());
      timer = setTimeout(tick, SECOND);
    }
  }
  function hear(told: News): void {
    if (told.kind === 'delta') {
      told.tails?.forEach((printed) => lines.get(printed.run)?.open?.printed(printed));
    }
  }
  const deaf = link.on(hear);

  return {
    name: __('Runs'),
    root,
    empty: ({ runs: now }) => now.length === 0,
    show(state, changed) {
      if (changed.has('runs')) {
        whole = state !== drawn;
        drawn = state;
        all = state.runs;
        draw();
      }
    },
    count({ runs: now }) {
      return now.filter(({ status }) => status === 'running').length || null;
    },
    answer(name) {
      most = Math.max(most, all.length - all.findIndex((run) => run.name === name));
      draw();
      lines.get(name)?.root.querySelector<HTMLElement>('.wfnb-ask input, .wfnb-ask button')?.focus();
    },
    dispose() {
      deaf();
      clearTimeout(timer);
      all = [];
      drawn = null;
      lines.forEach((line) => line.dispose());
      lines.clear();
    },
  };
};
