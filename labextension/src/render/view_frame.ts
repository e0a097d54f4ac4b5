/** The frame of the view: header, tabs, what the open tab shows, and what there is to say. */

import type { Host } from '../view_host';
import { writable } from '../link';
import type { Dispose, Link, LinkState } from '../link';
import { EVERYTHING, store } from '../store';
import type { State } from '../store';
import { __ } from '../translation';
import { attribute, h, text } from './dom';
import { keeping } from './focus_repair';
import { header } from './header';
import { typing } from './timeline_keys';
import { news } from './announcements';
import { patient } from './slow_answers';
import { question } from './question_notice';
import { reading } from './read_only';
import { runStale } from './run_stale';
import { button, showWords } from './status_line';
import { tabList } from './tab_list';
import type { Changed, MakeTab, Tab } from './tab';

/** Why nothing can be changed. */
const away = (): Readonly<Partial<Record<LinkState, string>>> => ({
  connecting: __('Waiting for the kernel.'),
  journal: __('The history as it was saved: no kernel has loaded it.'),
  lost: __('The connection to the server is lost.'),
  gone: __('The kernel is gone.'),
});
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
  const stale = runStale(link, host);
  const switcher = tabList(id, tabs, open);
  const tell = news((words) => text(live, words));

  const asked = question(answer);
  const noticed = h('span');
  const interrupt = host.interrupt && button(__('Interrupt the cell'), () => host.interrupt?.());
  const { resume } = host;
  const again = resume && button(__('Resume'), () => void resume.run(), 'wfnb-button wfnb-first');
  const load = host.load && deed(__('Load wfnb'), host.load);
  const loadFirst = host.load && deed(__('Load wfnb'), host.load);
  const start = host.start && deed(__('Start a history here'), host.start, 'wfnb-button wfnb-first');
  const notices = h('div', { class: 'wfnb-notice', role: 'status', hidden: true }, noticed, interrupt, again, load);
  const words = h('span');
  const noted = h('div', { class: 'wfnb-notice', role: 'status', hidden: true }, words);
  const why = h('span');
  const nothing = h('div', { class: 'wfnb-empty' }, h('p', {}, why), loadFirst, start);
  const body = h(
    'div',
    { class: 'wfnb-body', hidden: true },
    asked.root, head.root, stale?.root, switcher.bar, switcher.panels,
  );
  const all = h('section', { class: 'wfnb', 'aria-label': __('History of this notebook') }, notices, noted, nothing, body, live);
  const writing = reading(body);
  let shown = tabs[0] as Tab;

  /** While it is under way, the button waits. */
  function deed(label: string, act: () => Promise<boolean>, look?: string): HTMLButtonElement {
    const made = button(label, () => {
      attribute(made, 'aria-disabled', true);
      void act().finally(() => attribute(made, 'aria-disabled', null));
    }, look);
    return made;
  }

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
      switcher.head()?.focus();
    }
  }

  function notice(): void {
    const now = link.state;
    // Whoever resumes reads below that it waits.
    const told = (state === null && now !== 'lost') || (resume?.going && now === 'connecting') ? '' : (away()[now] ?? '');
    const says = waits ? __('The kernel is busy: this waits until the cell ends.') : told;
    const left = !writable(now) && now !== 'lost' && now !== 'connecting';
    notices.hidden = says === '';
    text(noticed, says);
    if (interrupt) {
      interrupt.hidden = !waits;
    }
    shows(again, left && state !== null);
    shows(load, left && state !== null);
    shows(loadFirst, left && state === null && !kept.empty);
    shows(start, state === null && kept.empty && (left || writable(now)));
    writing.because(away()[now] ?? '');
  }

  function note(): void {
    const says = host.note?.() ?? '';
    noted.hidden = says === '';
    showWords(words, says);
  }

  function show(changed: Changed): void {
    state = kept.state;
    body.hidden = state === null;
    nothing.hidden = state !== null;
    showWords(why, kept.why);
    notice();
    if (state === null) {
      return;
    }
    if (changed.has('head') || changed.has('row')) {
      head.show(state);
      stale?.show(state);
    }
    switcher.show(state);
    if (shown.empty?.(state)) {
      keeping(body, () => open(tabs[0] as Tab), switcher.head);
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
  const undo = [kept.listen(show), link.watch(notice), host.noteChanged?.(note)];
  show(EVERYTHING);
  note();

  const dispose = (): void => {
    undo.forEach((f) => f?.());
    writing.dispose();
    patience.dispose();
    kept.dispose();
    stale?.dispose();
    tabs.splice(0).forEach((tab) => tab.dispose());
    all.remove();
  };
  return Object.assign(() => dispose(), { dispose, show: reveal, focus });
}

function shows(button: HTMLElement | undefined, wanted: boolean): void {
  if (button) {
    button.hidden = !wanted;
  }
}
