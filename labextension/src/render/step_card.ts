/** A step opened: what its row does not say, and what can be done with it. Its facts are asked for when it is shown
 *  and again when the step has changed; they are filled in place, within `filled`.
 */

import type { Host } from '../view_host';
import { sentence } from '../link';
import type { Dispose, Link } from '../link';
import type { Card, Row } from '../protocol';
import { __, term, translation } from '../translation';
import { moment } from './elapsed_time';
import { gone } from './step_actions';
import type { Deed } from './step_actions';
import { deliberate } from './double_clicks';
import { describing } from './description_form';
import { difference } from './diff_lines';
import { figuresPart } from './figures';
import { attribute, each, h, text } from './dom';
import { markup } from './safe_html';
import { icon } from './button_icons';
import { writes } from './read_only';
import { button } from './status_line';
import { AWAY, away, signed } from './state_signs';

const PAUSE = 70;
/** A title that a narrow row does not show whole. */
const LONG = 32;
/** A source of as many characters was cut: a copy would look whole. */
const CUT = 20_000;
/** Facts that the row, or the list of versions, says already. */
const SAID = new Set(['step', 'line', 'outcome', 'versions']);

export interface CardView {
  root: HTMLElement;
  show(row: Row): void;
  /** Other cells are there: something else can be done. */
  offer(): void;
  /** Whether the form of its title can be open; open it, now or as soon as what it says has come. */
  edits(row: Row): boolean;
  edit(row: Row): void;
  /** Bring back what it kept, and say what came of it. */
  restore(row: Row): void;
  /** Show nothing: an answer that comes now is for nobody. */
  hide(): void;
  dispose: Dispose;
}

export function cardView(link: Link, host: Host, deeds: readonly Deed[], filled: (change: () => void) => void): CardView {
  let shown: Row | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const body = h('div', { class: 'wfnb-markup' });
  const form = describing(link, (change) => filled(change));
  const where = h('p', { class: 'wfnb-dim', hidden: true });
  const back = h('div', { role: 'status' });
  const buttons = deeds.map((deed) => {
    const { title, writes: changes } = deed;
    const made = button('', () => shown && deed.act(shown), 'wfnb-link', { title });
    return [deed, changes ? writes(made) : made] as const;
  });
  const all = h('span', { class: 'wfnb-wraps' }, buttons.map(([, made]) => made));
  deliberate(all);
  const more = h('div');
  const root = h(
    'div',
    { role: 'gridcell', class: 'wfnb-card' },
    body,
    where,
    all,
    back,
    form.root,
    more,
  );
  let card: Card | null = null;
  /** The step whose form is wanted. */
  let wanted: number | null = null;
  const fillMore = each<Part, HTMLElement>(more, ({ name }) => name, (part) => part.make());

  function offer(row: Row): void {
    for (const [{ name }, made] of buttons) {
      text(made, name(row) || '');
      made.hidden = made.textContent === '';
    }
    const lost = gone(row, host);
    const other = lost ? (host.elsewhere?.(row) ?? null) : null;
    const file = card?.key === row.key ? card.notebook : null;
    const place = other !== null ? __('Its cell is in %1.', other) : lost ? nowhere(file === host.notebook?.() ? null : file) : '';
    text(where, [away(row) && signed(AWAY), place].filter(Boolean).join(' · '));
    where.hidden = where.textContent === '';
  }

  function fill(row: Row, now: Card): void {
    card = now;
    filled(() => {
      body.replaceChildren(long(now.title), now.html ? markup(now.html) : '');
      const showed = figuresPart(row, host, filled);
      fillMore([...(showed ? [showed] : []), ...parts(row, now, { copy, putBack })]);
      offer(row);
      edit(row);
    });
  }

  function edit(row: Row): void {
    if (card && wanted === row.key && card.key === wanted) {
      wanted = null;
      edits(row) && filled(() => form.open(row, card as Card));
    }
  }

  const edits = ({ key }: Row): boolean => card?.key !== key || card.description !== null;

  function fetch(row: Row): void {
    link.ask('card', { key: row.key }).then(
      (now) => shown === row && fill(row, now),
      (reason) => {
        if (shown === row) {
          const says = sentence(reason);
          filled(() => fillMore([{ name: says, make: () => h('p', {}, says) }]));
        }
      },
    );
  }

  /** Not where the page may not: it is neither at home nor encrypted. */
  const copy = navigator.clipboard && ((source: string): void => {
    navigator.clipboard.writeText(source).then(() => host.say(__('The source is copied.')), (reason) => host.say(sentence(reason)));
  });
  const putBack = host.putBack && ((version: number): void => {
    if (shown) {
      host.putBack?.(shown, version);
    }
  });
  const deaf = host.stale?.listen(() => shown && offer(shown));

  return {
    root,
    show(row) {
      if (row === shown) {
        return;
      }
      if (row.key !== shown?.key) {
        body.replaceChildren(long(row.title));
        fillMore([]);
        back.replaceChildren();
        form.close();
        card = wanted = null;
        attribute(root, 'aria-label', __('Step %1', row.number));
      }
      shown = row;
      offer(row);
      clearTimeout(timer);
      timer = setTimeout(() => fetch(row), PAUSE);
    },
    offer: () => shown && offer(shown),
    edits,
    edit(row) {
      wanted = row.key;
      edit(row);
    },
    restore(row) {
      const say = (says: string): void =>
        shown?.key === row.key ? filled(() => back.replaceChildren(h('p', {}, translation(says)))) : host.say(translation(says));
      void host.restore?.(row).catch(sentence).then(say);
    },
    hide() {
      shown = null;
      clearTimeout(timer);
    },
    dispose() {
      deaf?.();
      shown = null;
      clearTimeout(timer);
    },
  };
}

function long(title: string): Node {
  return title.length > LONG ? h('p', {}, title) : document.createDocumentFragment();
}

/** `from`: the file in which it was. */
function nowhere(from: string | null): string {
  return from
    ? __('Its cell is not in this notebook. It was recorded in %1.', from)
    : __('Its cell is not in this notebook.');
}

/** A part of a card: made anew only where what it says has changed, so that what is open stays open. */
interface Part {
  name: string;
  make(): HTMLElement;
}

/** What can be done with a version of the step that is shown: take its source along, put it into the step's cell. */
interface Deeds {
  copy?: ((source: string) => void) | undefined;
  putBack?: ((version: number) => void) | undefined;
}

function* parts(row: Row, card: Card, deeds: Deeds): Iterable<Part> {
  const part = (kind: string, data: unknown, make: () => HTMLElement): Part => ({
    name: `${kind} ${JSON.stringify(data)}`,
    make,
  });
  const { at, error, result, kept, findings, versions } = card;
  if (at !== undefined) {
    yield part('at', at, () => h('div', { class: 'wfnb-dim wfnb-when' }, moment(at)));
  }
  if (error !== null) {
    yield part('error', error, () => block('error', __('error'), error));
  }
  const values = facts(row, card);
  if (result !== null && !card.values.some(({ value }) => value === result)) {
    yield part('result', result, () => block('result', __('result'), result));
  }
  if (values.length > 0) {
    yield part('values', values, () =>
      named(values),
    );
  }
  if (kept) {
    yield part('kept', kept, () => keptValues(kept));
  }
  if (findings.length > 0) {
    yield part('findings', findings, () =>
      h('ul', { class: 'wfnb-findings' }, findings.map((finding) => h('li', {}, finding))),
    );
  }
  for (const version of versions) {
    if (version.source !== null || versions.length > 1) {
      const alone = versions.length === 1;
      yield part('version', [version, alone], () => versioned(version, alone, deeds));
    }
  }
}

function named(values: Card['values']): HTMLElement {
  return h('dl', { class: 'wfnb-values' }, values.map(({ name, value }) => [h('dt', {}, name), h('dd', {}, value)]));
}

function keptValues({ says, values, more }: NonNullable<Card['kept']>): HTMLElement {
  return h(
    'div',
    { class: 'wfnb-kept', role: 'group', 'aria-label': translation(says) },
    h('span', { class: 'wfnb-dim' }, translation(says)),
    named(values),
    more > 0 && h('span', { class: 'wfnb-dim' }, __('… %1 more', more)),
  );
}

function versioned({ version, says, source, changed }: Card['versions'][0], alone: boolean, { copy, putBack }: Deeds): HTMLElement {
  const name = alone ? __('source') : __('version %1 · %2', version, says);
  if (source === null) {
    return h('div', { class: 'wfnb-version' }, name);
  }
  const back = putBack && button(__('put back into its cell'), () => putBack(version), 'wfnb-link');
  const take = copy && source.length < CUT && button(icon('copy'), () => copy(source), 'wfnb-tool');
  back && attribute(back, 'aria-label', __('put version %1 back into its cell', version));
  for (const name of take ? ['aria-label', 'title'] : []) {
    attribute(take as Element, name, __('copy the source of version %1', version));
  }
  return h(
    'details',
    { class: 'wfnb-version' },
    h('summary', {}, name),
    h('div', { class: 'wfnb-wraps' }, back, take),
    changed && difference(changed, __('what it changed')),
    block('source', __('source'), source),
  );
}

function block(look: string, name: string, value: string): HTMLElement {
  return h('pre', { class: `wfnb-${look}`, tabindex: 0, role: 'group', 'aria-label': name }, value);
}

/** What is said nowhere else: facts of the step, what it ran and is tagged with, its values. A field that is called as a
 *  fact is one of its own.
 */
function facts({ runs, tags = [] }: Row, card: Card): Card['facts'] {
  const told = new Set(SAID);
  const untold = card.facts.filter(({ name }) => !told.delete(name));
  const rows = { runs: runs.join(' · '), tags: tags.map((tag) => `#${tag}`).join(' · ') };
  return [
    ...untold.map(({ name, value }) => ({ name: term(name), value })),
    ...Object.entries(rows).flatMap(([name, value]) => (value ? [{ name: term(name), value }] : [])),
    ...card.values,
  ];
}
