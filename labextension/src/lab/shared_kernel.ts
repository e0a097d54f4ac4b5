/** A document whose kernel may be started in another page of it → that kernel, in this page, too. */

import type { ISessionContext } from '@jupyterlab/apputils';

/** Where this page has none, and is not about to start one: JupyterLab ends the first of two that it gets. */
export function joinLater(context: ISessionContext): void {
  let starts = false;
  const { runningChanged } = context.sessionManager;
  const look = (): void => void (starts || join(context).catch(() => undefined));
  context.statusChanged.connect((_, status) => {
    starts = !context.session && status === 'starting';
  });
  runningChanged.connect(look);
  context.disposed.connect(() => runningChanged.disconnect(look));
}

/** The kernel that was started for its file, as far as the page knows. */
export async function join(context: ISessionContext): Promise<void> {
  const found = [...context.sessionManager.running()].find(({ path, kernel }) => path === context.path && kernel);
  if (found?.kernel && context.isReady && !context.session) {
    await context.changeKernel({ id: found.kernel.id });
  }
}
