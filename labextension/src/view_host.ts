/** What differs between the places where the renderer lives (the panel in JupyterLab, the widget in a cell):
 *  what a place cannot do is absent, and then nothing offers it.
 */

import type { Dispose } from './link';
import type { Figure, Row, Showing } from './protocol';

/** Cells that are run one after the other. */
export interface CellRun {
  /** Whether one runs, or is about to. */
  readonly going: boolean;
  /** While it goes, what runs; afterwards why it ended before all were run, '' where it did not. */
  readonly says: string;
  /** No other cell is run after the one that runs. */
  stop(): void;
  /** Told after `going` or `says` is another. */
  listen(f: () => void): Dispose;
}

/** The cells of stale steps. */
export interface StaleRun extends CellRun {
  /** All, or what is needed until this step is fresh: how many cells ran, which `tell` is told where all went well.
   *  Nothing while it goes. */
  run(upTo?: Row, tell?: (cells: number) => void): Promise<number>;
}

/** The notebook goes on where a run of it failed. */
export interface Resumption extends CellRun {
  /** Put back what was kept, run what failed, is stale or new, in order; while that goes, run no other cell. */
  run(): Promise<void>;
}

/** One of a menu; null where it cannot be done now. */
export interface Item {
  label: string;
  act: (() => void) | null;
}

export interface Host {
  resume?: Resumption;
  /** Scroll to the cell and show which step of it is meant (`part`, from 0). */
  goToCell?(cell_id: string, part: number): void;
  /** A new cell for the next step, with a stage where a person chose one; for the line of the step `after`, where that is
   *  the last of its branch. */
  newStep?(stage?: string, after?: Row | null): void;
  /** The active cell becomes a step: it gets a heading, to be typed over. */
  makeStep?(): Promise<void>;
  /** A new cell for it, over the code of the step. */
  branchFrom?(row: Row): void;
  revise?(row: Row): void;
  /** Bring back what the step kept: what came back, and what did not. Refused while a cell runs. */
  restore?(row: Row): Promise<string>;
  /** Load wfnb into the notebook's kernel, which is started where there is none. False where that failed: then a person
   *  was told. */
  load?(): Promise<boolean>;
  /** The same, and begin the session of the notebook. */
  start?(): Promise<boolean>;
  /** Whether the cell that the step ran in opens it still, here in this notebook. */
  holds?(row: Row): boolean;
  /** Whether the step is the one of the cell that a person is at. */
  isActive?(row: Row): boolean;
  /** The name of this notebook's file. */
  notebook?(): string;
  /** The name of another notebook's file that the cell of the step is in, where it is; null where that is not known. */
  elsewhere?(row: Row): string | null;
  /** What a person has to know of the history, because it is another notebook's: a sentence, or ''. */
  note?(): string;
  /** Told after that may have become otherwise. */
  noteChanged?(f: () => void): Dispose;
  /** Told after that may have become otherwise. */
  cellsChanged?(f: () => void): Dispose;
  /** What the step showed at this place, from 0 on; null where it is not kept any more. */
  figure?(row: Showing, place: number): Promise<Figure | null>;
  /** Put the cell of a step back, below the active one; when it runs it is that step. */
  insertCell?(row: Row): void;
  /** Put the code of a version into the step's cell, as one edit; below the active cell, where its own is not here. */
  putBack?(row: Row, version: number): void;
  /** Runs the cells of stale steps. */
  stale?: StaleRun;
  /** Interrupt the cell that keeps the kernel busy. */
  interrupt?(): void;
  /** A menu at this point of the page; `closed` before what was chosen is done. */
  menu?(items: readonly Item[], x: number, y: number, closed: () => void): void;
  /** Search the steps of all sessions, first for these words. */
  searchAll?(words: string): void;
  /** Tell a person something that has no place of its own. */
  say(text: string): void;
}
