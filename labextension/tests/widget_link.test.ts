/** A widget whose kernel tells it no more begins again when somebody comes back to it. */

import { expect, test } from 'vitest';

import { connect } from '../src/widget_link';
import type { Model } from '../src/widget_link';
import { picture } from './fake';

function fakeModel(): Model & { sent: unknown[]; tell(message: unknown): void } {
  const ears = new Set<(message: unknown) => void>();
  const sent: unknown[] = [];
  return {
    sent,
    get: () => '',
    send: (message) => void sent.push(message),
    on: (event, f) => void (event === 'msg:custom' && ears.add(f)),
    off: (_, f) => void ears.delete(f),
    tell: (message) => [...ears].forEach((f) => f(message)),
  };
}

const WANTED = { want: 'session' };

test('a view that made room for others asks to be told as soon as it is used', async () => {
  const model = fakeModel();
  const link = await connect(model);
  model.tell(picture([]));
  link.looked();
  expect(model.sent).toEqual([WANTED]);

  model.tell({ kind: 'gone', says: 'Come back.', over: true });
  link.looked();

  expect(model.sent).toEqual([WANTED, WANTED]);
  model.tell(picture([]));
  expect(link.state).toBe('live');
});

test('a question is not waited for after a later one was answered, and the kernel is not said to be busy', async () => {
  const model = fakeModel();
  const link = await connect(model);
  model.tell(picture([]));
  const first = link.ask('snapshot', {}).catch((reason: Error) => reason.message);
  const second = link.ask('tools', {});
  const [, asked] = model.sent.slice(-2) as [object, { id: number }];

  model.tell({ id: asked.id, answer: [] });

  expect([await first, await second, link.state]).toEqual(['The kernel did not answer.', [], 'live']);
});
