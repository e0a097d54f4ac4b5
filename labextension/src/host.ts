/** What differs between the places where the renderer lives (the panel in JupyterLab, the widget in a cell):
 *  what a place cannot do is absent, and then nothing offers it.
 */

import type { Row } from './picture';

export interface Host {
  /** Scroll to the cell and show which step of it is meant (`part`, from 0). */
  goToCell?(cell_id: string, part: number): void;
  /** A new cell for the next step; with a stage where a person chose one. */
  newStep?(stage?: string): void;
  branchFrom?(row: Row): void;
  revise?(row: Row): void;
  /** A new cell that brings back what the step kept, for a person to run. */
  restore?(row: Row): void;
  /** Interrupt the cell that keeps the kernel busy. */
  interrupt?(): void;
  /** Tell a person something that has no place of its own. */
  say(text: string): void;
}
