/** A notebook's kernels, one after the other → one link. It finds wfnb where it is loaded already, notices when it is
 *  loaded later, and connects again after a restart, a change of kernel, or a lost connection.
 */

import type { ISessionContext } from '@jupyterlab/apputils';
import { KernelMessage } from '@jupyterlab/services';
import type { Kernel } from '@jupyterlab/services';
import type { JSONObject, JSONValue } from '@lumino/coreutils';

import { Refused } from '../link';
import type { Dispose, Link, LinkState } from '../link';
import type { Ask, Asks, Gone, Reply, News } from '../protocol';
import { __ } from '../translation';
import { HELLO, openComms } from './comms';
import type { CommPair, CommEvents } from './comms';
import { executing } from './cell_execution';
import type { Executing } from './cell_execution';

const NOT_LOADED = 'wfnb is not loaded in this kernel. Run %load_ext wfnb.';
const noKernel = (): string => __('This notebook has no kernel. Choose one to see its session.');
const connectionLost = (): string => __('The kernel did not answer: the connection was lost.');

/** Milliseconds after which an answer that an idle kernel did not give was lost on its way. */
const ANSWER_TIMEOUT = 20_000;

/** Read after the cells that were sent before: what they say, ask or change is of the notebook as those leave it. */
const IN_TURN: ReadonlySet<Ask> = new Set<Ask>(['cells', 'next_stale', 'restore']);

interface Waiting {
  done(answer: unknown): void;
  failed(reason: Error): void;
}

export interface Connection extends Link {
  /** Somebody looks here now: the kernel, which lets go of those nobody looks at, hears of it. */
  looked(): void;
  /** wfnb was loaded just now: connect, unless that is under way. */
  reach(): void;
  dispose: Dispose;
}

export function connection(context: ISessionContext): Connection {
  const listeners = new Set<(told: News) => void>();
  const watchers = new Set<(state: LinkState) => void>();
  const waiting = new Map<number, Waiting>();
  let kernel: Kernel.IKernelConnection | null = null;
  let cells: Executing | null = null;
  let comms: CommPair | null = null;
  /** Which attempt to connect is the newest: one that comes late is dropped. */
  let attempt = 0;
  let asked = 0;
  let reached: 'connecting' | 'live' | 'lost' | 'gone' = 'connecting';
  let shown: LinkState = 'connecting';
  /** Why there is nothing, for whoever begins to listen after it was told. */
  let nothing: Gone | null = null;

  function show(): void {
    const now = reached === 'live' && cells?.now() ? 'busy' : reached;
    if (now !== shown) {
      shown = now;
      [...watchers].forEach((f) => f(now));
    }
  }

  function tell(told: News): void {
    nothing = told.kind === 'gone' ? told : null;
    [...listeners].forEach((f) => f(told));
  }

  /** Nothing that was asked is answered any more. */
  function fail(): void {
    const lost = [...waiting.values()];
    waiting.clear();
    lost.forEach((each) => each.failed(new Error(connectionLost())));
  }

  function disconnect(leaves = false): void {
    attempt += 1;
    comms?.close(leaves);
    comms = null;
    fail();
    reached = 'connecting';
    show();
  }

  function gone(says: string, over = false): void {
    disconnect();
    reached = 'gone';
    show();
    tell({ kind: 'gone', says, over });
  }

  /** The kernel let go of this one. It said why; or it heard nothing from here for long (a page sleeps), and is told
   *  that there is somebody.
   */
  function parted(from: Kernel.IKernelConnection): void {
    if (reached === 'live' && !nothing?.over) {
      tryTo(from);
    } else {
      gone(nothing?.over ? nothing.says : NOT_LOADED, true);
    }
  }

  function replied(data: JSONValue): void {
    const reply = data as unknown as Reply;
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) {
      one?.failed(new Refused(reply.error, reply.says, reply.calls));
    } else {
      one?.done(reply.answer);
    }
  }

  /** Connect to the kernel; `surely` where it has just said that wfnb is there. */
  async function connect(to: Kernel.IKernelConnection, surely = false): Promise<void> {
    disconnect();
    const mine = attempt;
    const wanted = (): boolean => mine === attempt;
    const events: CommEvents = {
      show: (data) => {
        if (wanted()) {
          reached = 'live';
          show();
          tell(data as unknown as News);
        }
      },
      replied,
      closed: () => wanted() && parted(to),
    };
    const made = await openComms(to, surely, events, wanted);
    if (mine !== attempt) {
      return made?.close();
    }
    if (made === null) {
      return gone(NOT_LOADED);
    }
    comms = made;
  }

  const looked = (): void => {
    if (comms) {
      comms.live();
    } else if (kernel && nothing?.over && !restarting && kernel.connectionStatus === 'connected') {
      tryTo(kernel);
    }
  };

  const tryTo = (to: Kernel.IKernelConnection, surely = false): void => {
    connect(to, surely).catch(() => to === kernel && gone(connectionLost()));
  };

  /** Heard of where JupyterLab handles no comms, too: for the second notebook of a kernel it does not. */
  const greeted = (of: Kernel.IKernelConnection, message: KernelMessage.IIOPubMessage): void => {
    if (KernelMessage.isCommOpenMsg(message) && message.content.target_name === HELLO && of === kernel) {
      tryTo(of, true);
    }
  };
  /** Else JupyterLab would close it, as one that nobody knows. */
  const hello = (comm: Kernel.IComm): void => {
    comm.onClose = () => undefined;
  };

  /** Restarts of the kernel, and the way to it. */
  let restarting = false;
  const status = (of: Kernel.IKernelConnection, now: Kernel.Status): void => {
    if (now === 'restarting' || now === 'autorestarting') {
      restarting = true;
      disconnect();
    } else if (now === 'dead') {
      gone(noKernel());
    } else if (restarting && (now === 'idle' || now === 'busy')) {
      restarting = false;
      tryTo(of);
    }
  };
  const way = (of: Kernel.IKernelConnection, now: Kernel.ConnectionStatus): void => {
    if (now === 'connected' && (!comms || reached === 'lost') && !restarting) {
      tryTo(of); // what is left of the comms is taken back in the kernel only now
    } else if (now !== 'connected' && comms && reached === 'live') {
      fail();
      reached = 'lost';
      show();
    }
  };

  function leave(): void {
    disconnect(true);
    cells?.dispose();
    cells = null;
    if (kernel && !kernel.isDisposed) {
      kernel.removeCommTarget(HELLO, hello);
      kernel.iopubMessage.disconnect(greeted);
      kernel.statusChanged.disconnect(status);
      kernel.connectionStatusChanged.disconnect(way);
    }
    kernel = null;
  }

  function follow(): void {
    const next = context.session?.kernel ?? null;
    if (next === kernel) {
      return;
    }
    leave();
    kernel = next;
    if (next === null) {
      return gone(noKernel());
    }
    restarting = false;
    cells = executing(next, show);
    next.registerCommTarget(HELLO, hello);
    next.iopubMessage.connect(greeted);
    next.statusChanged.connect(status);
    next.connectionStatusChanged.connect(way);
    tryTo(next);
  }

  const shut = (): void => disconnect();
  const back = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && kernel) {
      tryTo(kernel);
    }
  };
  window.addEventListener('pagehide', shut);
  window.addEventListener('pageshow', back);
  context.disposed.connect(leave); // while its kernel can still be told
  context.kernelChanged.connect(follow);
  context.ready.then(
    () => (context.session?.kernel ? follow() : gone(noKernel())),
    () => undefined,
  );
  follow();

  return {
    get state() {
      return shown;
    },
    ask<K extends Ask>(word: K, args: Asks[K][0]): Promise<Asks[K][1]> {
      if (comms === null || reached === 'lost') {
        return Promise.reject(new Error(nothing?.says ?? connectionLost()));
      }
      const id = (asked += 1);
      const answer = new Promise<unknown>((done, failed) => waiting.set(id, { done, failed }));
      comms.send({ ...args, id, ask: word } as JSONObject, IN_TURN.has(word));
      const late = (): void => {
        if (shown === 'live') {
          waiting.get(id)?.failed(new Error(__('The kernel did not answer.')));
          waiting.delete(id);
        } else if (waiting.has(id)) {
          setTimeout(late, ANSWER_TIMEOUT);
        }
      };
      setTimeout(late, ANSWER_TIMEOUT);
      return answer as Promise<Asks[K][1]>;
    },
    on(f) {
      listeners.add(f);
      const before = nothing;
      if (before) {
        queueMicrotask(() => before === nothing && listeners.has(f) && f(before));
      }
      return () => void listeners.delete(f);
    },
    watch(f) {
      watchers.add(f);
      return () => void watchers.delete(f);
    },
    looked,
    reach() {
      if (kernel && reached === 'gone') {
        tryTo(kernel);
      }
    },
    dispose() {
      window.removeEventListener('pagehide', shut);
      window.removeEventListener('pageshow', back);
      context.disposed.disconnect(leave);
      context.kernelChanged.disconnect(follow);
      leave();
      listeners.clear();
      watchers.clear();
    },
  };
}
