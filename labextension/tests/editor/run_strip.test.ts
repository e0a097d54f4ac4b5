/** A run over the editor says how long it runs by the clock of its kernel, which need not be the page's. */

import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';

import { RunStrip } from '../../src/editor/run_bar';
import type { EditorHost } from '../../src/editor/host';
import type { RunHead } from '../../src/protocol';
import { fakeLink } from '../fake';

const RUN = {
  name: 'w-1', workflow: 'w', status: 'running', sign: '▶', step: null, done: 1, total: 3, now: [], started: 1_000, ended: null,
  error: null, asks: [], here: true, resumable: false,
} as unknown as RunHead;

test('the clock is that of the kernel', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  const host = { link: fakeLink(), text: () => '', file: 'w.yaml' } as unknown as EditorHost;

  createRoot(root).render(createElement(RunStrip, { host, run: RUN, clock: () => 1_042 }));

  await expect.poll(() => root.querySelector('.wfnb-meta')?.textContent).toContain('42');
});
