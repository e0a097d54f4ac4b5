/** What an investigation asks for → a list of it: what is done, and by what; what is still to do. */

import type { Inquiry } from '../picture';
import { __ } from '../words';
import { attribute, each, h, text } from './dom';

type Item = Inquiry['checklist'][number];

export function checklist(): { root: HTMLElement; show(items: readonly Item[]): void } {
  const list = h('ul', { class: 'wfnb-checklist' });
  const heading = h('h3', { class: 'wfnb-h' });
  const root = h('section', { 'aria-label': __('Checklist') }, heading, list);
  const fill = each<Item, HTMLLIElement>(list, (item) => item.text, made, tick);
  return {
    root,
    show(items) {
      root.hidden = items.length === 0;
      text(heading, __('Checklist · %1 of %2', items.filter(({ done }) => done).length, items.length));
      fill(items);
    },
  };
}

function made(item: Item): HTMLLIElement {
  return h(
    'li',
    {},
    h('span', { 'aria-hidden': 'true' }),
    h('span', { class: 'wfnb-hidden' }),
    h('span', {}, item.text),
    h('span', { class: 'wfnb-dim' }),
  );
}

function tick(entry: HTMLLIElement, { done, by }: Item): void {
  const [sign, said, , more] = entry.children as unknown as [Element, Element, Element, Element];
  attribute(entry, 'data-done', done ? '' : null);
  text(sign, done ? '☑' : '☐');
  text(said, `${done ? __('done:') : __('to do:')} `);
  text(more, by ?? '');
}
