/** Each open notebook with what belongs to it: its link, its steps by cell, its badges. Gone when it is closed. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';

import type { Host } from '../host';
import { badges } from './badges';
import { cells } from './cells';
import type { Cells } from './cells';
import { connection } from './connection';
import type { Connection } from './connection';
import { host } from './host';
import { addOutput } from './output';

export interface Opened {
  panel: NotebookPanel;
  link: Connection;
  cells: Cells;
  host: Required<Host>;
  showBadges(): void;
}

export interface Notebooks {
  /** The one that a person works in, or worked in last. */
  current(): Opened | null;
  of(panel: NotebookPanel): Opened;
  all(): Opened[];
}

export function notebooks(tracker: INotebookTracker, badgesWanted: () => boolean): Notebooks {
  const opened = new Map<NotebookPanel, Opened>();

  function of(panel: NotebookPanel): Opened {
    const known = opened.get(panel);
    if (known) {
      return known;
    }
    panel.sessionContext.statusChanged.connect(addOutput(panel.content.rendermime));
    const link = connection(panel.sessionContext);
    const steps = cells(link);
    const shown = badges(panel.content, steps, badgesWanted);
    const made = { panel, link, cells: steps, host: host(panel, steps), showBadges: shown.show };
    opened.set(panel, made);
    panel.disposed.connect(() => {
      opened.delete(panel);
      shown.dispose();
      steps.dispose();
      link.dispose();
    });
    return made;
  }

  tracker.forEach((panel) => void of(panel));
  tracker.widgetAdded.connect((_, panel) => void of(panel));
  return {
    current: () => (tracker.currentWidget ? of(tracker.currentWidget) : null),
    of,
    all: () => [...opened.values()],
  };
}
