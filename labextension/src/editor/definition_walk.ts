/** The data of a definition → its actions, and each place of it that can have a name: a field, a text with placeholders,
 *  an expression.
 */

import type { Data, Json, Path } from './definition_data';
import { isMapping } from './syntax_tree';

/** Parameters that hold a program, by tool: no brace in them is a placeholder. */
export type Programs = Readonly<Record<string, readonly string[]>>;

export const PROGRAMS: Programs = { python: ['code'] };
/** A parameter that is a workflow itself: its placeholders are its own. */
const DEFINITION = 'workflow_definition';

/** Actions by their names, in order. */
export function actions(data: Data): { name: string; path: Path; action: Json }[] {
  if (isMapping(data.states)) {
    return Object.entries(data.states).map(([name, action]) => ({ name, path: ['states', name], action }));
  }
  const steps = Array.isArray(data.steps) ? data.steps : [];
  return steps.map((action, n) => ({ name: stepId(action, n), path: ['steps', n], action }));
}

export function stepId(step: Json, place: number): string {
  const own = isMapping(step) ? step.id : undefined;
  return typeof own === 'string' && own !== '' ? own : `step_${place + 1}`;
}

/** The id of what a step needs. */
export function needId(need: Json): string | null {
  const id = isMapping(need) ? need.id : need;
  return typeof id === 'string' ? id : null;
}

/** What is told of each place: what it says, and whether names of an item are known there. */
export interface Walk {
  programs: Programs;
  name(path: Path, value: Json | undefined): void;
  template(path: Path, text: string, hasItems: boolean): void;
  expression(path: Path, text: string, hasItems: boolean): void;
}

export function ofWorkflow(data: Data, walk: Walk): void {
  if (isMapping(data.states)) {
    walk.name(['initial_state'], data.initial_state);
  }
  for (const { path, action } of actions(data)) {
    if (isMapping(action)) {
      ofAction(action, path, walk, path[0] === 'states');
    }
  }
  for (const [name, output] of entries(data.outputs)) {
    const isLong = isMapping(output);
    expression(isLong ? output.value : output, ['outputs', name, ...(isLong ? ['value'] : [])], walk, false);
  }
}

function ofAction(action: Data, path: Path, walk: Walk, isState: boolean): void {
  const hasItems = action.for_each !== undefined;
  const each = isMapping(action.for_each) ? action.for_each.items : action.for_each;
  const eachPath = [...path, 'for_each', ...(isMapping(action.for_each) ? ['items'] : [])];
  if (isState) {
    items(action.transitions).forEach((transition, n) => {
      if (isMapping(transition)) {
        walk.name([...path, 'transitions', n, 'next_state'], transition.next_state);
        condition(transition.condition, [...path, 'transitions', n, 'condition'], walk, hasItems);
      }
    });
    walk.name([...path, 'on_timeout'], action.on_timeout);
    ofCall(action.action, [...path, 'action'], walk, hasItems);
    items(action.steps).forEach((step, n) => {
      if (isMapping(step)) {
        ofAction(step, [...path, 'steps', n], walk, false);
      }
    });
  } else {
    items(action.needs).forEach((need, n) => {
      walk.name([...path, 'needs', n, ...(isMapping(need) ? ['id'] : [])], isMapping(need) ? need.id : need);
    });
    ofCall(action, path, walk, hasItems);
  }
  expression(action.when, [...path, 'when'], walk, hasItems);
  if (typeof each === 'string') {
    expression(each, eachPath, walk, false);
  } else if (each !== undefined) {
    template(each, eachPath, walk, false);
  }
  ofRetry(action.retry, [...path, 'retry'], walk, hasItems);
  if (isMapping(action.repeat)) {
    condition(action.repeat.until, [...path, 'repeat', 'until'], walk, hasItems);
  }
  ofUndo(action.compensation, [...path, 'compensation'], walk, hasItems);
  items(action.on_error).forEach((fallback, n) => {
    if (isMapping(fallback)) {
      const own = [...path, 'on_error', n];
      condition(fallback.when, [...own, 'when'], walk, hasItems);
      ofCall(fallback, own, walk, hasItems);
      template(fallback.result, [...own, 'result'], walk, hasItems);
      ofUndo(fallback.compensation, [...own, 'compensation'], walk, hasItems);
    }
  });
}

function ofCall(call: Json | undefined, path: Path, walk: Walk, hasItems: boolean): void {
  if (!isMapping(call)) {
    return;
  }
  const programs = walk.programs[String(call.tool)] ?? [];
  for (const given of ['params', 'args']) {
    for (const [name, value] of entries(call[given])) {
      if (!programs.includes(name) && !(name === DEFINITION && isMapping(value))) {
        template(value, [...path, given, name], walk, hasItems);
      }
    }
  }
}

function ofUndo(undo: Json | undefined, path: Path, walk: Walk, hasItems: boolean): void {
  ofCall(undo, path, walk, hasItems);
  if (isMapping(undo)) {
    ofRetry(undo.retry, [...path, 'retry'], walk, hasItems);
  }
}

function ofRetry(retry: Json | undefined, path: Path, walk: Walk, hasItems: boolean): void {
  if (isMapping(retry)) {
    condition(retry.when, [...path, 'when'], walk, hasItems);
    condition(retry.unless, [...path, 'unless'], walk, hasItems);
  }
}

function condition(asked: Json | undefined, path: Path, walk: Walk, hasItems: boolean): void {
  if (!isMapping(asked)) {
    expression(asked, path, walk, hasItems);
    return;
  }
  expression(asked.expression, [...path, 'expression'], walk, hasItems);
  for (const key of ['any', 'all']) {
    items(asked[key]).forEach((part, n) => condition(part, [...path, key, n], walk, hasItems));
  }
  condition(asked.not, [...path, 'not'], walk, hasItems);
}

function expression(text: Json | undefined, path: Path, walk: Walk, hasItems: boolean): void {
  if (typeof text === 'string') {
    walk.expression(path, text, hasItems);
  }
}

function template(value: Json | undefined, path: Path, walk: Walk, hasItems: boolean): void {
  if (typeof value === 'string') {
    walk.template(path, value, hasItems);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      template(item as Json, [...path, key], walk, hasItems);
    }
  }
}

function items(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function entries(value: Json | undefined): [string, Json][] {
  return isMapping(value) ? Object.entries(value) : [];
}
