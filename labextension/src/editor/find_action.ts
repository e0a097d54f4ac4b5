/** The data of a definition, a name → the action that is called that; or a Refusal. */

import type { Data, Json, Path } from './commands';
import { lacks } from './names';
import { actions } from './places';
import { Refusal } from './refusal';
import { isMapping } from './tree';

export function formOf(data: Data): 'states' | 'steps' {
  if (isMapping(data.states) || Array.isArray(data.steps)) {
    return isMapping(data.states) ? 'states' : 'steps';
  }
  throw new Refusal('The workflow has neither a mapping `states` nor a list `steps`.');
}

/** What the definition calls one of its actions. */
export function noun(data: Data): string {
  return formOf(data) === 'states' ? 'state' : 'step';
}

export function findAction(data: Data, name: string): { name: string; path: Path; action: Json } {
  const found = actions(data).find((each) => each.name === name);
  if (found === undefined) {
    throw new Refusal(`There is no ${noun(data)} '${name}'.`);
  }
  return found;
}

export function checkName(data: Data, name: string): void {
  const wrong = lacks(name, formOf(data));
  if (wrong !== null) {
    throw new Refusal(`A ${noun(data)} cannot be called '${name}': a name has ${wrong}.`);
  }
  if (actions(data).some((each) => each.name === name)) {
    throw new Refusal(`There is a ${noun(data)} '${name}' already.`);
  }
}
