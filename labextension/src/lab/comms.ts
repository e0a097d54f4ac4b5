/** One kernel → its pair of comms: what it tells on one, what it is asked on the other. Cells never write to the
 *  other, so that it is read in the middle of one wherever the kernel can do that.
 *
 *  They are made of plain messages: JupyterLab's own comms are for the first notebook of a kernel alone, and the panels
 *  of all of them are to be told.
 */

import { KernelMessage } from '@jupyterlab/services';
import type { Kernel } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import type { JSONObject, JSONValue } from '@lumino/coreutils';

import { endThread, makeThread, post, postClose, postOpen, targets } from './subshell';
import type { Comm } from './subshell';

export const STATE = 'wfnb.state';
export const CONTROL = 'wfnb.control';
/** Open, from the kernel, for as long as wfnb is loaded there. */
export const HELLO = 'wfnb.hello';

export interface CommEvents {
  show(data: JSONValue): void;
  replied(data: JSONValue): void;
  /** The kernel closed one of the two: there is nobody there any more. */
  closed(): void;
}

export interface CommPair {
  /** `inTurn`: read after the cells that were sent before it, and before those sent after it. */
  send(data: JSONObject, inTurn?: boolean): void;
  /** Say that there is somebody here. */
  live(): void;
  /** `leaves`: for good. */
  close(leaves?: boolean): void;
}

/** The ways to kernels on which comms are open. */
const ways = new Set<Kernel.IKernelConnection>();

/** How to part from a kernel: where another notebook has it, too, by that one's way, for the server drops what was sent
 *  last on a way that is closed before others are.
 */
function wayOut(kernel: Kernel.IKernelConnection): Kernel.IKernelConnection {
  return [...ways].find((other) => other !== kernel && other.id === kernel.id && !other.isDisposed) ?? kernel;
}

/** Open both. `events` get whatever comes, until `close`. Null where wfnb is not loaded, or nobody wants it now. */
export async function openComms(
  kernel: Kernel.IKernelConnection,
  surely: boolean,
  events: CommEvents,
  wanted: () => boolean,
): Promise<CommPair | null> {
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
  const state: Comm = { commId: UUID.uuid4(), targetName: STATE };
  const control: Comm = { commId: UUID.uuid4(), targetName: CONTROL };
  const comms = [state, control];
  let open = true;

  const end = (): void => {
    open = false;
    ways.delete(kernel);
    kernel.iopubMessage.disconnect(hear);
    endThread(wayOut(kernel), thread);
  };
  const live = (): void => post(kernel, thread, state, {});
  function hear(_: unknown, message: KernelMessage.IIOPubMessage): void {
    const { comm_id, data } = message.content as { comm_id?: string; data?: JSONValue };
    const comm = open && comms.find(({ commId }) => commId === comm_id);
    if (!comm) {
      return;
    }
    if (KernelMessage.isCommCloseMsg(message)) {
      end();
      events.closed();
    } else if (KernelMessage.isCommMsgMsg(message) && data !== undefined) {
      if ((data as { kind?: unknown }).kind === 'ping') {
        live();
      } else {
        (comm === state ? events.show : events.replied)(data);
      }
    }
  }
  ways.add(kernel);
  kernel.iopubMessage.connect(hear);
  postOpen(kernel, thread, control, { state: state.commId });
  postOpen(kernel, thread, state, { control: control.commId });
  return {
    send: (data, inTurn = false) => post(kernel, inTurn ? null : thread, control, data),
    live,
    close(leaves = false) {
      if (open && !kernel.isDisposed && kernel.status !== 'dead') {
        comms.forEach((comm) => postClose(wayOut(kernel), comm, leaves));
      }
      end();
    },
  };
}
