/** Actions as a text that is a definition of its own, and such a text → what adds them to another. */

import type { Command, Data, Json, Path } from './commands';
import { graph, mapping } from './graph';
import type { ActionNode, Graph } from './graph';

export type Addition = Extract<Command, { do: 'add' }>;

export function copied(data: Data, form: Graph['form'], nodes: readonly ActionNode[]): string {
  const works = nodes.map(({ name, path }) => [name, at(data, path as Path)] as const);
  return JSON.stringify(form === 'states' ? { states: Object.fromEntries(works) } : { steps: works.map(([, work]) => work) }, null, 2);
}

/** None where the other text is of another form. A name that is taken gets a number. */
export function additions(pasted: Data, into: Graph): Addition[] {
  const { form, nodes } = graph(pasted);
  const taken = into.nodes.map(({ name }) => name);
  return (form === into.form ? nodes : []).filter(({ path }) => path).map(({ name: wanted, path }) => {
    const name = freeName(wanted, taken);
    taken.push(name);
    const { id: _, ...action } = mapping(at(pasted, path as Path));
    return { do: 'add', name, action };
  });
}

export function freeName(stem: string, taken: readonly string[]): string {
  let free = stem;
  for (let n = 2; taken.includes(free); n += 1) {
    free = `${stem}_${n}`;
  }
  return free;
}

export function at(data: Json, path: Path): Json {
  let found: Json | undefined = data;
  for (const key of path) {
    found = (found as Record<string | number, Json> | undefined)?.[key];
  }
  return found ?? null;
}
