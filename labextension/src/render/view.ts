/** The renderer, whole: what the panel and the widget show. */

import type { Host } from '../host';
import type { Dispose, Link } from '../link';
import { TABS } from './tabs';
import { frame } from './frame';

export function mount(root: HTMLElement, link: Link, host: Host): Dispose {
  return frame(root, link, host, TABS);
}
