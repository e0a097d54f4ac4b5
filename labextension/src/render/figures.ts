/** What steps showed: in a card all of it, in a row the first as a thumbnail, which is shown larger while it is pointed
 *  at. Pictures are images, in which nothing runs; tables are texts.
 */

import type { Host } from '../view_host';
import type { Dispose } from '../link';
import type { Figure, Row, Showing } from '../protocol';
import { __, _n } from '../translation';
import { attribute, h, image, on, text } from './dom';
import { table, words } from './tables';

/** Milliseconds that a thumbnail is pointed at. */
const PAUSE = 120;
const GAP = 8;
/** Figures that are remembered: those that were wanted last. */
const MAX_FIGURES = 100;

interface TableRow {
  cells: string[];
  place: number;
}

function view(figure: Figure, says: string): HTMLElement {
  if (figure.form !== 'table') {
    return image(figure.form, figure.data, says);
  }
  const columns = figure.heads.map((head, at) =>
    words<TableRow>(head, ({ cells }) => cells[at] ?? '', { names: at === 0, number: at > 0, says: __('row') }),
  );
  const made = table<TableRow>(figure.says || says, columns, ({ place }) => place, figure.says !== '');
  made.fill(figure.rows.map((cells, place) => ({ cells, place })));
  return made.root;
}

const name = ({ key, figures = [] }: Showing): string => [key, ...figures].join(' ');
const called = ({ number, figures = [] }: Showing, place: number): string => __('figure %1 of %2 of step %3', place + 1, figures.length, number);

/** All figures of the step; `filled` changes the page, each time one has come. Null where there are none. */
export function figuresPart(
  row: Showing,
  host: Host,
  filled: (change: () => void) => void,
): { name: string; make(): HTMLElement } | null {
  const { figure } = host;
  if (!row.figures || !figure) {
    return null;
  }
  const make = (): HTMLElement => {
    const places = (row.figures ?? []).map(() => h('div', { class: 'wfnb-figure' }));
    places.forEach((root, place) => {
      const show = (found: Figure | null): void =>
        filled(() => root.replaceChildren(found ? view(found, called(row, place)) : h('p', { class: 'wfnb-dim' }, __('A figure of this step is not kept any more.'))));
      figure(row, place).then(show).catch(() => show(null));
    });
    return h('div', { class: 'wfnb-figures' }, places);
  };
  return { name: `figures ${name(row)}`, make };
}

/** The same host, which is asked for each figure once; a figure that is not there is asked for again. */
export function remembering(host: Host, session: () => string | undefined): Host {
  const { figure } = host;
  if (!figure) {
    return host;
  }
  const known = new Map<string, Promise<Figure | null>>();
  const remembered: Host['figure'] = (row, place) => {
    const of = JSON.stringify([session(), name(row), place]);
    const found = known.get(of) ?? figure(row, place);
    known.delete(of); // the one that was wanted last comes last
    known.set(of, found);
    [...known.keys()].slice(0, -MAX_FIGURES).forEach((oldest) => known.delete(oldest));
    found.then((there) => there ?? known.delete(of), () => known.delete(of));
    return found;
  };
  return { ...host, figure: remembered };
}

export interface Thumb {
  root: HTMLElement;
  fill(row: Row): void;
}

export interface Thumbs {
  /** What is shown larger. */
  root: HTMLElement;
  make(): Thumb;
  dispose: Dispose;
}

export function thumbs(host: Host): Thumbs {
  const root = h('div', { class: 'wfnb-preview', 'aria-hidden': 'true' });
  root.popover = 'manual'; // above all else: what holds the panel cuts off what is larger
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** While it is shown: what takes the listeners off the page again. */
  let deaf: Dispose[] = [];

  function hide(): void {
    clearTimeout(timer);
    if (deaf.length > 0) {
      deaf.splice(0).forEach((undo) => undo());
      root.hidePopover();
    }
  }

  function show(at: HTMLElement, row: Row, figure: Figure): void {
    hide();
    const more = (row.figures?.length ?? 0) > 1 && h('p', { class: 'wfnb-dim' }, __('%1 of %2', 1, row.figures?.length ?? 0));
    root.replaceChildren(view(figure, ''), ...(more ? [more] : []));
    const { left, right, top } = at.getBoundingClientRect();
    const toLeft = left > window.innerWidth / 2;
    root.style.left = toLeft ? 'auto' : `${right + GAP}px`;
    root.style.right = toLeft ? `${window.innerWidth - left + GAP}px` : 'auto';
    root.style.top = `${Math.max(GAP, Math.min(top - 40, window.innerHeight - 340))}px`;
    root.showPopover();
    deaf = [
      on(document, 'keydown', ({ key }) => key === 'Escape' && hide()),
      on(document, 'scroll', ({ target }) => target instanceof Node && !root.contains(target) && hide(), { capture: true }),
    ];
  }

  const away = ({ relatedTarget }: PointerEvent): void => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) {
      hide();
    }
  };
  root.addEventListener('pointerleave', hide);

  function make(): Thumb {
    const picture = h('span', { 'aria-hidden': 'true' });
    const says = h('span', { class: 'wfnb-hidden' });
    const made = h('span', { class: 'wfnb-thumb', hidden: true }, picture, says);
    let known = '';
    let shown: { row: Row; figure: Figure } | null = null;
    made.addEventListener('pointerenter', () => {
      clearTimeout(timer);
      timer = setTimeout(() => shown && made.isConnected && show(made, shown.row, shown.figure), PAUSE);
    });
    made.addEventListener('pointerleave', away);
    return {
      root: made,
      fill(row) {
        const now = row.figures ? name(row) : '';
        if (now === known || !host.figure) {
          return;
        }
        known = now;
        shown = null;
        attribute(made, 'hidden', true);
        if (now === '') {
          return;
        }
        host.figure(row, 0).then((figure) => {
          if (now !== known || figure === null) {
            return;
          }
          shown = { row, figure };
          text(says, _n('%1 figure', '%1 figures', row.figures?.length ?? 0));
          picture.replaceChildren(figure.form === 'table' ? '▦' : image(figure.form, figure.data, ''));
          attribute(made, 'hidden', null);
        }).catch(() => undefined); // a row without its picture is a row
      },
    };
  }

  return {
    root,
    make,
    dispose: hide,
  };
}
