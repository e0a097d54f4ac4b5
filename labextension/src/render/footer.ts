/** What can be done next, under the timeline: only what the host can do is there. */

import type { Host } from '../view_host';
import type { Row } from '../protocol';
import { __ } from '../translation';
import { deliberate } from './double_clicks';
import { attribute, h } from './dom';
import { icon } from './button_icons';
import type { Intent } from './timeline_keys';
import { button } from './status_line';

export interface Footer {
  root: HTMLElement;
  /** The step that is meant, and its place among how many. */
  show(row: Row | null, place: number | null, count: number): void;
}

export function footer(host: Host, move: (where: Intent) => void): Footer {
  let meant: Row | null = null;
  const deed = (name: string, act: (row: Row) => void): HTMLButtonElement =>
    button(name, () => meant && act(meant));
  const arrow = (sign: SVGElement, name: string, where: Intent, wide = ''): HTMLButtonElement =>
    button(sign, () => move(where), `wfnb-button wfnb-arrow${wide}`, { 'aria-label': name, title: name });
  const begin =
    host.newStep && button(__('New step'), () => host.newStep?.(undefined, meant), 'wfnb-button wfnb-first');
  const branch = host.branchFrom && deed(__('Branch'), (row) => host.branchFrom?.(row));
  const revise = host.revise && deed(__('Revise'), (row) => host.revise?.(row));
  const back = [arrow(icon('first'), __('first step'), 'first', ' wfnb-wide'), arrow(icon('previous'), __('previous step'), 'up')];
  const on = [arrow(icon('next'), __('next step'), 'down'), arrow(icon('last'), __('last step'), 'last', ' wfnb-wide')];
  const root = h(
    'div',
    { class: 'wfnb-foot', role: 'toolbar', 'aria-label': __('Steps') },
    begin,
    branch,
    revise,
    h('span', { class: 'wfnb-space' }),
    back,
    on,
  );
  // not the whole of it: who clicks an arrow twice goes two steps
  [begin, branch, revise].forEach((each) => each && deliberate(each));

  return {
    root,
    show(row, place, count) {
      meant = row;
      for (const each of [branch, revise]) {
        each && attribute(each, 'aria-disabled', row === null);
      }
      branch && attribute(branch, 'title', row && __('Branch from step %1: %2', row.number, row.title));
      revise && attribute(revise, 'title', row && __('Revise step %1: %2', row.number, row.title));
      back.forEach((each) => attribute(each, 'aria-disabled', count === 0 || place === 0));
      on.forEach((each) => attribute(each, 'aria-disabled', count === 0 || place === count - 1));
    },
  };
}
