/** Where the session is, in four lines at most: its name, its strategy and stage, a sentence, how far it is. */

import { sentence } from '../link';
import type { Link } from '../link';
import type { Host } from '../host';
import type { State } from '../store';
import { current } from './current';
import { attribute, h, text } from './dom';
import { button } from './said';

export interface Header {
  root: HTMLElement;
  show(state: State): void;
}

export function header(link: Link, host: Host): Header {
  const name = h('h2', { class: 'wfnb-session' });
  const pill = h('span', { class: 'wfnb-pill wfnb-key' });
  const says = h('span', { class: 'wfnb-says' });
  const deed = (sign: string, word: 'undo' | 'redo'): HTMLButtonElement => {
    const act = (): void =>
      void link.ask(word, {}).then(
        (answer) => host.say(answer),
        (reason) => host.say(sentence(reason)),
      );
    const made = button(sign, act, 'wfnb-link wfnb-arrow');
    attribute(made, 'aria-label', word);
    attribute(made, 'title', word);
    return made;
  };
  const undo = deed('↶', 'undo');
  const redo = deed('↷', 'redo');
  const done = h('i');
  const bar = h(
    'div',
    { class: 'wfnb-bar', role: 'progressbar', 'aria-label': 'steps', 'aria-valuemin': 0, hidden: true },
    done,
  );
  const root = h(
    'header',
    { class: 'wfnb-head' },
    h('div', { class: 'wfnb-head-line' }, name, pill),
    h('div', { class: 'wfnb-head-line' }, says, undo, redo),
    bar,
  );

  return {
    root,
    show(state) {
      const { head } = state;
      text(name, head.session);
      attribute(name, 'title', head.session);
      const where = [head.strategy ?? head.kind, head.stage].filter(Boolean).join(' · ');
      pill.hidden = where === '';
      text(pill, where);
      attribute(pill, 'title', where);
      text(says, head.says);
      attribute(undo, 'aria-disabled', !head.can_undo || null); // not hidden: it may have the focus
      attribute(redo, 'aria-disabled', !head.can_redo || null);
      const { total } = head;
      bar.hidden = total === null || total <= 0;
      if (total !== null && total > 0) {
        const at = Math.min(total, head.solved ? total : (current(state)?.number ?? head.steps));
        attribute(bar, 'aria-valuemax', total);
        attribute(bar, 'aria-valuenow', at);
        done.style.width = `${(100 * at) / total}%`;
      }
    },
  };
}
