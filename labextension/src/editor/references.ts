/** The data of a definition → each place that names an action: a field, a placeholder, an expression.
 *
 * What a name means is looked up as `wfnb/workflows/definition/scope.py` does: variables, captures and the fields of
 * results come before actions, which `steps.NAME` names in any case.
 */

import type { Data, Json, Path } from './commands';
import { FIELDS } from './fields';
import { isPath } from './names';
import type { Part } from './ops';
import { isMapping } from './tree';

export interface Mention {
  path: Path;
  text: string;
  /** What of the text is replaced. */
  parts: Part[];
}

/** Parameters that hold a program, by tool: no brace in them is a placeholder. */
export type Programs = Readonly<Record<string, readonly string[]>>;

const PROGRAMS: Programs = { python: ['code'] };
/** A parameter that is a workflow itself: its placeholders are its own. */
const DEFINITION = 'workflow_definition';
const NAME = String.raw`[A-Za-z_\u{80}-\u{10ffff}][A-Za-z0-9_\-\u{80}-\u{10ffff}]*(?:\.[A-Za-z0-9_\-\u{80}-\u{10ffff}]+)*`;
const PLACEHOLDER = new RegExp(String.raw`\{\{${NAME}(?:!q)?\}\}|(?<!\$)\{(${NAME})(?:!q)?\}`, 'gu');
/** The parts of an expression: texts, numbers, names, all else sign by sign. */
const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[0-9][\w.]*|[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}_]*|\s+|./gsu;
const IS_NAME = /^[\p{L}\p{Nl}_]/u;
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}_]*$/u;
/** Words of Python, which no expression can have as names. */
const WORDS = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield true false null True False None'
  ).split(' '),
);
const OWN = ['steps', 'result', 'attempt'];
const OF_ITEM = ['item', 'index'];

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

/** Every place that names one of the actions, with what to write there for the names they get. */
export function mentionsOf(data: Data, renames: ReadonlyMap<string, string>, programs: Programs = {}): Mention[] {
  const names = new Names(data, renames);
  const found: Mention[] = [];
  const see = (path: Path, text: string, parts: Part[]): void => {
    if (parts.length > 0) {
      found.push({ path, text, parts });
    }
  };
  const walk: Walk = {
    programs: { ...PROGRAMS, ...programs },
    name: (path, value) => {
      const to = typeof value === 'string' ? renames.get(value) : undefined;
      if (to !== undefined) {
        see(path, value as string, [[0, (value as string).length, to]]);
      }
    },
    template: (path, text, hasItems) => see(path, text, names.inTemplate(text, hasItems)),
    expression: (path, text, hasItems) => see(path, text, names.inExpression(text, hasItems)),
  };
  ofWorkflow(data, walk);
  return found;
}

export function withParts(text: string, parts: readonly Part[]): string {
  let [after, at] = ['', 0];
  for (const [from, length, insert] of parts) {
    after += text.slice(at, from) + insert;
    at = from + length;
  }
  return after + text.slice(at);
}

/** What names mean in one workflow, and what they are to be. */
class Names {
  private readonly names: string[];
  private readonly taken: Set<string>;

  constructor(
    data: Data,
    private readonly renames: ReadonlyMap<string, string>,
  ) {
    this.names = actions(data).map(({ name }) => name);
    const variables = isMapping(data.variables) ? Object.keys(data.variables) : [];
    const captures = [...JSON.stringify(data).matchAll(/\(\?P<([^>]+)>/g)].map((match) => match[1]!);
    this.taken = new Set([...variables, ...captures, ...FIELDS, ...OWN]);
  }

  inTemplate(text: string, hasItems: boolean): Part[] {
    const parts: Part[] = [];
    for (const match of text.matchAll(PLACEHOLDER)) {
      const name = match[1];
      if (name === undefined || !isPath(name)) {
        continue;
      }
      const [first = '', second = ''] = name.split('.');
      const at = match.index + 1;
      if (first === 'steps') {
        const to = this.renames.get(second);
        if (to !== undefined) {
          parts.push([at + 6, second.length, to]);
        }
        continue;
      }
      const found = this.bare(first, hasItems);
      if (found !== null) {
        const isShort = !this.taken.has(found.short) && !OF_ITEM.includes(found.short);
        parts.push([at, first.length, isShort ? found.short : `steps.${found.long.join('.')}`]);
      }
    }
    return parts;
  }

  inExpression(text: string, hasItems: boolean): Part[] {
    const tokens = [...text.matchAll(TOKEN)]
      .map((match) => ({ word: match[0], at: match.index }))
      .filter(({ word }) => word.trim() !== '');
    const parts: Part[] = [];
    tokens.forEach(({ word, at }, n) => {
      const [before, next, second] = [tokens[n - 1]?.word, tokens[n + 1]?.word, tokens[n + 2]];
      if (!IS_NAME.test(word) || before === '.' || next === '(' || second === undefined && word === 'steps') {
        return;
      }
      if (word === 'steps' && second !== undefined) {
        const isText = next === '[' && /^["']/.test(second.word) && tokens[n + 3]?.word === ']';
        const name = isText ? second.word.slice(1, -1) : second.word;
        const to = isText || next === '.' ? this.renames.get(name) : undefined;
        if (to !== undefined && isText) {
          parts.push([second.at + 1, name.length, to]);
        } else if (to !== undefined && isIdentifier(to)) {
          parts.push([second.at, name.length, to]);
        } else if (to !== undefined) {
          const dot = tokens[n + 1]!.at;
          parts.push([dot, second.at + name.length - dot, `["${to}"]`]);
        }
        return;
      }
      const found = this.bare(word, hasItems);
      if (found !== null) {
        const { short, long } = found;
        const [name = '', field] = long;
        const isShort = isIdentifier(short) && !this.taken.has(short) && !OF_ITEM.includes(short);
        const spelled = isIdentifier(name) ? `steps.${name}` : `steps["${name}"]`;
        parts.push([at, word.length, isShort ? short : field === undefined ? spelled : `${spelled}.${field}`]);
      }
    });
    return parts;
  }

  /** A name without dots, or its first part: NAME, or NAME_FIELD. */
  private bare(word: string, hasItems: boolean): { short: string; long: [string] | [string, string] } | null {
    if (this.taken.has(word) || (hasItems && OF_ITEM.includes(word))) {
      return null;
    }
    const whole = this.renames.get(word);
    if (whole !== undefined) {
      return { short: whole, long: [whole] };
    }
    if (this.names.includes(word)) {
      return null;
    }
    const maker = this.names
      .filter((name) => word.startsWith(`${name}_`) && word.length > name.length + 1)
      .sort((one, other) => other.length - one.length)[0];
    const to = maker === undefined ? undefined : this.renames.get(maker);
    const field = word.slice((maker?.length ?? 0) + 1);
    return to === undefined ? null : { short: `${to}_${field}`, long: [to, field] };
  }
}

function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !WORDS.has(name);
}

// where names can be

interface Walk {
  programs: Programs;
  name(path: Path, value: Json | undefined): void;
  template(path: Path, text: string, hasItems: boolean): void;
  expression(path: Path, text: string, hasItems: boolean): void;
}

function ofWorkflow(data: Data, walk: Walk): void {
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
