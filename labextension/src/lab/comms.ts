/** One kernel → its pair of comms: what it tells on one, what it is asked on the other. Cells never write to the
 *  other, so that it is read in the middle of one wherever the kernel can do that.
 */

import { CommsOverSubshells } from '@jupyterlab/services';
import type { Kernel } from '@jupyterlab/services';
import type { JSONObject, JSONValue } from '@lumino/coreutils';

import { endThread, makeThread, post, postOpen, targets } from './thread';

export const STATE = 'wfnb.state';
export const CONTROL = 'wfnb.control';
/** Open, from the kernel, for as long as wfnb is loaded there. */
export const HELLO = 'wfnb.hello';

export interface Ears {
  told(data: JSONValue): void;
  replied(data: JSONValue): void;
  /** The kernel closed one of the two: there is nobody there any more. */
  closed(): void;
}

export interface Call {
  send(data: JSONObject): void;
  /** Say that there is somebody here. */
  live(): void;
  hangUp(): void;
}

/** Open both. The ears hear whatever comes, until `hangUp`. Null where wfnb is not loaded, or nobody wants it now. */
export async function dial(
  kernel: Kernel.IKernelConnection,
  surely: boolean,
  ears: Ears,
  wanted: () => boolean,
): Promise<Call | null> {
  const known = surely ? [HELLO] : kernel.status === 'busy' ? null : await targets(kernel, null);
  if (known && !known.includes(HELLO)) {
    return null;
  }
  const thread = await makeThread(kernel);
  if (known === null && thread !== null && !((await targets(kernel, thread)) ?? [HELLO]).includes(HELLO)) {
    endThread(kernel, thread);
    return null;
  }
  if (kernel.isDisposed || !wanted()) {
    endThread(kernel, thread);
    return null;
  }
  const state = kernel.createComm(STATE);
  const control = kernel.createComm(CONTROL);
  const comms = [state, control];
  let open = true;

  const end = (how: (comm: Kernel.IComm) => void): void => {
    open = false;
    comms.filter((comm) => !comm.isDisposed && !kernel.isDisposed).forEach(how);
    endThread(kernel, thread);
  };
  const live = (): void => post(kernel, thread, state, {});
  const closed = (): void => {
    if (open) {
      end((comm) => comm.dispose());
      ears.closed();
    }
  };
  for (const comm of comms) {
    comm.commsOverSubshells = CommsOverSubshells.Disabled;
    comm.onClose = closed;
    comm.onMsg = ({ content }) => {
      if (open && (content.data as { kind?: unknown }).kind === 'ping') {
        live();
      } else if (open) {
        (comm === state ? ears.told : ears.replied)(content.data);
      }
    };
  }
  postOpen(kernel, thread, control, { state: state.commId });
  postOpen(kernel, thread, state, { control: control.commId });
  return { send: (data) => post(kernel, thread, control, data), live, hangUp: () => end((comm) => comm.close()) };
}
