/** A notebook's path and metadata ⇄ the kernel: which session is the notebook's own.
 *
 *  The kernel is told where the notebook is, and which session its metadata name: when it connects, and when the file is
 *  renamed or moved. Its answer is the session in use. Where that is another one, it is written into the metadata. This is
 *  the only change that is made to a notebook, and it is made once for each session that comes into use.
 */

import { PageConfig } from '@jupyterlab/coreutils';
import type { NotebookPanel } from '@jupyterlab/notebook';

import type { Dispose, Link } from '../link';
import type { Standing } from './notebook_notices';

const KEY = 'wfnb';

function metadata({ model }: NotebookPanel['context']): Record<string, unknown> {
  const value: unknown = model.getMetadata(KEY);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The session that the notebook's metadata name. */
export function namedSession(context: NotebookPanel['context']): string | null {
  const { session } = metadata(context);
  return typeof session === 'string' && session !== '' && session.length <= 300 ? session : null;
}

export function identity(panel: NotebookPanel, link: Link, standing: Standing): Dispose {
  const { context } = panel;
  /** Files that steps name and that are no notebook which the kernel knows, as far as it was asked. */
  let unknown = new Set<string>();

  async function tell(): Promise<void> {
    await context.ready;
    if (panel.isDisposed) {
      return;
    }
    const { session, ...beside } = await link.ask('notebook', {
      path: context.localPath,
      root: PageConfig.getOption('serverRoot'),
      session: namedSession(context),
    });
    standing.say(beside);
    if (session !== null && session !== namedSession(context) && !panel.isDisposed) {
      context.model.setMetadata(KEY, { ...metadata(context), session });
    }
  }

  // a kernel that went away is told again when it is back
  const say = (): void => void tell().catch(() => undefined);
  const deaf = link.on((told) => {
    const rows = told.kind === 'gone' ? [] : (told.rows ?? []);
    const files = rows.flatMap(({ notebook }) => (notebook === undefined ? [] : [notebook]));
    const news = files.filter((file) => !unknown.has(file) && !standing.others.includes(file));
    unknown = new Set([...unknown, ...news]);
    if (told.kind !== 'delta' || news.length > 0) {
      say();
    }
  });
  context.pathChanged.connect(say);
  return () => {
    deaf();
    context.pathChanged.disconnect(say);
  };
}
