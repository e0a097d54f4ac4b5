/** A run that was opened: its drawing, its actions, the last lines that it printed. Made when it is opened; the kernel
 *  tells its lines until it is closed.
 */

import type { Dispose, Link } from '../link';
import type { Printed, RunDetail } from '../protocol';
import { __ } from '../translation';
import { asking } from './latest_answer';
import { attribute, h, text } from './dom';
import { drawingView } from './graph_drawing';
import { statusLine } from './status_line';
import { seconds } from './duration';
import { signed, table, words } from './tables';
import { tail } from './run_tail';

type Action = RunDetail['actions'][number] & { place: number };

export interface Opened {
  root: HTMLElement;
  /** The run changed. `whole`: lines may have been missed. */
  again(whole: boolean): void;
  printed(printed: Printed): void;
  dispose: Dispose;
}

export function opened(link: Link, run: string): Opened {
  let whole = true;
  /** How many lines came with the last whole answer, and what was told since it was asked for. */
  let upto = 0;
  const missed: Printed[] = [];
  /** Lines were told that no answer had. */
  let heard = false;
  /** How it had ended as the last answer said; '' while it ran. */
  let ended = '';
  const told = statusLine();
  const drawn = drawingView();
  const log = tail(run);
  const actions = table<Action>(
    __('Actions'),
    [
      { head: '', says: __('state'), narrow: true, fill: (cell, { sign, state }) => signed(cell, sign, state) },
      { head: __('action'), names: true, fill: named },
      words(__('tool'), ({ tool }) => tool, { narrow: true, class: 'wfnb-dim wfnb-roomy' }),
      words(__('tries'), ({ attempts }) => attempts || '', { number: true, narrow: true }),
      words(__('time'), took, { number: true, narrow: true }),
    ],
    ({ place }) => place,
  );
  const wait = h('p', { class: 'wfnb-dim' }, __('Waiting for the kernel.'));
  const root = h('div', { class: 'wfnb-opened' }, wait, told.root, drawn.root, actions.root, log.root);
  drawn.root.hidden = actions.root.hidden = true;

  function came(detail: RunDetail): void {
    wait.hidden = true;
    drawn.root.hidden = detail.drawing === null;
    if (detail.drawing !== null) {
      drawn.show(detail.drawing);
    }
    actions.root.hidden = detail.actions.length === 0;
    actions.fill(detail.actions.map((action, place) => ({ ...action, place })));
    follow(detail);
  }
  /** What a run printed before it was known that it goes on again is in the answer alone. */
  function follow({ run: now, tail: lines, upto: count }: RunDetail): void {
    const goes = now.status === 'running';
    const end = goes ? '' : `${now.status} ${now.ended}`;
    const resumed = ended !== '' && end !== ended;
    const untold = !goes && !heard && upto === 0; // another process performed it: it keeps what it printed
    ended = end;
    if (whole || (resumed && !(goes && now.here)) || untold) {
      whole = heard = false;
      upto = count;
      log.begin(lines);
      missed.splice(0).forEach(add);
    } else if (resumed) {
      upto = count;
      log.add(lines);
    } else {
      upto = Math.min(upto, count); // it counts from the beginning again
    }
  }
  /** Messages come in any order with answers: what an answer had already is not shown twice. */
  function add(printed: Printed): void {
    if (printed.upto > upto) {
      heard = true;
      log.add(printed.lines);
    }
  }
  const asked = asking(
    () => link.ask('run', { run }),
    came,
    (refusal) => {
      told.say(refusal);
      wait.hidden ||= refusal !== '';
    },
  );
  asked.again(0);

  return {
    root,
    again(gap) {
      whole ||= gap;
      asked.again();
    },
    printed(printed) {
      if (whole) {
        missed.push(printed);
      } else {
        add(printed);
      }
    },
    dispose() {
      asked.dispose();
      link.ask('close_run', { run }).catch(() => undefined);
    },
  };
}

function took(action: Action): string {
  return action.seconds === null ? '' : seconds(action.seconds);
}

function named(cell: HTMLElement, { action, note, state }: Action): void {
  const known = cell.firstElementChild;
  if (known === null) {
    cell.append(h('span'), h('span', { class: 'wfnb-note' }));
  }
  const [name, more] = cell.children as unknown as [Element, HTMLElement];
  text(name, action);
  text(more, note);
  attribute(more, 'title', note);
  more.hidden = note === '';
  attribute(cell, 'data-state', state);
}
