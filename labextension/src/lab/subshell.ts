/** A kernel → a thread of it (a subshell) that answers while a cell runs, where it can make one; and messages to it.
 *  JupyterLab makes such threads too, but not when the page was loaded in the middle of a cell: it asks first what the
 *  kernel can do, and that waits for the end of the cell.
 */

import { KernelMessage } from '@jupyterlab/services';
import type { Kernel } from '@jupyterlab/services';
import type { JSONObject } from '@lumino/coreutils';

/** How long a kernel may take to answer what needs no waiting; then it counts as busy, or as not able to. */
const ANSWER_TIMEOUT = 2_000;

/** Null where the kernel has no threads: what is asked then waits for the cell that runs. */
export type Thread = string | null;

/** A comm, as both ends know it. */
export interface Comm {
  commId: string;
  targetName: string;
}

export async function makeThread(kernel: Kernel.IKernelConnection): Promise<Thread> {
  const known = await soon(kernel.info);
  if (known && !kernel.supportsSubshells) {
    return null;
  }
  const request = KernelMessage.createMessage<KernelMessage.ICreateSubshellRequestMsg>({
    session: kernel.clientId,
    username: kernel.username,
    channel: 'control',
    msgType: 'create_subshell_request',
    content: {},
  });
  const reply = await soon(kernel.sendControlMessage(request, true).done);
  return (reply as KernelMessage.ICreateSubshellReplyMsg | null)?.content.subshell_id ?? null;
}

export function endThread(kernel: Kernel.IKernelConnection, thread: Thread): void {
  if (thread !== null && !kernel.isDisposed && kernel.supportsSubshells && kernel.connectionStatus === 'connected') {
    kernel.requestDeleteSubshell({ subshell_id: thread }).done.catch(() => undefined);
  }
}

export function postOpen(kernel: Kernel.IKernelConnection, thread: Thread, comm: Comm, data: JSONObject): void {
  kernel.sendShellMessage(made(kernel, thread, 'comm_open', { comm_id: comm.commId, target_name: comm.targetName, data }), false, true);
}

export function post(kernel: Kernel.IKernelConnection, thread: Thread, comm: Comm, data: JSONObject): void {
  kernel.sendShellMessage(made(kernel, thread, 'comm_msg', { comm_id: comm.commId, data }), false, true);
}

/** `leaves`: the notebook is closed, or has another kernel; else its page is loaded again, or may come back. */
export function postClose(kernel: Kernel.IKernelConnection, comm: Comm, leaves: boolean): void {
  kernel.sendShellMessage(made(kernel, null, 'comm_close', { comm_id: comm.commId, data: { leaves } }), false, true);
}

/** The targets of the comms that the kernel has; null where it had no time to say. */
export async function targets(kernel: Kernel.IKernelConnection, thread: Thread): Promise<string[] | null> {
  const reply = await soon(kernel.sendShellMessage(made(kernel, thread, 'comm_info_request', {}), true).done);
  const content = (reply as KernelMessage.ICommInfoReplyMsg | null)?.content;
  return content?.status === 'ok' ? Object.values(content.comms).map((comm) => comm.target_name) : null;
}

/** For that thread of the kernel. */
function made(kernel: Kernel.IKernelConnection, thread: Thread, msgType: KernelMessage.ShellMessageType, content: object): KernelMessage.IShellMessage {
  const options = { session: kernel.clientId, username: kernel.username, subshellId: thread, channel: 'shell', msgType, content };
  return KernelMessage.createMessage(options as KernelMessage.IOptions<KernelMessage.ICommMsgMsg<'shell'>>);
}

/** The answer, where it comes within that time and is none of an error; else null. */
export async function soon<T>(answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((done) => (timer = setTimeout(() => done(null), ANSWER_TIMEOUT)));
  const found = await Promise.race([answer.catch(() => null), late]);
  clearTimeout(timer);
  return found;
}
