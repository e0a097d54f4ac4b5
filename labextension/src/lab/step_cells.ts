/** A notebook → its code cells as they stand: how many steps each opens, and what its text is. The kernel is told which
 *  there are, before one runs: so it tells a cell that was moved from one that was copied.
 */

import type { Cell } from '@jupyterlab/cells';
import { NotebookActions } from '@jupyterlab/notebook';
import type { Notebook } from '@jupyterlab/notebook';

import type { Dispose, Link } from '../link';
import { digest } from './digest';
import { opened } from './opens';

const PAUSE = 150;
export interface StepCells {
  /** How many steps the cell opens as it stands; 0 where there is no such code cell. */
  opens(id: string): number;
  /** The digest of its text. */
  digest(id: string): string | undefined;
  /** Told soon after each change of the notebook. */
  listen(f: () => void): Dispose;
  dispose: Dispose;
}

interface Known {
  source: string;
  digest: string;
  opens: number;
}

export function stepCells(notebook: Notebook, link: Link): StepCells {
  const listeners = new Set<() => void>();
  const texts = new Map<string, Known>();
  let said = '';
  let connected = false;
  /** By id, until the notebook changes. */
  let cells: Map<string, Cell> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function read(id: string, source: string): Known {
    const known = texts.get(id);
    if (known?.source === source) {
      return known;
    }
    const made = { source, digest: digest(source), opens: opened(source) };
    texts.set(id, made);
    return made;
  }

  /** What there is now: the kernel is told where that is other than it was. */
  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    const codes = notebook.widgets.filter((cell) => cell.model.type === 'code');
    const ids = codes.map((cell) => cell.model.id);
    const steps = codes.map((cell) => read(cell.model.id, cell.model.sharedModel.getSource()).opens);
    const there = new Set(ids);
    [...texts.keys()].filter((id) => !there.has(id)).forEach((id) => texts.delete(id));
    const now = JSON.stringify([ids, steps]);
    if (now !== said) {
      said = now;
      send();
    }
    [...listeners].forEach((f) => f()); // what was drawn meanwhile may show a cell as gone that came back at once
  }

  function send(): void {
    if (said !== '' && connected) {
      const [ids, steps] = JSON.parse(said) as [string[], number[]];
      link.ask('cells', { ids, steps }).catch(() => undefined); // a kernel that is gone needs none
    }
  }

  const later = (): void => {
    cells = null;
    timer ??= setTimeout(look, PAUSE);
  };
  const soon = (_: unknown, { notebook: of }: { notebook: Notebook }): void => {
    if (of === notebook) {
      look();
    }
  };
  const begun = (): void => {
    const was = connected;
    connected = link.state === 'live' || link.state === 'busy';
    if (connected && !was) {
      send();
    }
  };
  const deaf = link.watch(begun);
  notebook.modelContentChanged.connect(later);
  notebook.modelChanged.connect(later);
  NotebookActions.executionScheduled.connect(soon);
  later();

  const of = (id: string): Cell | undefined => {
    cells ??= new Map(notebook.widgets.map((cell) => [cell.model.id, cell]));
    return cells.get(id);
  };
  return {
    opens: (id) => {
      const cell = of(id);
      return cell?.model.type === 'code' ? read(id, cell.model.sharedModel.getSource()).opens : 0;
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
      timer = setTimeout(() => undefined);
      deaf();
      notebook.modelContentChanged.disconnect(later);
      notebook.modelChanged.disconnect(later);
      NotebookActions.executionScheduled.disconnect(soon);
      listeners.clear();
    },
  };
}
