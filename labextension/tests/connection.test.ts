/** A request whose answer was lost on its way is told as not answered, as soon as the kernel is at rest. */

import { afterEach, expect, test, vi } from 'vitest';

import type { CommEvents } from '../src/lab/comms';

const kernel = vi.hoisted(() => ({ events: null as CommEvents | null, sent: [] as object[] }));

vi.mock('../src/lab/comms', () => ({
  HELLO: 'wfnb.hello',
  openComms: async (_kernel: unknown, _surely: boolean, events: CommEvents) => {
    kernel.events = events;
    return { send: (data: object) => kernel.sent.push(data), live: () => undefined, close: () => undefined };
  },
}));

import { connection } from '../src/lab/connection';
import { picture } from './fake';

afterEach(() => void vi.useRealTimers());

const signal = (): object => ({ connect: () => undefined, disconnect: () => undefined });

function fakeKernel(): { status(now: string): void; of: object } {
  const heard: ((_: unknown, args: object) => void)[] = [];
  const of = {
    status: 'idle', connectionStatus: 'connected', isDisposed: false, registerCommTarget: () => undefined,
    removeCommTarget: () => undefined, iopubMessage: signal(), statusChanged: signal(), connectionStatusChanged: signal(),
    anyMessage: { connect: (f: (typeof heard)[0]) => heard.push(f), disconnect: () => undefined },
  };
  const status = (execution_state: string): void => {
    const msg = { header: { msg_type: 'status' }, parent_header: { msg_type: 'execute_request' }, content: { execution_state } };
    heard.forEach((f) => f(null, { msg, direction: 'recv' }));
  };
  return { of, status };
}

test('an answer that does not come is waited for while a cell runs, and not for ever', async () => {
  vi.useFakeTimers();
  const { of, status } = fakeKernel();
  const context = { session: { kernel: of }, ready: Promise.resolve(), disposed: signal(), kernelChanged: signal() };
  const link = connection(context as never);
  await vi.advanceTimersByTimeAsync(0);
  kernel.events?.show(picture([]) as never);
  status('busy');
  let said = '';

  link.ask('snapshot', {}).catch((reason: Error) => (said = reason.message));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([link.state, said]).toEqual(['busy', '']);
  status('idle');
  await vi.advanceTimersByTimeAsync(60_000);

  expect([link.state, said]).toEqual(['live', 'The kernel did not answer.']);
  link.dispose();
});
