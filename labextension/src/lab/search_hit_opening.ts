/** A hit of a search → its notebook opened, its step in the panel, and its cell in sight. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import { NotebookPanel } from '@jupyterlab/notebook';

import { say } from './panel_host';
import type { Notebooks, Opened } from './notebooks';
import type { Choice } from './search_dialog';
import { __ } from '../translation';

/** How long a notebook that was opened may take to say which session it goes on with. */
const SESSION_TIMEOUT = 20_000;

export async function lead(
  { commands }: JupyterFrontEnd,
  notebooks: Notebooks,
  show: (opened: Opened, key: number) => void,
  { session, hit, path }: Choice,
): Promise<void> {
  const widget: unknown = await commands.execute('docmanager:open', { path });
  if (!(widget instanceof NotebookPanel) || hit.key === null) {
    return; // Notebook 7 opens it in a page of its own
  }
  const opened = notebooks.of(widget);
  await widget.context.ready;
  const now = await sessionOf(opened);
  if (widget.isDisposed) {
    return;
  }
  if (now !== session.session) {
    const back = `%wfnb resume ${session.session}`;
    return say(
      now === null
        ? __('%1 shows no session yet; the step is in %2: %3', path, session.session, back)
        : __('%1 goes on with session %2; the step is in %3: %4', path, now, session.session, back),
    );
  }
  show(opened, hit.key);
  if (hit.cell_id !== undefined) {
    opened.host.goToCell(hit.cell_id, hit.part ?? 0);
  }
}

/** The session that the notebook shows, as soon as that is known. */
async function sessionOf({ cells }: Opened): Promise<string | null> {
  for (const end = Date.now() + SESSION_TIMEOUT; cells.head === null && Date.now() < end; ) {
    await new Promise<void>((done) => {
      const timer = setTimeout(() => (deaf(), done()), end - Date.now());
      const deaf = cells.listen(() => (clearTimeout(timer), deaf(), done()));
    });
  }
  return cells.head?.session ?? null;
}
