/** A kernel's messages → whether it runs a cell now. Its own status does not say so: a request that another of its
 *  threads answers makes it "idle" in the middle of a cell. Nothing that a cell asked for is waited for after its end.
 */

import type { Kernel, KernelMessage } from '@jupyterlab/services';

import type { Dispose } from '../link';

export interface Executing {
  now(): boolean;
  dispose: Dispose;
}

export function executing(kernel: Kernel.IKernelConnection, changed: () => void): Executing {
  let runs = kernel.status === 'busy';
  const set = (now: boolean): void => {
    if (now !== runs) {
      runs = now;
      changed();
    }
  };
  const heard = (_: unknown, { msg, direction }: Kernel.IAnyMessageArgs): void => {
    const parent = msg.parent_header as Partial<KernelMessage.IHeader>;
    if (direction !== 'recv' || msg.header.msg_type !== 'status') {
      return;
    }
    const busy = (msg as KernelMessage.IStatusMsg).content.execution_state === 'busy';
    if (parent.msg_type === 'execute_request') {
      set(busy);
      if (!busy && kernel.hasPendingInput) {
        kernel.removeInputGuard(); // it was answered elsewhere, or is over: else no cell would run any more
      }
    } else if (parent.msg_type === 'kernel_info_request' && !busy) {
      set(false); // what JupyterLab asks first waits for a cell that runs: none does now
    }
  };
  kernel.anyMessage.connect(heard);
  return {
    now: () => runs,
    dispose: () => void kernel.anyMessage.disconnect(heard),
  };
}
