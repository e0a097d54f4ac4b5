/** The timeline: all steps as a list with lanes, one of them selected and perhaps open, a bar that filters, and what
 *  can be done next. Everything by mouse and by keyboard.
 */

import { sentence } from '../link';
import type { Filter, Row } from '../picture';
import type { State } from '../store';
import { cardView } from './card';
import { current } from './current';
import { h, holding, text } from './dom';
import { filterBar } from './filter';
import { footer } from './footer';
import { intent, moved } from './keys';
import type { Intent } from './keys';
import { list } from './list';
import { settled } from './picked';
import type { Picked } from './picked';
import { everything, passing } from './source';
import type { Source } from './source';
import type { MakeTab } from './tab';

const NONE = 'No step yet. A cell that begins with %%step makes the first one.';
const NONE_PASSES = 'No step passes this filter.';
const PAUSE = 200;
let made = 0;

export const timeline: MakeTab = (link, host) => {
  const id = `wfnb-timeline-${++made}`;
  let state: State | null = null;
  let source: Source | null = null;
  let picked: Picked | null = null;
  /** The step to select again when what a filter lets pass is known. */
  let sought: Row | null = null;
  let open = false;
  /** Keep the open card in sight while it fills, until a person scrolls. */
  let watched = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The step that a person wants to see, while it is asked where it is. */
  let revealed: number | null = null;

  const card = cardView(link, host, (change) => {
    holding(steps.root, change);
    steps.measure();
    if (watched && picked !== null) {
      steps.reveal(picked.place);
    }
  });
  const steps = list(
    id,
    () =>
      state && source && {
        source,
        lines: state.lines,
        line: state.head.line,
        current: state.head.current,
        selected: chosen(),
        card: open && picked?.row ? card.root : null,
      },
    (wasAtEnd) => {
      draw();
      if (wasAtEnd) {
        steps.toEnd();
      }
    },
  );
  const bar = filterBar(id, choose, () => steps.root.focus());
  const foot = footer(host, (where) => go(where));
  const empty = h('p', { class: 'wfnb-empty', hidden: true });
  const root = h('div', { class: 'wfnb-timeline' }, bar.root, empty, steps.root, foot.root);

  const chosen = (): number | null => picked?.place ?? null;

  function draw(): void {
    if (state !== null && source !== null) {
      const [now, from] = [state, source];
      holding(steps.root, () => drawn(now, from));
    }
  }

  function drawn(now: State, from: Source): void {
    settle(from);
    if (open && picked?.row) {
      card.show(picked.row);
    } else {
      card.root.remove();
      card.hide();
    }
    steps.draw();
    steps.measure();
    bar.found(from.count, now.count);
    empty.hidden = from.count !== 0;
    text(empty, from.whole ? NONE : NONE_PASSES);
    foot.show(picked ? picked.row : current(now), chosen(), from.count ?? 0);
  }

  function settle(from: Source): void {
    if (sought !== null && from.count !== null) {
      const place = from.place(sought);
      picked = place === undefined ? picked : { place, row: sought };
      sought = null;
    }
    if (picked !== null) {
      picked = settled(picked, from);
      open = open && picked !== null;
    }
  }

  function pick(place: number, opened: boolean): void {
    revealed = null;
    picked = { place, row: source?.row(place) ?? null };
    open = opened;
    watched = true;
    draw();
  }

  function go(where: Intent): void {
    const count = source?.count ?? 0;
    const start = where === 'up' ? count - 2 : count - 1;
    const place = moved(where, chosen(), count, steps.page, start);
    if (place !== null) {
      pick(place, open);
      steps.reveal(place);
    }
  }

  async function reveal(key: number): Promise<void> {
    if (source?.whole === false) {
      bar.clear();
    }
    revealed = key;
    try {
      const place = here(key) ?? (await link.ask('card', { key })).index;
      if (revealed === key && state !== null && place < state.count) {
        pick(place, true);
        steps.reveal(place);
      }
    } catch (reason) {
      host.say(sentence(reason));
    }
  }

  function here(key: number): number | undefined {
    for (let place = (state?.count ?? 0) - 1; place >= 0; place--) {
      if (state?.row(place)?.key === key) {
        return place;
      }
    }
    return undefined;
  }

  function toCell(row: Row | null | undefined): void {
    if (row?.cell_id) {
      host.goToCell?.(row.cell_id, row.part);
    } else if (row) {
      host.say(`Step ${row.number} is in no cell of this notebook.`);
    }
  }

  function close(): void {
    open = false;
    draw();
    steps.root.focus({ preventScroll: true });
  }

  function choose(filter: Filter | null): void {
    if (state === null) {
      return;
    }
    sought = picked?.row ?? null;
    picked = null;
    if (filter === null) {
      source = everything(state);
    } else {
      const mine = passing(link, filter, () => mine === source && draw());
      source = mine;
    }
    draw();
    const place = chosen();
    if (place !== null) {
      steps.reveal(place);
    } else if (filter === null) {
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

  function key(event: KeyboardEvent): void {
    const wanted = intent(event);
    if (wanted === null || (event.target !== steps.root && wanted !== 'close')) {
      return;
    }
    if (wanted === 'close' && !open) {
      return; // Escape is for what is around then: it leads out
    }
    event.preventDefault();
    event.stopPropagation();
    if (wanted === 'search') {
      bar.focus();
    } else if (wanted === 'cell') {
      toCell(picked?.row);
    } else if (wanted === 'close') {
      close();
    } else if (wanted === 'open') {
      if (picked === null) {
        go('last');
      } else {
        pick(picked.place, !open);
        steps.reveal(picked.place);
      }
    } else {
      go(wanted);
    }
  }

  function click(event: MouseEvent): void {
    const line = (event.target as Element).closest('.wfnb-line');
    const place = Number(line?.parentElement?.getAttribute('aria-rowindex') ?? 0) - 1;
    if (place < 0 || event.detail > 1) {
      return;
    }
    steps.still(place, () => pick(place, !(open && picked?.place === place)));
    steps.reveal(place);
  }

  steps.root.addEventListener('keydown', key);
  steps.root.addEventListener('click', click);
  steps.root.addEventListener('dblclick', (event) => {
    if ((event.target as Element).closest('.wfnb-line')) {
      toCell(picked?.row);
    }
  });
  for (const scrolls of ['wheel', 'touchmove', 'pointerdown'] as const) {
    steps.root.addEventListener(scrolls, () => (watched = false), { passive: true });
  }

  return {
    name: 'Timeline',
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
    search: () => bar.focus(),
    reveal: (key) => void reveal(key),
    dispose() {
      clearTimeout(timer);
      bar.dispose();
      card.dispose();
      steps.dispose();
      source = state = null;
      revealed = null;
    },
  };
};
