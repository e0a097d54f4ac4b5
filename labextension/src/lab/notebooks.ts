/** Each open notebook with what belongs to it: its link, its steps by cell, its badges. Gone when it is closed. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';

import type { Host } from '../view_host';
import { sentence, writable } from '../link';
import type { Dispose, Link } from '../link';
import type { Showing } from '../protocol';
import { __ } from '../translation';
import { badges } from './step_badges';
import { showEnds } from './run_output_update';
import { recordedCells } from './recorded_cells';
import type { RecordedCells } from './recorded_cells';
import { connection } from './connection';
import { history } from './history_link';
import { host, report, say } from './panel_host';
import { identity, namedSession } from './notebook_identity';
import { journal } from './server_journal';
import type { Where } from './server_journal';
import { load, order } from './load_extension';
import type { Choice } from './search_dialog';
import { standing } from './notebook_notices';
import { addOutput } from './panel_output';
import { stepCells } from './step_cells';

export interface Opened {
  panel: NotebookPanel;
  link: Link;
  /** Somebody looks here now. */
  looked(): void;
  cells: RecordedCells;
  host: Required<Host>;
  showBadges(): void;
}

export interface Notebooks {
  /** The one that a person works in, or worked in last. */
  current(): Opened | null;
  of(panel: NotebookPanel): Opened;
  all(): Opened[];
}

/** How long a kernel into which wfnb was loaded may take to answer. */
const LOAD_TIMEOUT = 20_000;

export interface Wishes {
  badges(): boolean;
  /** Load wfnb by itself into a kernel that starts in a notebook with a history. */
  autoLoad(): boolean;
}

/** `open` shows a step of a notebook in the panel; `lead` opens a notebook, and does that. */
export function notebooks(
  tracker: INotebookTracker,
  wishes: Wishes,
  open: (opened: Opened, key: number) => void,
  lead: (choice: Choice) => void,
): Notebooks {
  const opened = new Map<NotebookPanel, Opened>();

  function of(panel: NotebookPanel): Opened {
    const known = opened.get(panel);
    if (known) {
      return known;
    }
    panel.sessionContext.statusChanged.connect(addOutput(panel.content.rendermime));
    const kernel = connection(panel.sessionContext);
    const stands = standing();
    const forget = identity(panel, kernel, stands);
    const seen = (): boolean => panel.isVisible && !document.hidden;
    const past = journal(() => where(panel));
    const link = history(kernel, past, seen, (now) => stands.say(now));
    const steps = recordedCells(link);
    const unshow = showEnds(panel.content, link);
    const texts = stepCells(panel.content, kernel, (cells) => {
      const there = panel.sessionContext.session?.kernel;
      return report(there && order(there, cells));
    });
    const shown = badges({
      notebook: panel.content, cells: steps, texts, wanted: wishes.badges, open: (key) => open(made, key),
    });

    /** Whether wfnb is there now. A person is told why not. */
    async function loaded(start: boolean): Promise<boolean> {
      const fault = await load(panel.sessionContext, start).catch((reason: unknown) => String(reason));
      if (fault === '') {
        kernel.reach();
      }
      const says = fault || ((await lives(kernel)) ? '' : __('wfnb is loaded, and the kernel does not answer yet.'));
      if (says) {
        say(says);
      }
      return says === '';
    }
    const deeds = {
      load: () => loaded(true),
      figure: ({ key, figures = [] }: Showing, place: number) => past.figure(key, figures[place] ?? ''),
      searchAll: (words: string) => void import('./lazy_commands').then(({ search }) => search(past.search, words)).then((choice) => choice && lead(choice)),
      start: async () => (writable(link.state) || (await loaded(true))) && begun(link),
    };
    const quiet = byItself(kernel, panel, () => wishes.autoLoad() && where(panel).session !== null, () => loaded(false));
    const looked = (): void => kernel.looked();
    const made: Opened = {
      panel, link, looked, cells: steps, host: host(panel, steps, texts, link, stands, deeds), showBadges: shown.show,
    };
    opened.set(panel, made);
    panel.disposed.connect(() => {
      opened.delete(panel);
      forget();
      quiet();
      shown.dispose();
      unshow();
      texts.dispose();
      steps.dispose();
      link.dispose();
      kernel.dispose();
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

/** Where the notebook is on the server, and the session that its metadata name. */
function where({ context }: NotebookPanel): Where {
  return { path: context.localPath, session: namedSession(context) };
}

async function lives(link: Link): Promise<boolean> {
  if (writable(link.state)) {
    return true;
  }
  let undo: Dispose = () => undefined;
  const live = new Promise<boolean>((done) => {
    undo = link.watch((state) => writable(state) && done(true));
    setTimeout(() => done(false), LOAD_TIMEOUT);
  });
  return live.finally(undo);
}

/** The session of the notebook is in use from here on; where there was none, it begins. */
async function begun(link: Link): Promise<boolean> {
  try {
    await link.ask('open', {});
    return true;
  } catch (reason) {
    say(sentence(reason));
    return false;
  }
}

/** Once for each kernel that starts in the notebook: where it has no wfnb and is `wished` to have it. */
function byItself(kernel: Link, panel: NotebookPanel, wished: () => boolean, act: () => Promise<boolean>): Dispose {
  const { sessionContext } = panel;
  let starts = true;
  const began = (): void => void (starts = true);
  const status = (_: unknown, now: string): void => {
    starts ||= now === 'restarting' || now === 'autorestarting' || now === 'starting';
  };
  sessionContext.kernelChanged.connect(began);
  sessionContext.statusChanged.connect(status);
  const deaf = kernel.on((told) => {
    if (told.kind === 'gone' && kernel.state === 'gone' && starts && sessionContext.session?.kernel) {
      starts = false;
      void panel.context.ready.then(() => wished() && act());
    } else if (told.kind !== 'gone') {
      starts = false;
    }
  });
  return () => {
    deaf();
    sessionContext.kernelChanged.disconnect(began);
    sessionContext.statusChanged.disconnect(status);
  };
}
