/** Words → the steps and runs of all sessions that they mean, as the server reads them: in a dialog, from which one
 *  leads to its step.
 */

import { Dialog } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';

import { sentence } from '../link';
import type { FoundPage, FoundSession, Hit } from '../protocol';
import { each, h, text } from '../render/dom';
import { grouped } from '../render/state_signs';
import { __, _n } from '../translation';

const PAUSE = 250;
/** So many sessions with hits are listed; more words find fewer. */
const MAX_SESSIONS = 100;

/** A page of the sessions, from the `first` on. */
export type Find = (text: string, first: number) => Promise<FoundPage>;
/** A hit, and where the server has the notebook that it leads to. */
export interface Choice {
  session: FoundSession;
  hit: Hit;
  path: string;
}

/** What a person chose; null where they closed it. */
export async function search(find: Find, words = ''): Promise<Choice | null> {
  let chosen: Choice | null = null;
  const box = new SearchBox(find, words, (choice) => {
    chosen = choice;
    dialog.resolve(0);
  });
  const dialog = new Dialog({
    title: __('Search all sessions'),
    body: box,
    buttons: [Dialog.cancelButton({ label: __('Close') })],
    focusNodeSelector: 'input',
  });
  await dialog.launch();
  return chosen;
}

/** The notebook that a hit leads to: the one in which its step was written, else the first of its session. */
export function notebookOf({ notebooks }: FoundSession, { notebook }: Hit): string | null {
  return notebooks.find((path) => path.split('/').pop() === notebook) ?? notebooks[0] ?? null;
}

class SearchBox extends Widget {
  private readonly words = h('input', {
    type: 'search', 'aria-label': __('Words'), placeholder: __('Words, %1, %2 or %3', 'tag:…', 'by:…', 'code:…'),
    autocomplete: 'off', spellcheck: 'false', maxlength: 200,
  });
  private readonly status = h('p', { class: 'wfnb-picker-about', role: 'status' });
  private readonly list = h('div', { class: 'wfnb-hits' });
  private readonly fill = each<FoundSession, HTMLElement>(
    this.list,
    ({ session }) => session,
    (found) => this.section(found),
  );
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;

  constructor(
    private readonly find: Find,
    words: string,
    private readonly choose: (choice: Choice) => void,
  ) {
    super();
    this.addClass('wfnb-picker');
    this.addClass('wfnb-finder');
    this.words.value = words;
    this.words.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.look(), PAUSE);
    });
    this.words.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault(); // the dialog would close
        event.stopPropagation();
        clearTimeout(this.timer);
        void this.look();
      }
    });
    this.node.append(this.words, this.status, this.list);
    void this.look();
  }

  override dispose(): void {
    clearTimeout(this.timer);
    this.asked += 1;
    super.dispose();
  }

  /** Session after session as they are looked through, until there are other words. */
  private async look(): Promise<void> {
    const mine = ++this.asked;
    const words = this.words.value.trim();
    const found = new Map<string, FoundSession>();
    this.fill([]);
    text(this.status, words === '' ? '' : __('searching'));
    try {
      for (let next: number | null = words === '' ? null : 0; next !== null && found.size < MAX_SESSIONS; ) {
        const page: FoundPage = await this.find(words, next);
        if (mine !== this.asked) {
          return;
        }
        page.sessions.forEach((session) => found.set(session.session, session));
        this.fill([...found.values()]);
        next = page.next;
        this.say([...found.values()], next !== null);
      }
    } catch (reason) {
      if (mine === this.asked) {
        text(this.status, sentence(reason));
      }
    }
  }

  private say(found: readonly FoundSession[], goesOn: boolean): void {
    const count = found.reduce((sum, each) => sum + each.count, 0);
    const said = found.length === 0 ? __('nothing found') : _n('%2 in %1 session', '%2 in %1 sessions', found.length, grouped(count));
    const ends = found.length < MAX_SESSIONS ? __('%1, searching', said) : __('%1, and there are more: add words', said);
    text(this.status, goesOn ? ends : said);
  }

  private section(found: FoundSession): HTMLElement {
    const { session, notebooks, archived, count, hits, fault } = found;
    const left = count - hits.length;
    const about = [session, ...notebooks, archived ? __('archived') : '', left > 0 ? __('%1 more', grouped(left)) : ''];
    return h(
      'section',
      {},
      h('h3', {}, about.filter((part) => part !== '').join(' · ')),
      fault !== undefined && h('p', { class: 'wfnb-picker-about' }, fault),
      h('ul', {}, hits.map((hit) => h('li', {}, this.hit(found, hit)))),
    );
  }

  private hit(session: FoundSession, hit: Hit): HTMLElement {
    const path = notebookOf(session, hit);
    const place = hit.step === null ? '' : __('step %1', hit.step);
    const about = [place, hit.by === undefined ? '' : __('by %1', hit.by), path === null ? __('its notebook is not here') : ''];
    const shown = [
      h('span', { class: 'wfnb-hit-title' }, hit.title),
      h('span', { class: 'wfnb-picker-about' }, about.filter((part) => part !== '').join(' · ')),
      hit.says !== undefined && h('span', { class: 'wfnb-hit-says' }, hit.says),
    ];
    if (path === null || hit.key === null) {
      return h('div', { class: 'wfnb-hit' }, shown);
    }
    const lead = (): void => this.choose({ session, hit, path });
    return h('button', { type: 'button', class: 'wfnb-hit', onclick: lead }, shown);
  }
}
