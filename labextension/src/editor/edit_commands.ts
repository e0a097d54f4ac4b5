/** What the editor can ask of a workflow's text. Each is one edit: one undo takes it back. */

import type { Data, Json, Path } from './definition_data';

export type EditCommand =
  /** A field gets a value; it and what holds it are made where they are missing. `as`: how that number is written. */
  | { do: 'set'; path: Path; value: Json; as?: string | undefined }
  /** A field goes; what is left empty by it goes, too. */
  | { do: 'unset'; path: Path }
  /** An action gets another name, wherever it is mentioned. */
  | { do: 'rename'; name: string; to: string }
  /** A variable gets another name, likewise. */
  | { do: 'rename_variable'; name: string; to: string }
  /** A new action; a state or a step, as the definition has them. Last, or after another. */
  | { do: 'add'; name: string; action: Data; after?: string }
  /** A new action between two that are joined. */
  | { do: 'insert'; name: string; action: Data; from: string; to: string }
  /** Actions go, and what points to them. */
  | { do: 'delete'; names: readonly string[] }
  /** An action is written before another, or last. */
  | { do: 'move'; name: string; before: string | null }
  /** An action that is there comes between two that are joined; what led to it leads to what came after it. */
  | { do: 'between'; name: string; from: string; to: string }
  /** Two states by a transition, on a condition (success, and where that is taken, failure); two steps by a need. */
  | { do: 'connect'; from: string; to: string; condition?: Json }
  | { do: 'disconnect'; from: string; to: string };
