/** A command's label → the same, and in the palette, which shows no categories, whose command it is. */

import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

export const paletteLabel =
  (label: string) =>
  ({ palette }: ReadonlyPartialJSONObject): string => (palette ? `wfnb: ${label}` : label);
