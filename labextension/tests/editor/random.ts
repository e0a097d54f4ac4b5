/** A seed → random definitions, texts of them in all styles, and commands. The same seed gives the same. */

import type { Data, Json, Path } from '../../src/editor/definition_data';
import type { EditCommand } from '../../src/editor/edit_commands';
import { scalarText } from '../../src/editor/yaml_quoting';

export class Random {
  constructor(private state: number) {}

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  some<T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share));
  }
}

const NAMES = ['look', 'found', 'missing', 'a', 'b', 'look_up', '检查', 'größe', 'no', 'build', 'test', 'deploy', 'y', 'exit', 'null', 'over'];
const WORDS = [
  ...['echo hi', 'yes', 'no', '010', '1e3', '0x1F', '2026-11-21', '12:30', '~', 'null', '', ' x', 'x ', '- x', '# no', 'a: b'],
  ...['a #b', '{print $1}', "it's", '"q"', 'say "hi", it\'s', '[x]', '{x', '*a', '&b', '!c', '%d', '@e', '`f`', '|', '>', '?', ': x'],
  ...['库存盘点', 'emoji 😀 here', 'ñandú', 'tab\there', 'back\\slash', 'line\nbreak', 'two\nlines\n', '\nfirst', '  indented\nless\n'],
  ...['end\n\n', 'echo {look.stdout!q}', '{limit} of {limit.rows!q}', '{steps.found.stdout} and {a_exit_code}', '{{look.stdout}}', '${look.stdout}', '=', '<<'],
  ...['a,b', 'http://x.y/?z=1', 'C:\\x', 'grep -c "^x" {b.stdout}', 'x: {y}', '...', '---', '-', '1_000', '.5', 'True', '\u0085', '\u2028', '\ufeff'],
  ...['# comment\nlike {look.stdout}\n', 'a\n\n\nb', 'trailing \nspace', 'tab\n\tin\n', '}', ']', ','],
];
const KEYS = ['command', 'text', 'code', 'env', 'x-y', 'a b', '1', 'null', 'on', 'ключ', 'k:v', 'note', '#k', "k'q"];
const EXPRESSIONS = [
  ...['look.stdout > 3', 'steps["build"].exit_code == 0', "steps['look'].stdout in ['a', \"look\"]", 'not found.success'],
  ...['a_exit_code < 1 and limit', 'len(look.stdout) > 2', 'steps.test.stdout', '"look.stdout" == x'],
];

export function value(r: Random, depth = 0): Json {
  const kind = r.next();
  if (depth < 3 && kind < 0.12) {
    return Array.from({ length: r.below(4) }, () => value(r, depth + 1));
  }
  if (depth < 3 && kind < 0.28) {
    return mapping(r, depth);
  }
  return kind < 0.4 ? r.one<Json>([0, 1, -5, 1.5, 1e21, true, false, null, 1234567, 0.1]) : r.one(WORDS);
}

function mapping(r: Random, depth: number): Data {
  return Object.fromEntries(r.some(KEYS, 0.25).map((key) => [key, value(r, depth + 1)]));
}

function condition(r: Random): Json {
  return r.one<() => Json>([
    () => ({ success: r.chance(0.5) }),
    () => r.one(EXPRESSIONS),
    () => ({ pattern_match: '^(?P<rows>\\d+)$' }),
    () => ({ any: [r.one(EXPRESSIONS), { field_equals: { exit_code: 0 } }] }),
  ])();
}

function shared(r: Random): Data {
  return {
    ...(r.chance(0.2) ? { description: r.one(WORDS) } : {}),
    ...(r.chance(0.2) ? { when: r.one(EXPRESSIONS) } : {}),
    ...(r.chance(0.15) ? { retry: r.one<Json>([3, { attempts: 2, when: r.one(EXPRESSIONS) }]) } : {}),
    ...(r.chance(0.15) ? { for_each: r.one<Json>(['lines(look.stdout)', { items: ['{look.stdout}', 'x'] }, ['a', 'b']]) } : {}),
    ...(r.chance(0.15) ? { on_error: [{ result: { text: '{look.stdout}' } }] } : {}),
    ...(r.chance(0.15) ? { unknown_field: value(r) } : {}),
    ...(r.chance(0.1) ? { compensation: { tool: 'shell', params: { command: 'rm {result.stdout} {look.stdout}' } } } : {}),
  };
}

export function action(r: Random, form: 'states' | 'steps'): Data {
  const given = r.chance(0.8) ? { [r.one(['params', 'args'])]: { ...mapping(r, 1), command: r.one(WORDS) } } : {};
  const tool = r.one(['shell', 'python', 'run_workflow']);
  return form === 'states' ? { action: { tool, ...given }, ...shared(r) } : { tool, ...given, ...shared(r) };
}

export function definition(r: Random): Data {
  const names = r.some(NAMES, 0.28);
  if (names.length === 0) {
    names.push('look');
  }
  const head: Data = {
    ...(r.chance(0.5) ? { name: 'random' } : {}),
    ...(r.chance(0.3) ? { variables: { limit: value(r), ...(r.chance(0.1) ? { look: 1 } : {}) } } : {}),
  };
  const tail: Data = r.chance(0.3) ? { outputs: { rows: 'look.stdout', more: { value: r.one(EXPRESSIONS) } } } : {};
  if (r.chance(0.5)) {
    const states = names.map((name): [string, Json] => {
      const to = r.some(names, 0.3).map((next_state): Json => ({ condition: condition(r), next_state }));
      const transitions = to.length > 0 || r.chance(0.1) ? { transitions: to } : {};
      const on_timeout = r.chance(0.1) ? { on_timeout: r.one(names) } : {};
      return [name, { ...action(r, 'states'), ...transitions, ...on_timeout }];
    });
    return { ...head, initial_state: r.one(names), states: Object.fromEntries(states), ...tail };
  }
  const isChain = r.chance(0.4);
  const steps = names.map((id, n): Json => {
    const before = isChain ? [] : r.some(names.slice(0, n), 0.3);
    const needs = before.map((need): Json => (r.chance(0.2) ? { id: need, even_if: 'failed' } : need));
    const own = r.chance(0.8) ? { id } : {};
    return { ...own, ...action(r, 'steps'), ...(needs.length > 0 ? { needs } : {}) };
  });
  const mode = r.chance(0.15) ? { mode: isChain ? 'sequence' : 'parallel' } : {};
  return { ...head, ...mode, steps, ...tail };
}

/** A text that says it. */
export function text(r: Random, data: Data): string {
  const kind = r.next();
  const end = r.chance(0.2) ? '\r\n' : '\n';
  if (kind < 0.2) {
    const indent = r.one(['', '  ', '\t', '    ']);
    const json = indent === '' && r.chance(0.5) ? spacedJson(data) : JSON.stringify(data, null, indent);
    return json.replaceAll('\n', end) + r.one(['', end]);
  }
  const writer = new Writer(r, end);
  const mark = r.chance(0.03) ? '\ufeff' : '';
  const head = r.chance(0.1) ? `---${end}` : '';
  const root = r.chance(0.07) ? writer.flow(data, r.chance(0.5) ? 0 : -1) + end : writer.block(data, 0);
  const whole = head + writer.comments(0) + root + r.one(['', '', end, `# the end${end}`, `...${end}`]);
  return mark + (r.chance(0.15) ? whole.replace(/(?:\r?\n)+$/, '') : whole);
}

function spacedJson(data: Json): string {
  if (Array.isArray(data)) {
    return `[${data.map(spacedJson).join(', ')}]`;
  }
  if (typeof data === 'object' && data !== null) {
    return `{${Object.entries(data).map(([k, v]) => `${JSON.stringify(k)}: ${spacedJson(v)}`).join(', ')}}`;
  }
  return JSON.stringify(data);
}

/** YAML in a style that changes from value to value. */
class Writer {
  private readonly step: number;
  private readonly listStep: number;
  private readonly commenting: number;
  private readonly inBrackets: number;

  constructor(
    private readonly r: Random,
    private readonly end: string,
  ) {
    this.step = r.one([2, 2, 2, 4, 3]);
    this.listStep = r.one([0, this.step]);
    this.commenting = r.one([0, 0.1, 0.4]);
    this.inBrackets = r.one([0, 0.1, 0.5]);
  }

  comments(indent: number): string {
    let lines = '';
    while (this.r.chance(this.commenting / 2)) {
      const kind = this.r.next();
      const margin = kind < 0.8 ? indent : this.r.below(indent + 5);
      lines += kind < 0.2 ? this.end : `${' '.repeat(margin)}${this.r.one(['# said', "#it's: {x", '# - a: "'])}${this.end}`;
    }
    return lines;
  }

  private note(): string {
    return this.r.chance(this.commenting / 2) ? this.r.one([' # note', '   # a, b: [c', ' #']) : this.r.chance(0.03) ? '  ' : '';
  }

  private key(key: string, inBrackets: boolean): string {
    return scalarText(key, inBrackets, this.r.one(['plain', 'plain', 'plain', 'single', 'double']));
  }

  block(data: Json, indent: number): string {
    const margin = ' '.repeat(indent);
    const isSpaced = this.r.chance(0.2);
    const parts = Array.isArray(data)
      ? data.map((item) => this.entry('-', item, indent))
      : Object.entries(data as Data).map(([key, item]) => this.entry(`${this.key(key, false)}:`, item, indent));
    return parts.map((part, n) => (n > 0 && isSpaced ? this.end : '') + (n > 0 ? this.comments(indent) : '') + margin + part).join('');
  }

  private entry(head: string, data: Json, indent: number): string {
    const { r, end } = this;
    const isMany = typeof data === 'object' && data !== null && Object.keys(data).length > 0;
    if (!isMany || r.chance(this.inBrackets)) {
      return `${head}${this.inline(data, indent)}`;
    }
    if (head === '-' && r.chance(0.8)) {
      const width = 1 + r.one([1, 1, 1, 3]);
      return `-${' '.repeat(width - 1)}${this.block(data, indent + width).slice(indent + width)}`;
    }
    const step = Array.isArray(data) && head !== '-' ? this.listStep : this.step;
    return `${head}${this.note()}${end}${this.comments(indent + step)}${this.block(data, indent + step)}`;
  }

  private inline(data: Json, indent: number): string {
    const { r, end } = this;
    const isText = typeof data === 'string';
    // eslint-disable-next-line no-control-regex
    if (isText && /^[^\s][\x20-\x7e\n\u4e00-\u9fff]*$/.test(data) && data.includes('\n') && r.chance(0.7)) {
      const margin = ' '.repeat(indent + r.one([1, 2, 4]));
      const chomp = !data.endsWith('\n') ? '-' : /\n\n$/.test(data) ? '+' : '';
      const lines = data.replace(/\n$/, '').split('\n');
      return ` |${chomp}${this.note().trimEnd()}${end}${lines.map((line) => (line ? margin : '') + line + end).join('')}`;
    }
    if (isText && /^\w+( \w+)+$/.test(data) && r.chance(0.2)) {
      const margin = ' '.repeat(indent + 2);
      return r.one([` >-${end}${margin}`, ` |-${end}${margin}`, `${end}${margin}`]) + data + end;
    }
    if (data === null && r.chance(0.4)) {
      return this.note() + end;
    }
    const space = r.chance(0.05) ? '   ' : ' ';
    const lines = r.chance(0.2) ? indent + r.one([0, 2]) : -1;
    return `${space}${this.flow(data, lines, false, lines === indent)}${this.note()}${end}`;
  }

  /** In brackets; over lines that are indented so far, or on one line. */
  flow(data: Json, indent: number, inside = true, isClosedLeft = false): string {
    const { r, end } = this;
    if (typeof data !== 'object' || data === null) {
      const like = this.r.one(['plain', 'plain', 'plain', 'single', 'double'] as const);
      return scalarText(data, inside, like);
    }
    const [open, close] = Array.isArray(data) ? '[]' : '{}';
    const isLined = isClosedLeft || (indent >= 0 && r.chance(0.7));
    const step = isLined ? indent + 2 : indent;
    const parts = Array.isArray(data)
      ? data.map((item) => this.flow(item, step))
      : Object.entries(data).map(([key, item]) => `${this.key(key, true)}: ${this.flow(item, step)}`);
    if (!isLined || parts.length === 0) {
      const padding = open === '{' && parts.length > 0 && r.chance(0.2) ? ' ' : '';
      return `${open}${padding}${parts.join(', ')}${padding}${close}`;
    }
    const margin = ' '.repeat(step);
    const last = r.chance(0.2) ? ',' : '';
    const lines = parts.map((part, n) => {
      const comma = n < parts.length - 1 ? ',' : last;
      return `${this.comments(step)}${margin}${part}${comma}${this.note()}${end}`;
    });
    return `${open}${this.note()}${end}${lines.join('')}${' '.repeat(indent)}${close}`;
  }
}

/** Places in data. */
export function paths(data: Json, path: Path = []): Path[] {
  if (typeof data !== 'object' || data === null) {
    return [path];
  }
  const entries: [string | number, Json][] = Array.isArray(data) ? [...data.entries()] : Object.entries(data);
  return [path, ...entries.flatMap(([key, item]) => paths(item, [...path, key]))];
}

export function field(r: Random, data: Data): EditCommand {
  const path = r.one(paths(data).slice(1));
  const kind = r.next();
  if (kind < 0.3) {
    return { do: 'unset', path };
  }
  const held = path.reduce<Json>((here, key) => (here as Data)[key]!, data);
  const isMap = typeof held === 'object' && held !== null && !Array.isArray(held);
  const into = isMap && kind < 0.6 ? [...path, r.one([...KEYS, 'when', 'needs', 'description'])] : Array.isArray(held) && kind < 0.5 ? [...path, held.length] : path;
  return { do: 'set', path: into, value: value(r) };
}

export function names(data: Data): string[] {
  return Array.isArray(data.steps)
    ? data.steps.map((step, n) => String((step as Data).id ?? `step_${n + 1}`))
    : Object.keys((data.states ?? {}) as Data);
}

export function command(r: Random, data: Data): EditCommand {
  const all = names(data);
  const some = (): string => r.one(all);
  const fresh = (): string => r.one(['neu', 'build-image', 'no', '新', 'null', 'limit', 'if', 'step_2', ...all]);
  const made = (): Data => action(r, Array.isArray(data.steps) ? 'steps' : 'states');
  const kinds: (() => EditCommand)[] = [
    ...Array.from({ length: 6 }, () => () => field(r, data)),
    () => ({ do: 'rename', name: some(), to: fresh() }),
    () => ({ do: 'rename', name: some(), to: fresh() }),
    () => ({ do: 'rename_variable', name: 'limit', to: r.one(['most', 'größe', 'a-b', 'no', 'stdout', 'look']) }),
    () => ({ do: 'add', name: fresh(), action: made(), ...(r.chance(0.7) ? { after: some() } : {}) }),
    () => ({ do: 'insert', name: fresh(), action: made(), ...edge(r, data, all) }),
    () => ({ do: 'delete', names: [some(), ...r.some(all, 0.2)] }),
    () => ({ do: 'move', name: some(), before: r.chance(0.3) ? null : some() }),
    () => ({ do: 'connect', from: some(), to: some(), ...(r.chance(0.5) ? { condition: condition(r) } : {}) }),
    () => ({ do: 'disconnect', ...edge(r, data, all) }),
  ];
  return r.one(kinds)();
}

/** Two actions, joined if there are such. */
function edge(r: Random, data: Data, all: readonly string[]): { from: string; to: string } {
  const found: { from: string; to: string }[] = [];
  if (Array.isArray(data.steps)) {
    data.steps.forEach((step, n) => {
      const needs = ((step as Data).needs ?? []) as Json[];
      needs.forEach((need) => found.push({ from: String((need as Data).id ?? need), to: all[n]! }));
      found.push(...(n > 0 ? [{ from: all[n - 1]!, to: all[n]! }] : []));
    });
  } else {
    for (const [from, state] of Object.entries(data.states as Data)) {
      const transitions = ((state as Data).transitions ?? []) as Data[];
      found.push(...transitions.map((each) => ({ from, to: String(each.next_state) })));
    }
  }
  return found.length > 0 && r.chance(0.9) ? r.one(found) : { from: r.one(all), to: r.one(all) };
}
