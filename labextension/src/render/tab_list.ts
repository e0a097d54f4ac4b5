/** A row of tabs and their panels: one is open; arrows go from one to the next. A tab that is empty has no head.
 */

import type { State } from '../store';
import { __ } from '../translation';
import { attribute, h, text } from './dom';
import { turned } from './timeline_keys';
import type { Tab } from './tab';

export interface TabList {
  bar: HTMLElement;
  panels: HTMLElement[];
  open(tab: Tab): void;
  /** That of the open tab. */
  head(): HTMLElement | null;
  /** Which tabs are offered, and the small numbers beside their names. */
  show(state: State): void;
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
    const there = heads.filter(({ hidden }) => !hidden);
    const at = there.indexOf(event.target as HTMLButtonElement);
    const to = at < 0 ? null : turned(event.key, at, there.length);
    const head = to === null ? undefined : there[to];
    if (head) {
      event.preventDefault();
      event.stopPropagation();
      head.click();
      head.focus();
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
    head: () => heads.find((head) => head.getAttribute('aria-selected') === 'true') ?? null,
    show(state) {
      tabs.forEach((tab, i) => {
        const count = tab.count?.(state);
        text(counts[i] as Element, count ? ` ${count}` : '');
        (heads[i] as HTMLElement).hidden = tab.empty?.(state) === true;
      });
    },
  };
}
