/** A workflow of states, a command on its actions → the operations that do it; or a Refusal. */

import { __ } from '../translation';
import { checkName, findAction } from './action_lookup';
import type { Data, Json, Path } from './definition_data';
import type { EditCommand } from './edit_commands';
import { applied } from './data_operations';
import type { Op } from './data_operations';
import { Refusal } from './refusal';
import { insertion, isSame, set } from './field_operations';
import { isMapping } from './syntax_tree';

export type ActionCommand = Exclude<EditCommand, { do: 'set' | 'unset' | 'rename' | 'rename_variable' }>;

const SUCCESS: Json = { success: true };
const FAILURE: Json = { success: false };

export function ofStates(data: Data, command: ActionCommand): Op[] {
  switch (command.do) {
    case 'add':
      return add(data, command.name, command.action, command.after);
    case 'insert':
      return insert(data, command);
    case 'delete':
      return remove(data, command.names);
    case 'move':
      return move(data, command.name, command.before);
    case 'between':
      return between(data, command.name, command.from, command.to);
    case 'connect':
      return connect(data, command.from, command.to, command.condition ?? otherwise(data, command.from));
    case 'disconnect':
      return disconnect(data, command.from, command.to);
  }
}

function states(data: Data): Data {
  return data.states as Data;
}

function add(data: Data, name: string, action: Data, after?: string): Op[] {
  checkName(data, name);
  const names = Object.keys(states(data));
  const before = after === undefined ? null : (names[names.indexOf(findAction(data, after).name) + 1] ?? null);
  const ops: Op[] = [{ op: 'insert', path: ['states', name], value: action, before }];
  return data.initial_state === undefined ? [...ops, ...set(data, ['initial_state'], name)] : ops;
}

function insert(data: Data, { name, action, from, to }: ActionCommand & { do: 'insert' }): Op[] {
  const leading = edges(data, from, to);
  findAction(data, to);
  const own = Array.isArray(action.transitions) ? action.transitions : [];
  const transitions = [...own, { condition: SUCCESS, next_state: to }];
  return [
    ...leading.map((path): Op => ({ op: 'set', path: at(path), value: name })),
    ...add(data, name, { ...action, transitions }, from),
  ];
}

function remove(data: Data, names: readonly string[]): Op[] {
  const gone = new Set(names.map((name) => findAction(data, name).name));
  const left = Object.entries(states(data)).filter(([name]) => !gone.has(name));
  const ops: Op[] = left.flatMap(([name, state]) =>
    without(name, state, (target) => gone.has(target)).map((path) => ({ op: 'remove', path })),
  );
  if (left.length === 0) {
    throw new Refusal(__('A workflow needs a state: the last one cannot be deleted.'));
  }
  const initial = data.initial_state;
  if (typeof initial === 'string' && gone.has(initial)) {
    ops.push({ op: 'set', path: ['initial_state'], value: nextInitial(data, initial, gone) });
  }
  return [...ops, ...[...gone].map((name): Op => ({ op: 'remove', path: ['states', name] }))];
}

/** Where a run begins that cannot begin with what is gone: with what came after that, else with the first state. */
function nextInitial(data: Data, initial: string, gone: ReadonlySet<string>): string {
  const stays = (name: string): boolean => !gone.has(name) && Object.hasOwn(states(data), name) && !isLast(data, name);
  const queue = [initial];
  for (const name of queue) {
    const next = targets(name, states(data)[name]!).map(([, target]) => target);
    const found = next.find(stays);
    if (found !== undefined) {
      return found;
    }
    queue.push(...next.filter((each) => gone.has(each) && !queue.includes(each)));
  }
  const names = Object.keys(states(data));
  return names.find(stays) ?? names.find((name) => !gone.has(name))!;
}

function move(data: Data, name: string, before: string | null): Op[] {
  findAction(data, name);
  const names = Object.keys(states(data));
  const next = names[names.indexOf(name) + 1] ?? null;
  if (before !== null) {
    findAction(data, before);
  }
  return before === name || before === next ? [] : [{ op: 'move', path: ['states', name], before }];
}

/** Only the states that are named change: each transition keeps its condition. */
function between(data: Data, name: string, from: string, to: string): Op[] {
  const leading = edges(data, from, to);
  const { action } = findAction(data, name);
  const own = targets(name, action);
  const after = [...new Set(own.map(([, target]) => target))].filter((target) => target !== name);
  if (name === from || name === to) {
    throw new Refusal(__("State '%1' is there already.", name));
  }
  if (after.length > 1) {
    throw new Refusal(__("State '%1' leads to %2 states: say in its form where it leads.", name, after.length));
  }
  if (isLast(data, name)) {
    throw new Refusal(__("State '%1' is always done last by itself: it has no connections.", name));
  }
  const [next] = after;
  const ops: Op[] = leading.map((path) => ({ op: 'set', path: at(path), value: name }));
  for (const [other, state] of Object.entries(states(data)).filter(([other]) => other !== name)) {
    const pointing = targets(other, state).filter(([, target]) => target === name).map(([path]) => path);
    const bridges = next !== undefined && next !== other;
    ops.push(...(bridges ? pointing : []).map((path): Op => ({ op: 'set', path: at(path), value: next as string })));
    if (!bridges && pointing.length > 0) {
      ops.push(...without(other, state, (target) => target === name).map((path): Op => ({ op: 'remove', path })));
    }
  }
  if (data.initial_state === name) {
    ops.push({ op: 'set', path: ['initial_state'], value: next ?? from });
  }
  const pointed = own.filter(([, target]) => target === next && target !== to);
  ops.push(...pointed.map(([path]): Op => ({ op: 'set', path: at(path), value: to })));
  return next === undefined ? [...ops, ...connect(applied(data, ops), name, to, SUCCESS)] : ops;
}

function connect(data: Data, from: string, to: string, condition: Json): Op[] {
  const state = findAction(data, from).action;
  findAction(data, to);
  if (from === to) {
    throw new Refusal(__("State '%1' cannot be connected to itself here: write the transition in the text.", from));
  }
  for (const name of [from, to]) {
    if (isLast(data, name)) {
      throw new Refusal(__("State '%1' is always done last by itself: it has no connections.", name));
    }
  }
  const transition: Data = { condition, next_state: to };
  const held = isMapping(state) && Array.isArray(state.transitions) ? state.transitions : [];
  if (held.some((each) => isSame(each, transition))) {
    throw new Refusal(__("State '%1' goes to '%2' already, on that condition.", from, to));
  }
  return held.length > 0
    ? [insertion(held, ['states', from, 'transitions', held.length], transition)]
    : set(data, ['states', from, 'transitions'], [transition]);
}

/** On what a state goes on where nobody says: on its success, and once it does so, on its failure. */
function otherwise(data: Data, from: string): Json {
  const { action } = findAction(data, from);
  const asked = isMapping(action) && Array.isArray(action.transitions) ? action.transitions.map((each) => isMapping(each) && each.condition) : [];
  const has = (condition: Json): boolean => asked.some((each) => isSame(each as Json, condition));
  return has(SUCCESS) && !has(FAILURE) ? FAILURE : SUCCESS;
}

function disconnect(data: Data, from: string, to: string): Op[] {
  edges(data, from, to);
  return without(from, states(data)[from]!, (target) => target === to).map((path) => ({ op: 'remove', path }));
}

/** Where a state names another one as the next. */
function edges(data: Data, from: string, to: string): Path[] {
  const found = targets(from, findAction(data, from).action).filter(([, target]) => target === to);
  if (found.length === 0) {
    throw new Refusal(__("State '%1' does not go to '%2'.", from, to));
  }
  return found.map(([path]) => path);
}

/** Each transition of a state, and what comes after its timeout: its place, and the state that is named. */
function targets(name: string, state: Json): [Path, string][] {
  if (!isMapping(state)) {
    return [];
  }
  const held = Array.isArray(state.transitions) ? state.transitions : [];
  const found = held.map((each, n): [Path, Json | undefined] => [
    ['states', name, 'transitions', n],
    isMapping(each) ? each.next_state : undefined,
  ]);
  found.push([['states', name, 'on_timeout'], state.on_timeout]);
  return found.filter((each): each is [Path, string] => typeof each[1] === 'string');
}

/** The field of such a place that names the state. */
function at(path: Path): Path {
  return path.at(-1) === 'on_timeout' ? path : [...path, 'next_state'];
}

/** What is taken away of a state so that it names none of these: from the last to the first. */
function without(name: string, state: Json, isGone: (target: string) => boolean): Path[] {
  const gone = targets(name, state)
    .filter(([, target]) => isGone(target))
    .map(([path]) => path);
  const listed = gone.filter((path) => path.includes('transitions'));
  const isEmptied = listed.length > 0 && listed.length === (state as { transitions: Json[] }).transitions.length;
  return isEmptied
    ? [...gone.filter((path) => !listed.includes(path)), ['states', name, 'transitions']]
    : gone.reverse();
}

function isLast(data: Data, name: string): boolean {
  const state = states(data)[name];
  return isMapping(state) && state.always === true;
}
