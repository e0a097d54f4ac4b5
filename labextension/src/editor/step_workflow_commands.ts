/** A workflow of steps, a command on its actions → the operations that do it; or a Refusal.
 *
 * In a sequence each step waits for the one before it, and nothing says so but their order. Where one of these edges is
 * taken away, or another one drawn, the order is written out first: as needs of each step. A step without an id is
 * called by its place; where somebody mentions such a name, the steps that get another place get their names as ids.
 */

import { __ } from '../translation';
import { checkName, findAction } from './action_lookup';
import type { Data, Json, Path } from './definition_data';
import type { Op } from './data_operations';
import { applied } from './data_operations';
import { actions, needId, stepId } from './definition_walk';
import type { Programs } from './definition_walk';
import { mentionsOf } from './action_references';
import { Refusal } from './refusal';
import { insertion, set } from './field_operations';
import type { ActionCommand } from './state_workflow_commands';
import { isMapping } from './syntax_tree';

export function ofSteps(data: Data, command: ActionCommand, programs: Programs): Op[] {
  switch (command.do) {
    case 'add':
      return keepIds(data, add(data, command.name, command.action, command.after), programs);
    case 'insert':
      return keepIds(data, insert(data, command), programs);
    case 'delete':
      return keepIds(data, remove(data, command.names), programs);
    case 'move':
      return keepIds(data, move(data, command.name, command.before), programs);
    case 'between':
      return between(data, command.name, command.from, command.to);
    case 'connect':
      return connect(data, command.from, command.to);
    case 'disconnect':
      return disconnect(data, command.from, command.to);
  }
}

interface Step {
  id: string;
  place: number;
  needs: readonly Json[];
  isLast: boolean;
}

function stepsOf(data: Data): Step[] {
  return (data.steps as Json[]).map((step, place) => ({
    id: stepId(step, place),
    place,
    needs: isMapping(step) && Array.isArray(step.needs) ? step.needs : [],
    isLast: isMapping(step) && step.always === true,
  }));
}

function isSequence(data: Data): boolean {
  return data.mode === undefined ? stepsOf(data).every((step) => step.needs.length === 0) : data.mode === 'sequence';
}

/** The step that one waits for in a sequence. */
function stepBefore(data: Data, id: string): Step | undefined {
  const steps = stepsOf(data).filter((step) => !step.isLast);
  return steps[steps.findIndex((step) => step.id === id) - 1];
}

function find(data: Data, id: string): Step {
  const { name } = findAction(data, id);
  return stepsOf(data).find((step) => step.id === name)!;
}

function add(data: Data, name: string, action: Data, after?: string): Op[] {
  checkName(data, name);
  const place = after === undefined ? stepsOf(data).length : find(data, after).place + 1;
  const { id: _, ...fields } = action;
  return [{ op: 'insert', path: ['steps', place], value: { id: name, ...fields } }];
}

function insert(data: Data, { name, action, from, to }: ActionCommand & { do: 'insert' }): Op[] {
  const [before, after] = [find(data, from), find(data, to)];
  const at = after.needs.findIndex((need) => needId(need) === from);
  const inOrder = isSequence(data) && stepBefore(data, to)?.id === before.id;
  if (at < 0 && !inOrder) {
    throw new Refusal(__("Step '%1' does not wait for '%2'.", to, from));
  }
  if (inOrder) {
    return add(data, name, action, from);
  }
  const own = Array.isArray(action.needs) ? action.needs : [];
  const needs = [after.needs[at]!, ...own.filter((need) => needId(need) !== from)];
  const replaced: Op = { op: 'set', path: ['steps', after.place, 'needs', at], value: name };
  return [replaced, ...add(data, name, { ...action, needs }, from)];
}

function remove(data: Data, names: readonly string[]): Op[] {
  const gone = new Set(names.map((name) => find(data, name).id));
  const steps = stepsOf(data);
  const left = steps.filter((step) => !gone.has(step.id));
  if (left.length === 0) {
    throw new Refusal(__('A workflow needs a step: the last one cannot be deleted.'));
  }
  const ops = left.flatMap((step) => withoutNeeds(step, (need) => gone.has(need)));
  const places = steps.filter((step) => gone.has(step.id)).map((step) => step.place);
  ops.push(...places.reverse().map((place): Op => ({ op: 'remove', path: ['steps', place] })));
  return [...ops, ...staySideBySide(data, ops)];
}

/** A step's needs without these, from the last to the first; without any, the field goes. */
function withoutNeeds(step: Step, isGone: (id: string) => boolean): Op[] {
  const path: Path = ['steps', step.place, 'needs'];
  const places = step.needs.flatMap((need, n) => (isGone(needId(need) ?? '') ? [n] : []));
  if (places.length > 0 && places.length === step.needs.length) {
    return [{ op: 'remove', path }];
  }
  return places.reverse().map((n) => ({ op: 'remove', path: [...path, n] }));
}

/** Steps side by side would be a sequence without the last of their needs: then `mode` says what they are. */
function staySideBySide(data: Data, ops: readonly Op[]): Op[] {
  const after = applied(data, ops);
  const isMany = stepsOf(after).filter((step) => !step.isLast).length > 1;
  return !isSequence(data) && isSequence(after) && isMany ? set(after, ['mode'], 'parallel') : [];
}

function move(data: Data, name: string, before: string | null): Op[] {
  const { place } = find(data, name);
  const to = before === null ? stepsOf(data).length : find(data, before).place;
  if (to === place || to === place + 1) {
    return [];
  }
  return [{ op: 'move', path: ['steps', place], before: before === null ? null : to }];
}

/** In a sequence it is written there. Else it waits for the one and the other for it; those that waited for it wait for
 *  what it waited for.
 */
function between(data: Data, name: string, from: string, to: string): Op[] {
  const [step, before, after] = [find(data, name), find(data, from), find(data, to)];
  if (step.id === before.id || step.id === after.id) {
    throw new Refusal(__("Step '%1' is there already.", name));
  }
  const at = after.needs.findIndex((need) => needId(need) === from);
  if (isSequence(data)) {
    return move(data, name, to);
  }
  if (at < 0) {
    throw new Refusal(__("Step '%1' does not wait for '%2'.", to, from));
  }
  if (step.needs.length > 1) {
    throw new Refusal(__("Step '%1' waits for %2 steps: say in its form for which.", name, step.needs.length));
  }
  const [need] = step.needs.map(needId);
  const ops = stepsOf(data).flatMap((other): Op[] => {
    const place = other.needs.findIndex((each) => needId(each) === name);
    const path: Path = ['steps', other.place, 'needs', place];
    const isThere = need == null || need === other.id || other.needs.some((each) => needId(each) === need);
    return place < 0 ? [] : isThere ? withoutNeeds(other, (id) => id === name) : [respelled(other.needs[place]!, path, need)];
  });
  const bridged = applied(data, ops);
  const now = find(bridged, to).needs;
  const held = now.findIndex((each) => needId(each) === from);
  ops.push(respelled(now[held]!, ['steps', after.place, 'needs', held], name));
  ops.push(...set(applied(data, ops), ['steps', step.place, 'needs'], [from]));
  const done = applied(data, ops);
  if (waitsFor(done, from, name)) {
    throw new Refusal(__("Step '%1' waits for '%2': they cannot wait for each other.", from, name));
  }
  return ops;
}

/** A need of another step, on the same terms. */
function respelled(need: Json, path: Path, id: string): Op {
  return { op: 'set', path: isMapping(need) ? [...path, 'id'] : path, value: id };
}

function connect(data: Data, from: string, to: string): Op[] {
  const [before, after] = [find(data, from), find(data, to)];
  if (before.id === after.id) {
    throw new Refusal(__("Step '%1' cannot wait for itself.", from));
  }
  const last = [before, after].find((step) => step.isLast);
  if (last !== undefined) {
    throw new Refusal(__("Step '%1' is always done last by itself: it has no connections.", last.id));
  }
  const ops = writeOrder(data);
  const written = applied(data, ops);
  const needs = find(written, to).needs;
  if (needs.some((need) => needId(need) === from)) {
    throw new Refusal(__("Step '%1' waits for '%2' already.", to, from));
  }
  if (waitsFor(written, from, to)) {
    throw new Refusal(__("Step '%1' waits for '%2': they cannot wait for each other.", from, to));
  }
  const path: Path = ['steps', after.place, 'needs'];
  return [...ops, ...(needs.length > 0 ? [insertion([...needs], [...path, needs.length], from)] : set(written, path, [from]))];
}

function disconnect(data: Data, from: string, to: string): Op[] {
  find(data, from);
  const ops = writeOrder(data);
  const written = applied(data, ops);
  const taken = withoutNeeds(find(written, to), (need) => need === from);
  if (taken.length === 0) {
    throw new Refusal(__("Step '%1' does not wait for '%2'.", to, from));
  }
  const all = [...ops, ...taken];
  return [...all, ...(isSequence(applied(data, all)) ? set(applied(data, all), ['mode'], 'parallel') : [])];
}

/** The order of a sequence as needs; nothing where there are needs. */
function writeOrder(data: Data): Op[] {
  if (!isSequence(data)) {
    return [];
  }
  let after = data;
  const ops: Op[] = [];
  const also = (more: Op[]): void => {
    ops.push(...more);
    after = applied(after, more);
  };
  for (const step of stepsOf(data)) {
    const before = step.isLast ? undefined : stepBefore(data, step.id);
    if (before !== undefined && !step.needs.some((need) => needId(need) === before.id)) {
      const path: Path = ['steps', step.place, 'needs'];
      also(
        step.needs.length > 0
          ? [{ op: 'insert', path: [...path, step.needs.length], value: before.id }]
          : set(after, path, [before.id]),
      );
    }
  }
  if (data.mode !== undefined) {
    also([{ op: 'remove', path: ['mode'] }]);
  }
  return ops;
}

/** Whether a step waits for another one, perhaps for one that waits for it. */
function waitsFor(data: Data, from: string, to: string): boolean {
  const needs = new Map(stepsOf(data).map((step) => [step.id, step.needs.map(needId)]));
  const queue: string[] = [from];
  for (const id of queue) {
    queue.push(...(needs.get(id) ?? []).filter((need): need is string => need !== null && !queue.includes(need)));
  }
  return queue.includes(to);
}

/** The same operations, and ids for the steps that are called by a place which they lose. */
function keepIds(data: Data, ops: Op[], programs: Programs): Op[] {
  const places = ops
    .filter((op) => op.path.length === 2 && op.path[0] === 'steps')
    .map((op): Op => (op.op === 'insert' ? { ...op, value: -1 } : op));
  const steps = data.steps as Json[];
  const was = applied({ steps: steps.map((_, n) => n) }, places).steps as number[];
  const after = applied(data, ops);
  const moved = was.flatMap((old, now) =>
    old >= 0 && old !== now && stepId(steps[old]!, old) !== stepId(steps[old]!, now) ? [{ old, now }] : [],
  );
  const gone = steps.flatMap((step, n) => (was.includes(n) || stepId(step, n) === stepId(step, -1) ? [] : [n]));
  const names = [...moved.map(({ old }) => old), ...gone].map((n) => `step_${n + 1}`);
  const ids = actions(after).map(({ name }) => name);
  const isMentioned = mentionsOf(data, new Map(names.map((name) => [name, name])), programs).length > 0;
  if (!isMentioned && new Set(ids).size === ids.length) {
    return ops;
  }
  return [...ops, ...moved.flatMap(({ old, now }) => set(after, ['steps', now, 'id'], `step_${old + 1}`))];
}
