import { expect, test } from 'vitest';

import type { RunHead } from '../src/protocol';
import type { MakeTab } from '../src/render/tab';
import { delta, many, picture } from './fake';
import { cleared, framed, hear, open, tab, tabs } from './given_frame';

cleared();

const asking = (name: string, ...asked: string[]): RunHead => ({
  name, workflow: 'release', status: 'running', sign: '▶', step: 1, done: 0, total: 2, now: [], started: null, ended: null,
  error: null, here: true, resumable: false,
  asks: asked.map((question) => ({
    run: name, call: 1, action: 'sure', question, choices: ['yes'], default: null, secret: false, otherwise: '',
  })),
});
const asked = (root: HTMLElement): HTMLElement => root.querySelector('.wfnb-asked') as HTMLElement;

test('a question that waits is announced once and stands above whatever tab is open, until it is answered', async () => {
  const { link, root } = await framed();
  const before = asked(root).hidden;

  link.tell(delta(1, { runs: [asking('a-1', 'Release it?'), asking('b-1', 'Which tag?')] }));
  const heard = hear(root);
  tabs(root)[1]?.click();
  const words = asked(root).firstElementChild?.textContent;
  link.tell(delta(2, { runs: [{ name: 'a-1', done: 1 }], head: { says: 'on it goes' } }));
  const later = hear(root);
  link.tell(delta(3, { runs: [{ name: 'a-1', asks: [] }, { name: 'b-1', asks: [] }] }));

  expect(before).toBe(true);
  expect(heard).toBe('a-1 asks: Release it? b-1 asks: Which tag?');
  expect(words).toBe('b-1 asks: Which tag? · 1 more');
  expect(later).toBe('on it goes');
  expect(asked(root).hidden).toBe(true);
});

test('a question that waited before anybody looked is announced, too', async () => {
  const { root } = await framed({ snapshot: () => picture(many(3), { runs: [asking('a-1', 'Release it?')] }) });

  expect(hear(root)).toBe('a-1 asks: Release it?');
  expect(asked(root).hidden).toBe(false);
});

test('Answer opens the tab that has the form, at the run that asks', async () => {
  const answered: string[] = [];
  const form: MakeTab = (link, host) => ({ ...tab('Runs')(link, host), answer: (run) => void answered.push(run) });
  const { link, root } = await framed({}, [tab('One'), form]);
  link.tell(delta(1, { runs: [asking('a-1', '<b>Release</b> it?')] }));

  asked(root).querySelector('button')?.click();

  expect(answered).toEqual(['a-1']);
  expect(open(root)).toEqual(['Runs']);
  expect(asked(root).querySelector('b')).toBe(null);
});
