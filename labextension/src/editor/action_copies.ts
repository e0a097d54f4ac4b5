/** Actions → a text that is a definition of its own, for the clipboard; such a definition → the commands that add them to another. */

import type { Data, Path } from './definition_data';
import { valueAtPath } from './definition_data';
import type { EditCommand } from './edit_commands';
import { graph, mapping } from './graph';
import type { ActionNode, Graph } from './graph';
import { freeName } from './name_rules';

export type Addition = Extract<EditCommand, { do: 'add' }>;

export function definitionText(data: Data, form: Graph['form'], nodes: readonly ActionNode[]): string {
  const works = nodes.map(({ name, path }) => [name, valueAtPath(data, path as Path)] as const);
  return JSON.stringify(form === 'states' ? { states: Object.fromEntries(works) } : { steps: works.map(([, work]) => work) }, null, 2);
}

/** None where the other text is of another form. A name that is taken gets a number. */
export function additions(pasted: Data, into: Graph): Addition[] {
  const { form, nodes } = graph(pasted);
  const taken = into.nodes.map(({ name }) => name);
  return (form === into.form ? nodes : []).filter(({ path }) => path).map(({ name: wanted, path }) => {
    const name = freeName(wanted, taken);
    taken.push(name);
    const { id: _, ...action } = mapping(valueAtPath(pasted, path as Path));
    return { do: 'add', name, action };
  });
}
