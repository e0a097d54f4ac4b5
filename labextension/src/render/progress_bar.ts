/** How many of how many → a bar; hidden where it is not known of how many. */

import { attribute, h } from './dom';

export interface ProgressBar {
  root: HTMLElement;
  show(at: number, total: number | null): void;
}

export function progressBar(name: string): ProgressBar {
  const done = h('i');
  const root = h('div', { class: 'wfnb-bar', role: 'progressbar', 'aria-label': name, 'aria-valuemin': 0 }, done);
  return {
    root,
    show(at, total) {
      root.hidden = !total || total < 0;
      if (total && total > 0) {
        const now = Math.min(at, total);
        attribute(root, 'aria-valuemax', total);
        attribute(root, 'aria-valuenow', now);
        done.style.width = `${(100 * now) / total}%`;
      }
    },
  };
}
