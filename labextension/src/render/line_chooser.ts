/** Which lines are compared: all where there are few, else those that a person ticks. */

import type { Line } from '../protocol';
import { __ } from '../translation';
import { each, h, text } from './dom';

/** So many are compared until a person says otherwise. */
export const MAX_LINES = 4;

export interface Chooser {
  root: HTMLElement;
  offer(lines: readonly Line[], current: string): void;
  /** The chosen ones, in the order of their creation. */
  lines(): string[];
}

export function chooser(changed: () => void): Chooser {
  let all: readonly string[] = [];
  let usual = new Set<string>();
  /** What a person said about a line; nothing about the others. */
  const ticked = new Map<string, boolean>();
  const chosen = (id: string): boolean => ticked.get(id) ?? usual.has(id);

  const says = h('summary');
  const list = h('ul', { class: 'wfnb-ticks' });
  const root = h('details', { class: 'wfnb-part wfnb-chooser', hidden: true }, says, list);
  const fill = each<string, HTMLLIElement>(
    list,
    (id) => id,
    (id) => {
      const box = h('input', { type: 'checkbox' });
      box.addEventListener('change', () => {
        ticked.set(id, box.checked);
        draw();
        changed();
      });
      return h('li', {}, h('label', {}, box, ' ', id));
    },
    (item, id) => {
      (item.querySelector('input') as HTMLInputElement).checked = chosen(id);
    },
  );

  function draw(): void {
    root.hidden = all.length <= MAX_LINES;
    text(says, __('%1 of %2 lines · choose', all.filter(chosen).length, all.length));
    fill(root.hidden ? [] : all);
  }

  return {
    root,
    offer(lines, current) {
      all = lines.map(({ id }) => id);
      usual = telling(lines, current);
      draw();
    },
    lines: () => all.filter(chosen),
  };
}

/** Those that tell most: where a person is, main, then open ones before others, new ones before old. */
function telling(lines: readonly Line[], current: string): Set<string> {
  const rank = ({ id, open }: Line): number => (id === current ? 3 : id === 'main' ? 2 : open ? 1 : 0);
  const sorted = lines.map((line, place) => ({ line, place }));
  sorted.sort((a, b) => rank(b.line) - rank(a.line) || b.place - a.place);
  return new Set(sorted.slice(0, MAX_LINES).map(({ line }) => line.id));
}
