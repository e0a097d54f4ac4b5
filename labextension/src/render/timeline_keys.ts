/** A key → what a person wants of the timeline. */

export type Intent =
  | 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last' | 'open' | 'cell' | 'close' | 'search';

const INTENTS: Readonly<Record<string, Intent>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
  Enter: 'open',
  ' ': 'open',
  Escape: 'close',
  '/': 'search',
};

export function intent(event: KeyboardEvent): Intent | null {
  if (event.altKey || event.isComposing) {
    return null;
  }
  if (event.ctrlKey || event.metaKey) {
    return event.key === 'Enter' ? 'cell' : null;
  }
  return INTENTS[event.key] ?? null;
}

/** Where the selection goes from `from` (null: nothing was selected) among `count`, with `page` rows in sight. */
export function moved(
  wanted: Intent,
  from: number | null,
  count: number,
  page: number,
  start: number,
): number | null {
  const to = (place: number): number => Math.max(0, Math.min(count - 1, place));
  if (count === 0) {
    return null;
  }
  if (wanted === 'first' || wanted === 'last') {
    return wanted === 'first' ? 0 : count - 1;
  }
  if (from === null) {
    return to(start);
  }
  const by = { up: -1, down: 1, pageUp: -page, pageDown: page }[wanted as string];
  return by === undefined ? from : to(from + by);
}

/** For a row of tabs: which has the focus after this key; null where the key says nothing. */
export function turned(key: string, at: number, count: number): number | null {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : (to + count) % count;
}

/** A place where letters are typed: `/` is a letter there. */
export function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
