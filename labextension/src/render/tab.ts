/** What a tab of the view is: made once, shown again whenever something that it draws has changed. */

import type { Host } from '../view_host';
import type { Link } from '../link';
import type { State } from '../store';

export type Changed = ReadonlySet<keyof State>;

export interface Tab {
  name: string;
  root: HTMLElement;
  /** Called when the tab is opened (everything counts as changed) and, while it is open, after each change. Updates
   *  in place: what has the focus keeps it. `row` in `changed` means that rows came or changed. */
  show(state: State, changed: Changed): void;
  /** Whether it has nothing to show: such a tab is not offered, and never open. */
  empty?(state: State): boolean;
  /** The small number beside the name; null for none. */
  count?(state: State): number | null;
  /** Takes the keyboard to what is meant first; false where there is nothing of the kind. */
  focus?(): boolean;
  /** Puts the focus where words are searched, if the tab has such a place. */
  search?(): void;
  /** Puts the focus on what this run asks, if the tab has the form for it. */
  answer?(run: string): void;
  /** Selects this step and opens it, if the tab has steps. */
  reveal?(key: number): void;
  dispose(): void;
}

export type MakeTab = (link: Link, host: Host) => Tab;
