/** How the code of two lines differs, step by step: asked for once it is opened, and again while it is open. */

import type { Dispose, Link } from '../link';
import type { CodeComparison, Line } from '../protocol';
import { __ } from '../translation';
import { asking } from './latest_answer';
import { difference } from './diff_lines';
import { attribute, each, h, text } from './dom';
import { statusLine } from './status_line';

type Pair = CodeComparison['steps'][0];

export interface CodeBeside {
  root: HTMLElement;
  /** The lines that there are; `current` is the one that is chosen. */
  offer(lines: readonly Line[], current: string): void;
  /** Steps may be other ones now. */
  again(): void;
  dispose: Dispose;
}

export function codeBeside(link: Link): CodeBeside {
  const one = choice(__('Line'));
  const other = choice(__('Line that it is compared with'));
  const ways = h('div', { class: 'wfnb-choices' }, one.select, other.select);
  const says = h('p', { class: 'wfnb-dim' });
  const list = h('div');
  const told = statusLine();
  const root = h('details', { class: 'wfnb-part wfnb-code-beside', hidden: true }, h('summary', {}, __('Code')), ways, told.root, says, list);
  const fill = each<[number, Pair], HTMLElement>(list, ([place]) => place, () => h('section'), filled);
  const asked = asking(
    () => link.ask('compare_code', { lines: [one.select.value, other.select.value] }),
    ({ says: sentence, steps }) => {
      text(says, sentence);
      fill([...steps.entries()]);
    },
    told.say,
  );
  const again = (): void => {
    if (root.open && !root.hidden) {
      asked.again();
    }
  };
  root.addEventListener('toggle', again);
  [one.select, other.select].forEach((select) => select.addEventListener('change', again));

  return {
    root,
    again,
    offer(lines, current) {
      const ids = lines.map(({ id }) => id);
      root.hidden = ids.length < 2;
      ways.hidden = ids.length < 3;
      const here = lines.find(({ id, parent }) => id === current && parent !== null) ?? lines.find(({ parent }) => parent !== null);
      one.offer(ids, here?.parent ?? ids[0]);
      other.offer(ids, here?.id ?? ids[1]);
      again();
    },
    dispose: asked.dispose,
  };
}

/** What a person chose stays chosen while it is there. */
function choice(name: string): { select: HTMLSelectElement; offer(ids: readonly string[], usual: string | undefined): void } {
  const select = h('select', { 'aria-label': name });
  const fill = each<string, HTMLOptionElement>(select, (id) => id, (id) => h('option', { value: id }, id));
  let chosen: string | undefined;
  select.addEventListener('change', () => (chosen = select.value));
  return {
    select,
    offer(ids, usual) {
      fill(ids);
      select.value = (chosen !== undefined && ids.includes(chosen) ? chosen : usual) ?? '';
    },
  };
}

function filled(section: HTMLElement, [, { steps, title, says, diff }]: [number, Pair]): void {
  const name = [steps, title, says].filter((part) => part !== '').join(' · ');
  const known = JSON.stringify([name, diff]);
  if (section.dataset.known !== known) {
    attribute(section, 'data-known', known);
    section.replaceChildren(h('h3', {}, name), ...(diff === '' ? [] : [difference(diff, __('how the code differs'))]));
  }
}
