/** A text → whether an action can be called that (the rule is that of `wfnb/workflows/definition/name_rules.py`), and a name that is free. */

import { __ } from '../translation';

/** Letters and marks that show nothing. */
const INVISIBLE = /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const LETTER = String.raw`\p{L}\p{Nl}`;
const PART = String.raw`${LETTER}\p{Mn}\p{Mc}\p{Nd}`;
// of digits only those of ASCII and other scripts, as `category` has them; ² and ½ are none
const STATE = new RegExp(`^[${LETTER}_][${PART}_]*$`, 'u');
const STEP = new RegExp(`^[${LETTER}_][${PART}_-]*$`, 'u');
const DOTTED = new RegExp(`^[${LETTER}_][${PART}_-]*(?:\\.[${PART}_-]+)*$`, 'u');

/** Whether a placeholder can have a name with dots. */
export function isPath(text: string): boolean {
  return DOTTED.test(text) && !INVISIBLE.test(text);
}

/** What a text lacks to be the name of a state, or of a step; null: nothing. */
export function lacks(text: string, form: 'states' | 'steps'): string | null {
  const normal = text.normalize('NFKC');
  const pattern = form === 'states' ? STATE : STEP;
  if (!pattern.test(text) || !pattern.test(normal) || INVISIBLE.test(text)) {
    return form === 'states'
      ? __('letters, digits and _, beginning with a letter or _')
      : __('letters, digits, _ and -, beginning with a letter or _');
  }
  return normal === text ? null : __("its normal form (NFKC), which may look the same: '%1'", normal);
}

/** The name itself, or with the first number from 2 on that makes it one that is not taken. */
export function freeName(stem: string, taken: readonly string[]): string {
  let free = stem;
  for (let n = 2; taken.includes(free); n += 1) {
    free = `${stem}_${n}`;
  }
  return free;
}
