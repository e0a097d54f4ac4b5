/** A tool, and where an action that calls it is wanted → the commands that add it, and its name. */

import type { Schema, Tool } from '../protocol';
import type { Data } from './definition_data';
import type { EditCommand } from './edit_commands';
import type { Graph, Way } from './graph';
import { freeName } from './name_rules';

/** Between two that are joined, else after an action; with neither it stands last. */
export interface Place {
  between?: Way;
  after?: string | undefined;
}

export function addition(graph: Graph, tools: readonly Tool[], tool: string, { between, after }: Place): { name: string; commands: EditCommand[] } {
  const name = freeName(tool, graph.nodes.map((node) => node.name));
  const given = needed(tools, tool);
  const action: Data = graph.form === 'states' ? { action: newCall(tools, tool) } : { tool, ...(given && { args: given }) };
  if (between) {
    return { name, commands: [{ do: 'insert', name, action, from: between.from, to: between.to }] };
  }
  const joined = after !== undefined && (graph.form === 'states' || !graph.inSequence);
  return {
    name,
    commands: [
      { do: 'add', name, action, ...(after !== undefined && { after }) },
      ...(joined ? [{ do: 'connect', from: after, to: name } as const] : []),
    ],
  };
}

/** A call of a tool, to begin with. */
export function newCall(tools: readonly Tool[], tool: string): Data {
  const given = needed(tools, tool);
  return { tool, ...(given && { params: given }) };
}

/** Empty texts for those that a tool cannot do without; the form asks for what is no text. */
function needed(tools: readonly Tool[], tool: string): Data | false {
  const { required = [], properties = {} }: Schema = tools.find(({ name }) => name === tool)?.parameters ?? {};
  const texts = required.filter((each) => [properties[each]?.type ?? 'string'].flat().includes('string'));
  return texts.length > 0 && Object.fromEntries(texts.map((each) => [each, '']));
}
