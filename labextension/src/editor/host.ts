/** What the editor has of the place that it is in: the text, which is the only truth, and the way to a kernel. */

import type { Dispose, Link } from '../link';
import type { Checked, CheckedOf, RunHead, SavedWorkflow } from '../protocol';
import type { Splice } from './text_slices';

export interface EditorHost {
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly link: Link;
  text(): string;
  /** One edit, which one undo takes back. */
  splice(splices: readonly Splice[]): void;
  undo(): void;
  redo(): void;
  /** Told after the text, or what may be done with it, has changed. */
  changed(f: () => void): Dispose;
  readonly readOnly: boolean;
  /** Show this part of the text, and put the cursor there where `focus`. */
  reveal(from: number, to: number, focus: boolean): void;
  /** Underline these parts. */
  mark(parts: readonly { from: number; to: number; says: string; severity: 'error' | 'warning' }[]): void;
  /** What is wrong with the text: by the kernel, where there is one, else by the server, which knows the tools that come
   *  with wfnb. Of a `run` a kernel says what is defined otherwise now, of an `action` both which names it may use. */
  check(text: string, of?: CheckedOf): Promise<Checked>;
  /** Another workflow's file of the same folder. */
  open(file: string): void;
  /** A kernel with wfnb, started where there is none: nothing, or why there is none. */
  load(): Promise<string>;
  /** Where a person moved nodes to: kept beside the file, never in it. */
  moved(): Promise<Places>;
  keepMoved(places: Places): void;
  say(text: string): void;
  /** What a run is started with; null where a person would rather not. */
  fill(title: string, variables: SavedWorkflow['variables'], start: (typed: Record<string, string>) => Promise<RunHead>): Promise<RunHead | null>;
  /** One of these; null where a person would rather not. */
  pick(title: string, items: readonly string[]): Promise<string | null>;
  /** Whether a person wants it done. */
  choose(title: string, body: string, deed: string): Promise<boolean>;
}

export type Places = Record<string, [x: number, y: number]>;
