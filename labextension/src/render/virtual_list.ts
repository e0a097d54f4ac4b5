/** A virtual list: of all rows only those in sight are in the page, and the selected one. It scrolls, places and
 *  measures; what the rows are and which is selected it is told.
 */

import type { Dispose } from '../link';
import type { Line, Row } from '../protocol';
import { __ } from '../translation';
import { at, band, height, reveal, rowHeight, top } from './row_heights';
import type { Layout } from './row_heights';
import { attribute, each, h, on, s } from './dom';
import type { Thumb } from './figures';
import { columns, drawLanes } from './lanes';
import { rowView } from './timeline_row';
import type { RowView } from './timeline_row';
import type { Source } from './row_source';

/** What is drawn. `open` is the card that stands in the selected row, if it does. */
export interface Scene {
  source: Source;
  lines: readonly Line[];
  line: string;
  current: number | null;
  selected: number | null;
  card: HTMLElement | null;
  /** Where the cell of the step is, if it is not in this notebook: "no cell", "in other.ipynb"; else ''. */
  away(row: Row): string;
  /** Whether it is the step of the cell that a person is at. */
  active(row: Row): boolean;
}

export interface List {
  root: HTMLElement;
  draw(): void;
  /** The card is another, or of another height. */
  measure(): void;
  /** Scroll until this row is in sight; `still` keeps it where it was before `change`. */
  reveal(place: number): void;
  still(place: number, change: () => void): void;
  toEnd(): void;
  toTop(): void;
  /** How many rows fit. */
  readonly page: number;
  readonly atEnd: boolean;
  dispose: Dispose;
}

export function list(
  id: string,
  scene: () => Scene | null,
  resized: (wasAtEnd: boolean) => void,
  thumb: () => Thumb,
): List {
  const views = new WeakMap<Element, RowView>();
  let extra = 0;
  /** How high a row was when all was drawn. */
  let row = rowHeight(Infinity);
  let atEnd = true;
  /** First and end of the rows that are in the page. */
  let held: readonly [number, number] = [0, 0];
  let spread: readonly unknown[] = [];
  let lanes = columns([], 0);
  let known: readonly Line[] = [];
  let named = new Map<string, Line>();

  const rows = h('div', { role: 'rowgroup' });
  const svg = s('svg', { class: 'wfnb-lanes', 'aria-hidden': 'true' });
  const canvas = h('div', { role: 'presentation', class: 'wfnb-canvas' }, rows, svg);
  const root = h(
    'div',
    { role: 'grid', class: 'wfnb-list', tabindex: 0, 'aria-label': __('Steps') },
    canvas,
  );

  /** Of the list itself, and of the card, which grows when something in it is opened. */
  const observer =
    typeof ResizeObserver === 'function'
      ? new ResizeObserver((changed) => {
          const was = atEnd;
          if (root.clientHeight === 0) {
            return;
          }
          measure();
          if (changed.some(({ target }) => target === root)) {
            resized(was);
          }
        })
      : null;

  const layout = ({ source, selected, card }: Scene): Layout => ({
    count: source.count ?? 0,
    row: root.clientWidth > 0 ? rowHeight(root.clientWidth) : row,
    open: card === null ? null : selected,
    extra,
  });
  const nameOf = (source: Source, place: number): number => source.row(place)?.key ?? -1 - place;
  const show = each<number, HTMLElement>(
    rows,
    (place) => nameOf((scene() as Scene).source, place),
    (place) => {
      const view = rowView(`${id}-${nameOf((scene() as Scene).source, place)}`, thumb());
      views.set(view.root, view);
      return view.root;
    },
    (element, place) => {
      const now = scene() as Scene;
      const row = now.source.row(place);
      const chosen = place === now.selected;
      element.style.transform = `translateY(${top(layout(now), place)}px)`;
      const open = chosen ? now.card !== null : null;
      const line = row && named.get(row.branch);
      views.get(element)?.fill(row, line, place, open, row !== undefined && row.key === now.current, row && now.away(row), row && now.active(row));
      if (chosen) {
        attribute(root, 'aria-activedescendant', element.id);
        if (now.card !== null && now.card.parentElement !== element) {
          element.append(now.card);
          observer?.observe(now.card);
        }
      }
    },
  );

  function draw(): void {
    const now = scene();
    if (now === null) {
      return;
    }
    const laid = layout(now);
    canvas.style.height = `${height(laid)}px`;
    if (laid.row !== row) {
      const first = at({ ...laid, row }, root.scrollTop);
      root.style.setProperty('--wfnb-row', `${laid.row}px`);
      attribute(root, 'data-narrow', laid.row > row);
      row = laid.row;
      root.scrollTop = top(laid, first);
    }
    const [first, end] = band(laid, root.scrollTop, root.clientHeight);
    held = [first, end];
    now.source.want(first, end - first);
    attribute(root, 'aria-rowcount', now.source.count ?? -1);
    if (now.selected === null) {
      attribute(root, 'aria-activedescendant', null);
    }
    if (now.lines !== known) {
      known = now.lines;
      named = new Map(known.map((line) => [line.id, line]));
    }
    show(places(first, end, now.selected));
    drawn(now, laid, first, end);
    seen(laid);
  }

  function seen(laid: Layout): void {
    if (root.clientHeight > 0) {
      atEnd = root.scrollTop + root.clientHeight >= height(laid) - 2;
    }
  }

  /** Somebody scrolls: nothing is drawn while what comes in sight is there already. */
  function scrolled(): void {
    const now = scene();
    if (now === null) {
      return;
    }
    const laid = layout(now);
    const [first, end] = band(laid, root.scrollTop, root.clientHeight, 1);
    if (held[0] <= first && end <= held[1]) {
      seen(laid);
    } else {
      draw();
    }
  }

  function drawn(now: Scene, laid: Layout, first: number, end: number): void {
    const basis = [now.lines, root.clientWidth, laid.count];
    if (basis.some((value, i) => value !== spread[i])) {
      spread = basis;
      lanes = columns(now.lines, root.clientWidth);
      root.style.setProperty('--wfnb-lanes', `${lanes.width}px`);
      root.style.setProperty('--wfnb-digits', `${Math.max(2, String(laid.count).length)}ch`);
    }
    const above = top(laid, Math.max(0, first - 1));
    const below = Math.min(height(laid), top(laid, end + 1) + laid.row);
    svg.style.transform = `translateY(${above}px)`;
    attribute(svg, 'height', Math.max(0, below - above));
    const y = (place: number): number => top(laid, place) + laid.row / 2 - above;
    const { source, lines, line, current } = now;
    drawLanes(svg, { first, end, y, row: source.row, lines, line, current, whole: source.whole }, lanes);
  }

  function measure(): void {
    const card = scene()?.card;
    const higher = Math.max(0, (card?.parentElement?.offsetHeight ?? row) - row);
    if (higher !== extra) {
      extra = higher;
      draw();
    }
  }

  function scroll(to: number): void {
    if (to !== root.scrollTop) {
      root.scrollTop = to;
      draw();
    }
  }

  const quiet = on(root, 'scroll', scrolled, { passive: true });
  observer?.observe(root);

  return {
    root,
    draw,
    measure,
    reveal(place) {
      const now = scene();
      if (now !== null && root.clientHeight > 0) {
        scroll(reveal(layout(now), place, root.scrollTop, root.clientHeight));
      }
    },
    still(place, change) {
      const now = scene();
      const before = now === null ? 0 : top(layout(now), place) - root.scrollTop;
      change();
      const after = scene();
      if (after !== null) {
        scroll(Math.max(0, top(layout(after), place) - before));
      }
    },
    toEnd() {
      const now = scene();
      if (now !== null) {
        scroll(Math.max(0, height(layout(now)) - root.clientHeight));
      }
    },
    toTop: () => scroll(0),
    get page() {
      return Math.max(1, Math.floor(root.clientHeight / row) - 1);
    },
    get atEnd() {
      return atEnd;
    },
    dispose() {
      quiet();
      observer?.disconnect();
    },
  };
}

/** First to end, and the selected one wherever it is. */
function places(first: number, end: number, selected: number | null): number[] {
  const all = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  if (selected !== null && selected < first) {
    all.unshift(selected);
  } else if (selected !== null && selected >= end) {
    all.push(selected);
  }
  return all;
}
