/** The data of a definition, a command of the editor → the operations on the data that do it; or a Refusal. */

import { checkName, findAction, formOf } from './action_lookup';
import type { Data, Path } from './definition_data';
import type { EditCommand } from './edit_commands';
import type { Op } from './data_operations';
import { applied } from './data_operations';
import type { Programs } from './definition_walk';
import type { Mention } from './action_references';
import { mentionsBy, mentionsOf, withParts } from './action_references';
import { set, unset } from './field_operations';
import { ofStates } from './state_workflow_commands';
import { ofSteps } from './step_workflow_commands';
import { variableNames } from './variable_rename';

/** `programs`: parameters of further tools in which no brace is a placeholder. */
export function operationsOf(data: Data, command: EditCommand, programs: Programs = {}): Op[] {
  switch (command.do) {
    case 'set':
      return set(data, command.path, command.value, command.as);
    case 'unset':
      return unset(data, command.path);
    case 'rename':
      return rename(data, command.name, command.to, programs);
    case 'rename_variable': {
      const names = variableNames(data, command.name, command.to, programs);
      return names ? [...respelled(mentionsBy(names, data, programs)), { op: 'rename', path: ['variables', command.name], to: command.to }] : [];
    }
    default:
      return formOf(data) === 'states' ? ofStates(data, command) : ofSteps(data, command, programs);
  }
}

/** What points to an action: each field, placeholder and expression that names it. */
export function mentions(data: Data, name: string, programs: Programs = {}): Path[] {
  return mentionsOf(data, new Map([[name, name]]), programs).map(({ path }) => path);
}

function rename(data: Data, name: string, to: string, programs: Programs): Op[] {
  const found = findAction(data, name);
  if (name === to) {
    return [];
  }
  checkName(data, to);
  const ops = respelled(mentionsOf(data, new Map([[name, to]]), programs));
  if (found.path[0] === 'states') {
    return [...ops, { op: 'rename', path: found.path, to }];
  }
  return [...ops, ...set(applied(data, ops), [...found.path, 'id'], to)];
}

/** Other names in all that mentions something. */
function respelled(mentions: readonly Mention[]): Op[] {
  return mentions.map(({ path, text, parts }) => ({
    op: 'set',
    path,
    value: withParts(text, parts),
    parts,
  }));
}
