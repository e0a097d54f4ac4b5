/** The frame of the view: header, tabs, what the open tab shows, and what there is to say. */

import type { Host } from '../host';
import type { Dispose, Link } from '../link';
import { EVERYTHING, store } from '../store';
import type { State } from '../store';
import { h, text } from './dom';
import { header } from './header';
import { typing } from './keys';
import { news } from './news';
import { patient } from './patience';
import { question } from './question';
import { tabList } from './tab_list';
import type { Changed, MakeTab, Tab } from './tab';

const BUSY = 'The kernel is busy: this waits until the cell ends.';
const AWAY: Readonly<Record<string, string>> = {
  connecting: 'Waiting for the kernel.',
  gone: 'The kernel is gone. What is shown is the last that it told.',
};
let made = 0;

export type View = Dispose & {
  readonly dispose: Dispose;
  /** Select the step of this key and open its card: at once, or as soon as there is a picture. */
  show(key: number): void;
  /** Take the keyboard to what the open tab is about: at once, or as soon as there is a picture. */
  focus(): void;
};

export function frame(root: HTMLElement, bare: Link, host: Host, makers: readonly MakeTab[]): View {
  const id = `wfnb-${++made}`;
  let waits = false;
  let state: State | null = null;
  let wanted: number | null = null;
  /** What had the focus when it was to be here; null where it is, or was not asked for. */
  let before: Element | null = null;

  const live = h('div', { class: 'wfnb-hidden', role: 'status', 'aria-live': 'polite' });
  const patience = patient(bare, (now) => {
    waits = now;
    notice();
  });
  const link = patience.link;
  const kept = store(link);
  const tabs = makers.map((make) => make(link, host));
  const head = header(link, host);
  const switcher = tabList(id, tabs, open);
  const tell = news((words) => text(live, words));

  const asked = question(answer);
  const noticed = h('span');
  const interrupt =
    host.interrupt &&
    h('button', { type: 'button', class: 'wfnb-button', onclick: () => host.interrupt?.() }, 'Interrupt the cell');
  const notices = h('div', { class: 'wfnb-notice', role: 'status', hidden: true }, noticed, interrupt);
  const why = h('p', { class: 'wfnb-empty' });
  const body = h('div', { class: 'wfnb-body', hidden: true }, asked.root, head.root, switcher.bar, switcher.panels);
  const all = h('section', { class: 'wfnb', 'aria-label': 'History of this notebook' }, notices, why, body, live);
  let shown = tabs[0] as Tab;

  function open(tab: Tab): void {
    shown = tab;
    switcher.open(tab);
    if (state !== null) {
      tab.show(state, EVERYTHING);
    }
  }

  function answer(run: string): void {
    const tab = tabs.find((one) => one.answer);
    if (tab) {
      open(tab);
      tab.answer?.(run);
    }
  }

  function reveal(key: number): void {
    const tab = tabs.find((one) => one.reveal);
    wanted = state === null ? key : null;
    if (tab && state !== null) {
      open(tab);
      tab.reveal?.(key);
    }
  }

  /** Where a person has taken the focus elsewhere until there is a picture, it stays there. */
  function focus(): void {
    before = state === null ? document.activeElement : null;
    if (state !== null && !shown.focus?.()) {
      switcher.focus();
    }
  }

  function notice(): void {
    const says = waits ? BUSY : state === null ? '' : (AWAY[link.state] ?? '');
    notices.hidden = says === '';
    text(noticed, says);
    if (interrupt) {
      interrupt.hidden = !waits;
    }
  }

  function show(changed: Changed): void {
    state = kept.state;
    body.hidden = state === null;
    why.hidden = state !== null;
    text(why, kept.why);
    notice();
    if (state === null) {
      return;
    }
    if (changed.has('head') || changed.has('row')) {
      head.show(state);
    }
    for (const tab of tabs) {
      switcher.count(tab, tab.count?.(state) ?? null);
    }
    if (changed.has('runs')) {
      asked.show(state);
    }
    shown.show(state, changed);
    tell(state, changed);
    if (wanted !== null) {
      reveal(wanted);
    }
    if (before !== null && before === document.activeElement) {
      focus();
    }
    before = null;
  }

  all.addEventListener('keydown', (event) => {
    const search = tabs.find((tab) => tab.search);
    if (event.key === '/' && search && !event.ctrlKey && !event.metaKey && !typing(event.target)) {
      event.preventDefault();
      event.stopPropagation();
      open(search);
      search.search?.();
    }
  });
  root.append(all);
  open(shown);
  const undo = [kept.listen(show), link.watch(notice)];
  show(EVERYTHING);

  const dispose = (): void => {
    undo.forEach((f) => f());
    patience.dispose();
    kept.dispose();
    tabs.splice(0).forEach((tab) => tab.dispose());
    all.remove();
  };
  return Object.assign(() => dispose(), { dispose, show: reveal, focus });
}
