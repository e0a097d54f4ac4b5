/** The session of the current notebook in the status bar; a click opens the panel. */

import { Widget } from '@lumino/widgets';

import { h } from '../render/dom';
import type { Dispose } from '../link';
import { __, translation } from '../translation';
import type { Opened } from './notebooks';
import { place } from './step_words';

export class Status extends Widget {
  private readonly button: HTMLButtonElement;
  private deaf: Dispose = () => undefined;

  constructor(open: () => void) {
    super();
    this.addClass('wfnb-status');
    this.button = h('button', { type: 'button', class: 'wfnb-status-button', onclick: open });
    this.node.append(this.button);
    this.hide();
  }

  follow(opened: Opened | null): void {
    this.deaf();
    const show = (): void => {
      const head = opened?.cells.head ?? null;
      this.setHidden(head === null);
      this.button.textContent = head ? place(head, opened?.cells.current) : '';
      const says = head ? `${head.session}: ${translation(head.says)}` : '';
      this.button.title = says && opened?.link.state === 'journal' ? __('%1 (from the journal: not running)', says) : says;
    };
    this.deaf = opened?.cells.listen(show) ?? (() => undefined);
    show();
  }
}
