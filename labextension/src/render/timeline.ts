/** The timeline: all steps as a list with lanes, one of them selected and perhaps open, a bar that filters, and what
 *  can be done next. Everything by mouse and by keyboard.
 */

import type { Host } from '../view_host';
import { sentence, writable } from '../link';
import type { Filter, Row } from '../protocol';
import type { State } from '../store';
import { __ } from '../translation';
import { cardView } from './step_card';
import type { CardView } from './step_card';
import { current, placeOf } from './place_of_step';
import { deeds } from './step_actions';
import type { Deed } from './step_actions';
import { h, holding, text } from './dom';
import { remembering, thumbs } from './figures';
import { filterBar } from './filter_bar';
import { footer } from './footer';
import { gestures } from './timeline_gestures';
import { moved } from './timeline_keys';
import type { Intent } from './timeline_keys';
import { list } from './virtual_list';
import { none } from './empty_list';
import { selection } from './selection';
import { everything, passing } from './row_source';
import type { Source } from './row_source';
import type { MakeTab } from './tab';

const PAUSE = 200;
let made = 0;

export const timeline: MakeTab = (link, bare) => {
  const id = `wfnb-timeline-${++made}`;
  const chosen = selection();
  let state: State | null = null;
  let source: Source | null = null;
  /** Keep the open card in sight while it fills, until a person scrolls. */
  let watched = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The step that a person wants to see, while it is asked where it is. */
  let revealed: number | null = null;

  const host = remembering(bare, () => state?.head.session);
  const opened = (act: (row: Row) => void) => (row: Row): void => {
    if (!chosen.open && chosen.place !== null) {
      pick(chosen.place, true);
    }
    act(row);
  };
  const all = deeds(
    link, host, () => state, (row) => card.edits(row), opened((row) => card.edit(row)), opened((row) => card.restore(row)),
  );
  const card: CardView = cardView(link, host, all, (change) => {
    holding(steps.root, change);
    steps.measure();
    if (watched) {
      bring();
    }
  });
  const small = thumbs(host);
  const steps = list(
    id,
    () =>
      state && source && {
        source,
        lines: state.lines,
        line: state.head.line,
        current: state.head.current,
        selected: chosen.place,
        card: chosen.open ? card.root : null,
        away: (row) => cellOf(row, host),
        active: (row) => host.isActive?.(row) ?? false,
      },
    (wasAtEnd) => {
      draw();
      if (wasAtEnd) {
        steps.toEnd();
      }
    },
    small.make,
  );
  const bar = filterBar(id, choose, () => steps.root.focus(), host.searchAll);
  const foot = footer(host, go);
  const empty = h('p', { class: 'wfnb-empty', hidden: true });
  const root = h('div', { class: 'wfnb-timeline' }, bar.root, empty, steps.root, foot.root, small.root);

  function draw(): void {
    if (state !== null && source !== null) {
      const [now, from] = [state, source];
      holding(steps.root, () => drawn(now, from));
    }
  }

  function drawn(now: State, from: Source): void {
    chosen.settle(from, current(now));
    if (chosen.open && chosen.row) {
      card.show(chosen.row);
    } else {
      card.root.remove();
      card.hide();
    }
    steps.draw();
    steps.measure();
    bar.count(from.count, now.count);
    text(empty, none(from, now, host));
    vacate(from.count === 0);
    foot.show(chosen.place === null ? current(now) : chosen.row, chosen.place, from.count ?? 0);
  }

  /** A list without steps is no place to be: who is there goes on in the search. */
  function vacate(empties: boolean): void {
    const leaves = empties && document.activeElement === steps.root;
    empty.hidden = !empties;
    steps.root.hidden = empties;
    if (leaves) {
      bar.focus();
    }
  }

  function pick(place: number, opened: boolean): void {
    revealed = null;
    chosen.pick(place, source?.row(place) ?? null, opened);
    watched = true;
    draw();
  }

  /** The selected step comes in sight. */
  function bring(): boolean {
    if (chosen.place !== null) {
      steps.reveal(chosen.place);
    }
    return chosen.place !== null;
  }

  function go(where: Intent): void {
    const count = source?.count ?? 0;
    const start = where === 'up' ? count - 2 : count - 1;
    const place = moved(where, chosen.place, count, steps.page, start);
    if (place !== null) {
      pick(place, chosen.open);
      bring();
    }
  }

  async function reveal(key: number): Promise<void> {
    if (source?.whole === false) {
      bar.clear();
    }
    revealed = key;
    try {
      const place = (state && placeOf(state, key)) ?? (await link.ask('card', { key })).index;
      if (revealed === key && state !== null && place < state.count) {
        pick(place, true);
        bring();
      }
    } catch (reason) {
      host.say(sentence(reason));
    }
  }

  function toCell(row: Row | null): void {
    if (row?.cell_id) {
      host.goToCell?.(row.cell_id, row.part);
    } else if (row) {
      host.say(__('Step %1 is in no cell of this notebook.', row.number));
    }
  }

  function menu(place: number, x: number, y: number): boolean {
    const row = source?.row(place);
    if (!host.menu || !row) {
      return false;
    }
    steps.still(place, () => pick(place, chosen.open && chosen.place === place));
    const open: Deed = { name: () => !chosen.open && __('open its card'), act: () => (pick(place, true), bring()) };
    const able = writable(link.state);
    const items = [open, ...all].flatMap(({ name, act, writes }) => {
      const label = name(row);
      return label ? [{ label, act: writes && !able ? null : () => void act(row) }] : [];
    });
    host.menu(items, x, y, () => steps.root.focus({ preventScroll: true }));
    return true;
  }

  function choose(filter: Filter | null): void {
    if (state === null) {
      return;
    }
    chosen.seek();
    if (filter === null) {
      source = everything(state);
    } else {
      const mine = passing(link, filter, () => mine === source && draw());
      source = mine;
    }
    draw();
    if (bring()) {
      return;
    }
    if (filter === null) {
      steps.toEnd();
    } else {
      steps.toTop();
    }
  }

  /** What passes may be other steps now: asked again, but not more often than this. */
  function again(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      source?.refresh();
      draw();
    }, PAUSE);
  }

  const deaf = host.cellsChanged?.(() => {
    card.offer();
    draw();
  });

  gestures(steps.root, {
    get open() {
      return chosen.open;
    },
    go,
    turn() {
      if (chosen.place === null) {
        go('last');
      } else {
        pick(chosen.place, !chosen.open);
        bring();
      }
    },
    turnAt(place) {
      steps.still(place, () => pick(place, !(chosen.open && chosen.place === place)));
      steps.reveal(place);
    },
    menu,
    close() {
      chosen.close();
      draw();
      steps.root.focus({ preventScroll: true });
    },
    toCell: () => toCell(chosen.row),
    search: () => bar.focus(),
    scrolled: () => (watched = false),
  });

  return {
    name: __('Timeline'),
    root,
    show(now, changed) {
      const first = state === null;
      const follows = first || steps.atEnd;
      if (now !== state) {
        state = now;
        source = source?.whole === false ? source : everything(now);
      }
      if (!source?.whole && (changed.has('row') || changed.has('count'))) {
        again();
      }
      if (changed.has('head') || changed.has('lines')) {
        bar.offer(now);
      }
      draw();
      if (follows && source?.whole && (first || changed.has('count'))) {
        steps.toEnd();
      }
    },
    focus() {
      if (!source?.count) {
        return false;
      }
      if (chosen.place === null) {
        chosen.follow();
        draw();
      }
      bring();
      steps.root.focus({ preventScroll: true });
      return true;
    },
    search: () => bar.focus(),
    reveal: (key) => void reveal(key),
    dispose() {
      clearTimeout(timer);
      deaf?.();
      bar.dispose();
      card.dispose();
      steps.dispose();
      small.dispose();
      source = state = null;
      revealed = null;
    },
  };
};

/** Where the cell of a step is, that is not in this notebook. */
function cellOf(row: Row, host: Host): string {
  if (row.cell_id === null || host.holds?.(row) !== false) {
    return '';
  }
  const file = host.elsewhere?.(row) ?? null;
  return file === null ? __('no cell') : __('in %1', file.replace(/\.ipynb$/, ''));
}
