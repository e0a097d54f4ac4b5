/** A change of a shared text that one undo takes back, alone: what follows within half a second of another change is
 *  one with it to its undo manager, unless that is told to stop. */

import type { ISharedText } from '@jupyter/ydoc';

/** The manager is there in every shared text of JupyterLab, and in no interface of it. */
type Undoing = ISharedText & { undoManager?: { stopCapturing(): void } | null };

export function oneEdit(shared: ISharedText, change: () => void): void {
  const { undoManager } = shared as Undoing;
  undoManager?.stopCapturing();
  shared.transact(change);
  undoManager?.stopCapturing();
}
