/** The renderer, whole: what the panel and the widget show. */

import type { Host } from '../view_host';
import type { Link } from '../link';
import { TABS } from './tabs';
import { frame } from './view_frame';
import type { View } from './view_frame';

export type { View };

/** What it returns takes the view away, as `dispose` does; `show` opens a step in it. */
export function mount(root: HTMLElement, link: Link, host: Host): View {
  return frame(root, link, host, TABS);
}
