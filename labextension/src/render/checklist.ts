/** What an investigation asks for → a list of it: what is done, and by what; what is still to do. What nothing can show
 *  to be done has no box. */

import type { Inquiry } from '../protocol';
import { __ } from '../translation';
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
      const boxes = items.filter(({ box }) => box);
      text(heading, boxes.length === 0 ? __('Checklist') : __('Checklist · %1 of %2', boxes.filter(({ done }) => done).length, boxes.length));
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

function tick(entry: HTMLLIElement, { done, by, box }: Item): void {
  const [sign, said, , more] = entry.children as unknown as [Element, Element, Element, Element];
  attribute(entry, 'data-done', done ? '' : null);
  text(sign, !box ? '•' : done ? '☑' : '☐');
  text(said, box ? `${done ? __('done:') : __('to do:')} ` : '');
  text(more, by ?? '');
}
