/** The data of a definition, another name for a variable → what is written for it wherever the variable is mentioned. */

import { __ } from '../translation';
import type { Data } from './definition_data';
import { resultFields } from './result_field_names';
import { lacks } from './name_rules';
import type { Part } from './data_operations';
import type { Programs } from './definition_walk';
import { captures, isIdentifier, mentionsBy, OF_ITEM, OWN, placeholders, words } from './action_references';
import type { Speller } from './action_references';
import { Refusal } from './refusal';
import { isMapping } from './syntax_tree';

/** Null where it is the name that it has. Throws Refusal where what a name means would be another thing. */
export function variableNames(data: Data, name: string, to: string, programs: Programs): Speller | null {
  const variables = isMapping(data.variables) ? data.variables : {};
  if (!Object.hasOwn(variables, name)) {
    throw new Refusal(__("There is no variable '%1'.", name));
  }
  if (name === to) {
    return null;
  }
  const wrong = lacks(to, 'steps');
  if (wrong !== null) {
    throw new Refusal(__("A variable cannot be called '%1': a name has %2.", to, wrong));
  }
  if (Object.hasOwn(variables, to)) {
    throw new Refusal(__("There is a variable '%1' already.", to));
  }
  const taken = new Set([...resultFields(data), ...OWN, ...OF_ITEM, ...captures(data)]);
  if (taken.has(name)) {
    throw new Refusal(__("Results have a '%1', too: where the variable is meant nobody can say here. Change its name in the text.", name));
  }
  if (taken.has(to)) {
    throw new Refusal(__("A variable cannot be called '%1' here: results have that name.", to));
  }
  const [used] = mentionsBy(new VariableNames(to, to), data, programs);
  if (used) {
    throw new Refusal(__("'%1' is something else already in %2.", to, used.path.join('.')));
  }
  const names = new VariableNames(name, to);
  const expression = isIdentifier(to) ? undefined : mentionsBy(new VariableNames(name, to, false), data, programs)[0];
  if (expression) {
    throw new Refusal(__("No expression can have the name '%1', and %2 has '%3'.", to, expression.path.join('.'), name));
  }
  return names;
}

class VariableNames implements Speller {
  constructor(
    private readonly name: string,
    private readonly to: string,
    private readonly withTemplates = true,
  ) {}

  inName(): Part[] {
    return [];
  }

  inTemplate(text: string): Part[] {
    const found = placeholders(text).filter(({ name }) => this.withTemplates && name.split('.')[0] === this.name);
    return found.map(({ at }) => [at, this.name.length, this.to]);
  }

  inExpression(text: string): Part[] {
    return words(text).filter(({ word, isName }) => isName && word === this.name).map(({ at }) => [at, this.name.length, this.to]);
  }
}
