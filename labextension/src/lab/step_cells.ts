/** A notebook → its code cells as they stand: how many steps each opens, and what its text is. The kernel is told which
 *  there are, before one runs: so it tells a cell that was moved from one that was copied.
 */

import type { Cell } from '@jupyterlab/cells';
import { NotebookActions } from '@jupyterlab/notebook';
import type { Notebook } from '@jupyterlab/notebook';

import { writable } from '../link';
import type { Dispose, Link } from '../link';
import type { Asks } from '../protocol';
import { digest } from './cell_digest';
import { lastHeading } from './step_magic_line';
import { opened, plain } from './step_count';

const PAUSE = 150;
/** A plain cell with this tag is a step, as each is in record mode. */
const TAG = 'wfnb-step';
/** A line that nothing but wfnb reads. */
const MAGIC = /^\s*%%?(step|branch|wfnb|(run_)?workflow)\b/m;

export interface StepCells {
  /** How many steps the cell opens as it stands; 0 where there is no such code cell. */
  opens(id: string): number;
  /** The digest of its text; undefined where there is no such code cell. */
  digest(id: string): string | undefined;
  /** Told soon after each change of the notebook. */
  listen(f: () => void): Dispose;
  dispose: Dispose;
}

type CellList = Asks['cells'][0];

interface Known {
  source: string;
  digest: string;
  opens: number;
  plain: boolean;
}

/** `needed`: a cell of wfnb is about to run in a kernel that may not have it, as after *Restart and Run All*; with the
 *  cells that there are, unless that was said just now.
 */
export function stepCells(notebook: Notebook, link: Link, needed: (cells?: CellList) => Promise<void>): StepCells {
  const listeners = new Set<() => void>();
  const texts = new Map<string, Known>();
  let said = '';
  let list: CellList | undefined;
  /** What is on its way to a kernel that may not have wfnb yet: once for all cells that run together. */
  let underWay = '';
  let recording = false;
  let connected = false;
  /** By id, for no longer than one drawing: JupyterLab tells of a change before and while it makes the cells anew. */
  let cells: Map<string, Cell> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function read(id: string, source: string): Known {
    const known = texts.get(id);
    if (known?.source === source) {
      return known;
    }
    const made = { source, digest: digest(source), opens: opened(source), plain: plain(source) };
    texts.set(id, made);
    return made;
  }

  const codeCells = (): Cell[] => notebook.widgets.filter(({ model }) => model.type === 'code');

  function opens({ model }: Cell): number {
    const known = read(model.id, model.sharedModel.getSource());
    const tags: unknown = model.getMetadata('tags');
    const whole = known.plain && (recording || (Array.isArray(tags) && tags.includes(TAG)));
    return known.opens || Number(whole);
  }

  /** What there is now: the kernel is told where that is other than it was. */
  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = notebook.widgets;
    const codes = codeCells();
    const ids = codes.map((cell) => cell.model.id);
    const steps = codes.map(opens);
    const over = all.map((cell, index) => [cell.model.id, cell.model.type === 'code' ? heading(all[index - 1]) : ''] as const);
    const headings = Object.fromEntries(over.filter(([, words]) => words !== ''));
    const there = new Set(ids);
    texts.forEach((_, id) => there.has(id) || texts.delete(id));
    const now = JSON.stringify((list = { ids, steps, headings }));
    if (now !== said) {
      said = now;
      send();
    }
    [...listeners].forEach((f) => f()); // what was drawn meanwhile may show a cell as gone that came back at once
  }

  function send(): void {
    if (list && connected) {
      link.ask('cells', list).catch(() => undefined); // a kernel that is gone needs none
    }
  }

  const later = (): void => void (timer ??= setTimeout(look, PAUSE));
  const soon = (_: unknown, { notebook: of, cell }: { notebook: Notebook; cell: Cell }): void => {
    if (of === notebook) {
      look();
      if (!connected && (MAGIC.test(cell.model.sharedModel.getSource()) || opens(cell))) {
        void needed(said === underWay ? undefined : list).then(() => (underWay = ''));
        underWay = said;
      }
    }
  };
  const begun = (): void => {
    const was = connected;
    connected = writable(link.state);
    if (connected && !was) {
      send();
    }
  };
  const deaf = link.watch(begun);
  const heard = link.on((news) => {
    const now = news.kind === 'gone' ? false : news.head?.recording ?? recording;
    if (now !== recording) {
      recording = now;
      look();
    }
  });
  notebook.modelContentChanged.connect(later);
  notebook.modelChanged.connect(later);
  NotebookActions.executionScheduled.connect(soon);
  later();

  const of = (id: string): Cell | undefined => {
    if (!cells) {
      cells = new Map(codeCells().map((cell) => [cell.model.id, cell]));
      queueMicrotask(() => (cells = null));
    }
    return cells.get(id);
  };
  return {
    opens: (id) => {
      const cell = of(id);
      return cell ? opens(cell) : 0;
    },
    digest: (id) => {
      const cell = of(id);
      return cell && read(id, cell.model.sharedModel.getSource()).digest;
    },
    listen(f) {
      listeners.add(f);
      return () => void listeners.delete(f);
    },
    dispose() {
      clearTimeout(timer);
      deaf();
      heard();
      notebook.modelContentChanged.disconnect(later);
      notebook.modelChanged.disconnect(later);
      NotebookActions.executionScheduled.disconnect(soon);
      listeners.clear();
    },
  };
}

/** The last heading of a Markdown cell. */
function heading(above: Cell | undefined): string {
  return (above?.model.type === 'markdown' && lastHeading(above.model.sharedModel.getSource())) || '';
}
