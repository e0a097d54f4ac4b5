/** The data of a definition, another name for a variable → what is written for it wherever the variable is mentioned. */

import type { Data } from './commands';
import { FIELDS } from './fields';
import { lacks } from './names';
import type { Part } from './ops';
import type { Programs } from './places';
import { captures, isIdentifier, mentionsBy, OF_ITEM, OWN, placeholders, words } from './references';
import type { Speller } from './references';
import { Refusal } from './refusal';
import { isMapping } from './tree';

/** Null where it is the name that it has. Throws Refusal where what a name means would be another thing. */
export function variableNames(data: Data, name: string, to: string, programs: Programs): Speller | null {
  const variables = isMapping(data.variables) ? data.variables : {};
  if (!Object.hasOwn(variables, name)) {
    throw new Refusal(`There is no variable '${name}'.`);
  }
  if (name === to) {
    return null;
  }
  const wrong = lacks(to, 'steps');
  if (wrong !== null) {
    throw new Refusal(`A variable cannot be called '${to}': a name has ${wrong}.`);
  }
  if (Object.hasOwn(variables, to)) {
    throw new Refusal(`There is a variable '${to}' already.`);
  }
  const taken = new Set([...FIELDS, ...OWN, ...OF_ITEM, ...captures(data)]);
  if (taken.has(name)) {
    throw new Refusal(`Results have a '${name}', too: where the variable is meant nobody can say here. Change its name in the text.`);
  }
  if (taken.has(to)) {
    throw new Refusal(`A variable cannot be called '${to}' here: results have that name.`);
  }
  const [used] = mentionsBy(new VariableNames(to, to), data, programs);
  if (used) {
    throw new Refusal(`'${to}' is something else already in ${used.path.join('.')}.`);
  }
  const names = new VariableNames(name, to);
  const expression = isIdentifier(to) ? undefined : mentionsBy(new VariableNames(name, to, false), data, programs)[0];
  if (expression) {
    throw new Refusal(`No expression can have the name '${to}', and ${expression.path.join('.')} has '${name}'.`);
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
