/** A widget's model → the link to the kernel. */

import { Refused } from './link';
import type { Dispose, Link, LinkState } from './link';
import type { Ask, Asks, Reply, News } from './protocol';

/** What anywidget hands over. */
export interface Model {
  get(name: string): unknown;
  send(message: unknown): void;
  on(event: string, f: (message: unknown) => void): void;
  off(event: string, f: (message: unknown) => void): void;
  widget_manager?: { get_model(id: string): Promise<Model> };
}

/** Every page counts from somewhere else: what is answered to one is heard by all. */
const FROM = 2 ** 20;
const START = Math.floor(Math.random() * 2 ** 30) * FROM;
let asked = START;
const LOST = 'The kernel did not answer: it is gone.';
const UNANSWERED = 'The kernel did not answer.';
/** What models say when nothing comes back any more: the kernel was restarted, or closed the widget. */
const ENDS = ['comm_live_update', 'comm:close'];
/** After so many milliseconds without an answer, the kernel counts as busy. */
const BUSY_AFTER = 1_000;

export interface WidgetLink extends Link {
  /** Somebody looks here now: where the kernel tells it no more, it is asked to. */
  looked(): void;
  dispose: Dispose;
}

export async function connect(model: Model): Promise<WidgetLink> {
  const control = await controlOf(model);
  const listeners = new Set<(told: News) => void>();
  const watchers = new Set<(state: LinkState) => void>();
  const waiting = new Map<number, { done(answer: unknown): void; failed(reason: Error): void }>();
  let state: LinkState = 'connecting';
  /** Whether a picture has come. */
  let began = false;

  const set = (now: LinkState): void => {
    if (now !== state) {
      state = now;
      [...watchers].forEach((f) => f(now));
    }
  };
  const hear = (message: unknown): void => {
    const told = message as News;
    if (told.kind === 'snapshot' || told.kind === 'delta' || told.kind === 'gone') {
      began ||= told.kind === 'snapshot';
      set(told.kind === 'gone' ? 'gone' : state === 'busy' ? 'busy' : 'live');
      [...listeners].forEach((f) => f(told));
    }
  };
  const reply = (message: unknown): void => {
    const said = message as Reply;
    const one = waiting.get(said.id);
    waiting.delete(said.id);
    // answers come in the order of the questions: that of an earlier one was lost
    [...(one ? waiting : [])].filter(([id]) => id < said.id).forEach(([id, { failed }]) => {
      waiting.delete(id);
      failed(new Error(UNANSWERED));
    });
    if (state === 'busy' && waiting.size === 0) {
      set('live');
    }
    if ('error' in said) {
      one?.failed(new Refused(said.error, said.says, said.calls));
    } else {
      one?.done(said.answer);
    }
  };
  const begin = (): void => {
    try {
      model.send({ want: 'session' });
    } catch {
      // there is nobody to send it to: it stays gone
    }
  };
  /** Unless it was found again: then it tells. */
  const lost = (): void => {
    const left = [...waiting.values()];
    waiting.clear();
    set('gone');
    left.forEach((each) => each.failed(new Error(LOST)));
    if (!began) {
      [...listeners].forEach((f) => f({ kind: 'gone', says: LOST }));
    }
    begin();
  };
  model.on('msg:custom', hear);
  control.on('msg:custom', reply);
  ENDS.forEach((event) => model.on(event, lost));
  begin();

  return {
    get state() {
      return state;
    },
    ask<K extends Ask>(word: K, args: Asks[K][0]): Promise<Asks[K][1]> {
      const id = (asked += 1);
      const answer = new Promise<unknown>((done, failed) => waiting.set(id, { done, failed }));
      setTimeout(() => state === 'live' && waiting.has(id) && set('busy'), BUSY_AFTER);
      try {
        control.send({ ...args, id, ask: word });
      } catch {
        lost();
      }
      return answer as Promise<Asks[K][1]>;
    },
    on(f) {
      listeners.add(f);
      return () => void listeners.delete(f);
    },
    watch(f) {
      watchers.add(f);
      return () => void watchers.delete(f);
    },
    looked() {
      if (state === 'gone') {
        begin();
      }
    },
    dispose() {
      model.off('msg:custom', hear);
      control.off('msg:custom', reply);
      ENDS.forEach((event) => model.off(event, lost));
      listeners.clear();
      watchers.clear();
      waiting.clear();
    },
  };
}

async function controlOf(model: Model): Promise<Model> {
  const id = model.get('control');
  if (typeof id === 'string' && id !== '' && model.widget_manager) {
    return model.widget_manager.get_model(id).catch(() => model);
  }
  return model;
}
