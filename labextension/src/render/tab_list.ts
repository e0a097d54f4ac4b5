/** A row of tabs and their panels: one is open; arrows go from one to the next. */

import { __ } from '../words';
import { attribute, h, text } from './dom';
import { turned } from './keys';
import type { Tab } from './tab';

export interface TabList {
  bar: HTMLElement;
  panels: HTMLElement[];
  open(tab: Tab): void;
  /** The head of the open tab has the focus. */
  focus(): void;
  /** The small number beside a name. */
  count(tab: Tab, count: number | null): void;
}

export function tabList(id: string, tabs: readonly Tab[], opened: (tab: Tab) => void): TabList {
  const counts = tabs.map(() => h('b', { class: 'wfnb-count' }));
  const heads = tabs.map((tab, i) =>
    h(
      'button',
      {
        type: 'button', role: 'tab', class: 'wfnb-tab', id: `${id}-tab-${i}`, 'aria-controls': `${id}-panel-${i}`,
        onclick: () => opened(tab),
      },
      tab.name,
      counts[i],
    ),
  );
  const panels = tabs.map((tab, i) =>
    h(
      'div',
      { role: 'tabpanel', class: 'wfnb-pane', id: `${id}-panel-${i}`, 'aria-labelledby': `${id}-tab-${i}`, hidden: true },
      tab.root,
    ),
  );
  const bar = h('div', { role: 'tablist', class: 'wfnb-tabs', 'aria-label': __('Views') }, heads);
  bar.addEventListener('keydown', (event) => {
    const at = heads.indexOf(event.target as HTMLButtonElement);
    const to = at < 0 ? null : turned(event.key, at, tabs.length);
    const tab = to === null ? undefined : tabs[to];
    if (to !== null && tab !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      opened(tab);
      heads[to]?.focus();
    }
  });

  return {
    bar,
    panels,
    open(tab) {
      tabs.forEach((other, i) => {
        attribute(heads[i] as Element, 'aria-selected', other === tab);
        attribute(heads[i] as Element, 'tabindex', other === tab ? 0 : -1);
        (panels[i] as HTMLElement).hidden = other !== tab;
      });
    },
    focus() {
      heads.find((head) => head.getAttribute('aria-selected') === 'true')?.focus();
    },
    count(tab, count) {
      const shown = counts[tabs.indexOf(tab)];
      if (shown) {
        text(shown, count ? ` ${count}` : '');
      }
    },
  };
}
