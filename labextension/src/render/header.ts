/** Where the session is, in four lines at most: its name, its strategy and stage, a sentence, how far it is. */

import { sentence } from '../link';
import type { Link } from '../link';
import type { Host } from '../view_host';
import type { State } from '../store';
import { __, translation } from '../translation';
import { current } from './place_of_step';
import { deliberate } from './double_clicks';
import { attribute, h, text } from './dom';
import { icon } from './button_icons';
import { progressBar } from './progress_bar';
import { writes } from './read_only';
import { button, showWords } from './status_line';
import { spoken } from './state_signs';

export interface Header {
  root: HTMLElement;
  show(state: State): void;
}

export function header(link: Link, host: Host): Header {
  const name = h('h2', { class: 'wfnb-session' });
  const pill = h('span', { class: 'wfnb-pill wfnb-key' });
  const says = h('span', { class: 'wfnb-says' });
  /** While one of the two is under way neither can be asked for: what the other would do is not known yet. */
  let waiting = false;
  let can = { undo: false, redo: false };
  const able = (): void => {
    attribute(undo, 'aria-disabled', waiting || !can.undo || null); // not hidden: it may have the focus
    attribute(redo, 'aria-disabled', waiting || !can.redo || null);
  };
  const deed = (name: string, word: 'undo' | 'redo'): HTMLButtonElement => {
    const act = async (): Promise<void> => {
      waiting = true;
      able();
      const says = await link.ask(word, {}).catch(sentence);
      waiting = false;
      able();
      host.say(says);
    };
    return writes(button(icon(word), () => void act(), 'wfnb-tool', { 'aria-label': name, title: name }));
  };
  const undo = deed(__('undo'), 'undo');
  const redo = deed(__('redo'), 'redo');
  let on = false;
  const asked = (): void => void link.ask('record', { on: !on }).catch((reason: unknown) => host.say(sentence(reason)));
  const record = writes(button(icon('record'), asked, 'wfnb-tool', {
    'aria-label': __('record each cell'), title: __('Record each cell as a step'),
  }));
  const { resume } = host;
  const again = resume && button(icon('resume'), () => void resume.run(), 'wfnb-tool', {
    'aria-label': __('resume this notebook'),
    title: __('Resume: put back what was kept, run what failed, is stale or new'),
  });
  const bar = progressBar(__('steps'));
  const root = h(
    'header',
    { class: 'wfnb-head' },
    h('div', { class: 'wfnb-head-line' }, name, pill),
    h('div', { class: 'wfnb-head-line' }, says, h('span', { class: 'wfnb-tools' }, again, record, undo, redo)),
    bar.root,
  );
  deliberate(root);

  return {
    root,
    show(state) {
      const { head } = state;
      text(name, head.session);
      attribute(name, 'title', head.session);
      const where = [head.strategy ?? head.kind, head.stage].filter(Boolean).map((name) => spoken(name ?? '')).join(' · ');
      pill.hidden = where === '';
      text(pill, where);
      attribute(pill, 'title', where);
      showWords(says, translation(head.says));
      can = { undo: head.can_undo, redo: head.can_redo };
      able();
      on = head.recording;
      attribute(record, 'aria-pressed', on ? 'true' : 'false');
      const total = head.total ?? 0;
      // What is not solved is not full, though every step that was planned is there.
      bar.show(head.solved ? total : Math.min(total - 0.5, current(state)?.number ?? head.steps), total);
    },
  };
}
