/** The data of a definition, a name → the action that is called that; or a Refusal. */

import { __ } from '../translation';
import type { Data, Json, Path } from './definition_data';
import { lacks } from './name_rules';
import { actions } from './definition_walk';
import { Refusal } from './refusal';
import { isMapping } from './syntax_tree';

export function formOf(data: Data): 'states' | 'steps' {
  if (isMapping(data.states) || Array.isArray(data.steps)) {
    return isMapping(data.states) ? 'states' : 'steps';
  }
  throw new Refusal(__('The workflow has neither a mapping %1 nor a list %2.', '`states`', '`steps`'));
}

/** What the definition calls one of its actions. */
export function noun(data: Data): string {
  return formOf(data) === 'states' ? __('state') : __('step');
}

export function findAction(data: Data, name: string): { name: string; path: Path; action: Json } {
  const found = actions(data).find((each) => each.name === name);
  if (found === undefined) {
    throw new Refusal(__("There is no %1 '%2'.", noun(data), name));
  }
  return found;
}

export function checkName(data: Data, name: string): void {
  const wrong = lacks(name, formOf(data));
  if (wrong !== null) {
    throw new Refusal(__("A %1 cannot be called '%2': a name has %3.", noun(data), name, wrong));
  }
  if (actions(data).some((each) => each.name === name)) {
    throw new Refusal(__("There is a %1 '%2' already.", noun(data), name));
  }
}
