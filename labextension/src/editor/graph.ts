/** The data of a definition → what a diagram shows: its actions, and what leads from one to the next. Whatever the data
 *  are, there is a graph: what points nowhere points to a ghost, and what is no action is left out.
 */

import type { Data, Json, Path } from './definition_data';

export interface ActionNode {
  name: string;
  /** Where it is written; null for a ghost: a name that is mentioned, and no action has. */
  path: Path | null;
  tool: string;
  description: string;
  /** How it is done, in words that fit a node: `retry 3×`, `for each`, `undo: shell`. */
  marks: Mark[];
  first: boolean;
  /** Nothing comes after it. */
  last: boolean;
}

export interface Mark {
  kind: 'when' | 'for_each' | 'repeat' | 'retry' | 'timeout' | 'on_error' | 'compensation' | 'always' | 'cache' | 'steps';
  text: string;
}

export interface Way {
  from: string;
  to: string;
  /** `order`: one step after the other as they are written. */
  kind: 'transition' | 'timeout' | 'need' | 'order';
  label: string;
}

export interface Graph {
  form: 'states' | 'steps';
  /** Nothing can be drawn where there is neither `states` nor `steps`. */
  nodes: ActionNode[];
  ways: Way[];
  /** Written one after the other; a new step comes after the last. */
  inSequence: boolean;
}

export function graph(data: Json): Graph {
  const root = mapping(data);
  return 'states' in root ? ofStates(root) : ofSteps(root);
}

function ofStates(root: Data): Graph {
  const states = Object.entries(mapping(root.states)).filter(([, state]) => isMapping(state)) as [string, Data][];
  const ways: Way[] = [];
  for (const [from, state] of states) {
    const together = new Map<string, string[]>();
    for (const each of list(state.transitions).map(mapping)) {
      if (typeof each.next_state === 'string') {
        const labels = together.get(each.next_state) ?? [];
        together.set(each.next_state, [...labels, conditionText(each.condition)]);
      }
    }
    together.forEach((labels, to) => ways.push({ from, to, kind: 'transition', label: labels.join(' or ') }));
    if (typeof state.on_timeout === 'string') {
      ways.push({ from, to: state.on_timeout, kind: 'timeout', label: 'timeout' });
    }
  }
  const leaves = new Set(ways.map(({ from }) => from));
  const nodes = states.map(([name, state]) => {
    const tool = isGroup(state) ? 'steps' : mapping(state.action).tool;
    const first = name === root.initial_state;
    return node(name, ['states', name], state, tool, first, !leaves.has(name));
  });
  return { form: 'states', nodes: withGhosts(nodes, ways, root.initial_state), ways, inSequence: false };
}

function ofSteps(root: Data): Graph {
  const steps = list(root.steps).map((step, place) => ({ step: mapping(step), place })).filter(({ step }) => 'tool' in step);
  const named = steps.map(({ step, place }) => ({ step, place, name: stepName(step, place) }));
  const inSequence = root.mode === undefined || root.mode === null
    ? !named.some(({ step }) => list(step.needs).length > 0)
    : root.mode === 'sequence';
  const ways: Way[] = [];
  let before: string | null = null;
  for (const { step, name } of named.filter((each) => each.step.always !== true)) {
    const needs = new Set<string>();
    for (const need of list(step.needs)) {
      const id = isMapping(need) ? need.id : need;
      if (typeof id === 'string' && !needs.has(id)) {
        needs.add(id);
        ways.push({ from: id, to: name, kind: 'need', label: needText(need) });
      }
    }
    if (inSequence && before !== null && !needs.has(before)) {
      ways.push({ from: before, to: name, kind: 'order', label: '' });
    }
    before = name;
  }
  const [waits, leaves] = [new Set(ways.map(({ to }) => to)), new Set(ways.map(({ from }) => from))];
  const nodes = named.map(({ step, place, name }) =>
    node(name, ['steps', place], step, step.tool, !waits.has(name) && step.always !== true, !leaves.has(name)),
  );
  return { form: 'steps', nodes: withGhosts(nodes, ways, null), ways, inSequence };
}

/** The id of a step, or that of its place; in a group with the name of its state. */
export function stepName(step: Data, place: number, group = 'step'): string {
  return typeof step.id === 'string' && step.id !== '' ? step.id : `${group}_${place + 1}`;
}

/** Whether a state is a group of steps, and calls no tool itself. */
export function isGroup(state: Data): boolean {
  return Array.isArray(state.steps);
}

/** The steps of a group in few words: `lint, test, sum after lint`. */
function groupText(name: string, state: Data): string {
  return list(state.steps)
    .map(mapping)
    .map((step, place) => {
      const needs = list(step.needs).map((need) => (isMapping(need) ? need.id : need));
      return `${stepName(step, place, name)}${needs.length > 0 ? ` after ${needs.join(' and ')}` : ''}`;
    })
    .join(', ');
}

function node(name: string, path: Path, work: Data, tool: unknown, first: boolean, last: boolean): ActionNode {
  return {
    name,
    path,
    tool: typeof tool === 'string' ? tool : '',
    description: typeof work.description === 'string' ? work.description : '',
    marks: isGroup(work) ? [{ kind: 'steps', text: groupText(name, work) }, ...marks(work)] : marks(work),
    first,
    last,
  };
}

function withGhosts(nodes: ActionNode[], ways: Way[], initial: Json | undefined): ActionNode[] {
  const known = new Set(nodes.map(({ name }) => name));
  const mentioned = ways.flatMap(({ from, to }) => [from, to]);
  if (typeof initial === 'string') {
    mentioned.push(initial);
  }
  const ghosts = [...new Set(mentioned)].filter((name) => !known.has(name));
  return [
    ...nodes,
    ...ghosts.map((name) => ({
      name, path: null, tool: '', description: '', marks: [], first: name === initial, last: true,
    })),
  ];
}

function marks(work: Data): Mark[] {
  const found: Mark[] = [];
  const add = (kind: Mark['kind'], text: string): unknown => found.push({ kind, text });
  const { when, for_each, repeat, retry, timeout, on_error, compensation } = work;
  if (typeof when === 'string') {
    add('when', `when ${when}`);
  }
  if (for_each !== undefined && for_each !== null) {
    const each = isMapping(for_each) ? for_each.items : for_each;
    add('for_each', `for each ${typeof each === 'string' ? each : ''}`.trim());
  }
  if (isMapping(repeat)) {
    add('repeat', `until ${conditionText(repeat.until)}`);
  }
  const times = isMapping(retry) ? retry.attempts : retry;
  if (typeof times === 'number' && times > 0) {
    add('retry', `retry ${times}×`);
  }
  if (typeof timeout === 'number') {
    add('timeout', `≤ ${timeout} s`);
  }
  if (list(on_error).length > 0) {
    const doing = list(on_error).map((each) => mapping(each).tool ?? 'a result');
    add('on_error', `else ${doing.join(', ')}`);
  }
  if (isMapping(compensation)) {
    add('compensation', `undo: ${String(compensation.tool ?? '')}`);
  }
  if (work.always === true) {
    add('always', 'always last');
  }
  if (work.cache === true) {
    add('cache', 'cached');
  }
  return found;
}

/** A condition in a few words, as `wfnb/workflows/views/run_words.py` says it; an expression is its own. */
export function conditionText(condition: Json | undefined): string {
  if (typeof condition === 'string') {
    return condition;
  }
  const parts = Object.entries(mapping(condition)).map(([kind, of]) => conditionPart(kind, of));
  return parts.map((each) => (parts.length > 1 && each.includes(' or ') ? `(${each})` : each)).join(' and ');
}

function conditionPart(kind: string, of: Json): string {
  const facts = (word: string): string => Object.entries(mapping(of)).map(([name, value]) => `${name} ${word} ${JSON.stringify(value)}`).join(' and ');
  const several = (word: string): string => {
    const said = list(of).map(conditionText);
    return said.map((each) => (said.length > 1 && each.includes(' ') ? `(${each})` : each)).join(word);
  };
  switch (kind) {
    case 'success':
      return of === false ? 'not success' : 'success';
    case 'timeout_occurred':
      return of === false ? 'no timeout' : 'timeout';
    case 'pattern_match':
      return `/${plain(of)}/`;
    case 'pattern_not_match':
      return `no /${plain(of)}/`;
    case 'field_equals':
      return facts('=');
    case 'field_contains':
      return facts('has');
    case 'any':
      return several(' or ');
    case 'all':
      return several(' and ');
    case 'not':
      return `not (${conditionText(of)})`;
    case 'expression':
      return plain(of);
    default:
      return `${kind}: ${plain(of)}`;
  }
}

function needText(need: Json): string {
  const { even_if, only_if } = mapping(need);
  return only_if === 'failed' ? 'if failed' : even_if === 'failed' ? 'even if failed' : '';
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isMapping(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapping(value: Json | undefined): Data {
  return isMapping(value) ? value : {};
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
