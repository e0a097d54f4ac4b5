/** A notebook → wfnb in its kernel: loaded without a cell, for a person or a setting that wants it. */

import { SessionContextDialogs } from '@jupyterlab/apputils';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { __ } from '../words';

const CODE = '%load_ext wfnb';
const INSTALL = '`%pip install wfnb`';

/** Nothing where it went well, else why not, in a sentence. A kernel is started where there is none. */
export async function load(context: ISessionContext, start = true): Promise<string> {
  const kernel = await running(context, start);
  if (!kernel) {
    return __('No kernel was started: wfnb is not loaded.');
  }
  if (kernel.connectionStatus === 'disconnected') {
    return __('There is no connection to the kernel: wfnb is not loaded.');
  }
  const { language_info } = await kernel.info;
  if (language_info.name !== 'python') {
    return __('wfnb runs in kernels of Python: this one is of %1.', language_info.name);
  }
  const future = kernel.requestExecute({ code: CODE, silent: true, store_history: false, allow_stdin: false });
  const reply = (await future.done) as KernelMessage.IExecuteReplyMsg | undefined;
  const said = reply?.content;
  if (said?.status === 'error') {
    return said.ename === 'ModuleNotFoundError'
      ? __('wfnb is not installed where this kernel runs. %1 in a cell installs it, then load it again.', INSTALL)
      : __('wfnb was not loaded: %1', said.evalue);
  }
  return said?.status === 'ok' ? '' : __('wfnb was not loaded: the kernel was stopped.');
}

async function running(context: ISessionContext, start: boolean): Promise<Kernel.IKernelConnection | null> {
  const there = context.session?.kernel ?? null;
  if ((there && there.status !== 'dead') || !start) {
    return there;
  }
  const { name } = context.kernelPreference;
  if (there) {
    await context.restartKernel(); // it is dead: there is nothing to lose
  } else if (name && context.specsManager.specs?.kernelspecs[name]) {
    await context.changeKernel({ name }); // the notebook's own
  } else {
    await new SessionContextDialogs().selectKernel(context);
  }
  return context.session?.kernel ?? null;
}
