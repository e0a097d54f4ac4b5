/** A notebook → wfnb in its kernel: loaded without a cell, for a person, a setting or a cell that wants it. */

import { SessionContextDialogs } from '@jupyterlab/apputils';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { JSONObject } from '@lumino/coreutils';

import type { Asks } from '../protocol';
import { __ } from '../translation';

/** IPython does not keep it as loaded: a cell's own `%load_ext` after it would say that it is loaded already. */
const CODE = "__import__('wfnb').load_ipython_extension(get_ipython())";
const INSTALL = '`%pip install wfnb`';

/** Nothing where it went well, else why not, in a sentence. A kernel is started where there is none. */
export async function load(context: ISessionContext, start = true): Promise<string> {
  const kernel = await running(context, start);
  if (!kernel) {
    return __('No kernel was started: wfnb is not loaded.');
  }
  if (kernel.connectionStatus === 'disconnected') {
    return __('The kernel did not answer: the connection was lost.');
  }
  const { language_info } = await kernel.info;
  if (language_info.name !== 'python') {
    return __('wfnb runs in kernels of Python: this one is of %1.', language_info.name);
  }
  return (await order(kernel)) ?? __('The kernel did not answer.');
}

/** Sent at once: what is sent next finds wfnb there, which knows the cells as they are now. The file may hold those of
 *  before. Null where the kernel did not come to it.
 */
export async function order(kernel: Kernel.IKernelConnection, wfnbCells?: Asks['cells'][0]): Promise<string | null> {
  const content = { code: CODE, silent: true, store_history: false, allow_stdin: false };
  const future = kernel.requestExecute(content, true, { wfnbCells } as JSONObject);
  const reply = (await future.done) as KernelMessage.IExecuteReplyMsg | undefined;
  const said = reply?.content;
  if (said?.status === 'error') {
    return said.ename === 'ModuleNotFoundError'
      ? __('wfnb is not installed where this kernel runs. %1 in a cell installs it, then load it again.', INSTALL)
      : __('wfnb was not loaded: %1', said.evalue);
  }
  return said?.status === 'ok' ? '' : null;
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
