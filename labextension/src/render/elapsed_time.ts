/** A moment → how long ago that is, in the language of the page and as it goes on; the moment itself on hover. */

import { h } from './dom';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60], ['hour', 24], ['day', 30], ['month', 12], ['year', Infinity],
];
const MINUTE = 60_000;

let timer: unknown;
const language = (): string => document.documentElement.lang || 'en';

/** "this minute", "5 minutes ago", "yesterday"; in milliseconds. Nothing is in the future, whatever a clock says. */
export function ago(at: number, now: number): string {
  let past = Math.max(0, now - at) / MINUTE;
  const [unit] = UNITS.find(([, size]) => past < size || !(past /= size)) as [Intl.RelativeTimeFormatUnit, number];
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-Math.floor(past), unit);
}

const fill = (root: HTMLTimeElement): void => void (root.textContent = ago(+new Date(root.dateTime), Date.now()));

/** `at` in seconds since 1970. One timer, once a minute, tells all that are in the page. */
export function moment(at: number): HTMLElement {
  const when = new Date(at * 1000);
  const root = h('time', { class: 'wfnb-ago', title: when.toLocaleString(language()) });
  root.dateTime = when.toISOString();
  fill(root);
  timer ??= setInterval(() => document.querySelectorAll<HTMLTimeElement>('.wfnb-ago').forEach(fill), MINUTE);
  return root;
}
