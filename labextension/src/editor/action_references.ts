/** The data of a definition → each place that names an action: a field, a placeholder, an expression.
 *
 * What a name means is looked up as `wfnb/workflows/definition/scope.py` does: variables, captures and the fields of
 * results come before actions, which `steps.NAME` names in any case.
 */

import type { Data, Path } from './definition_data';
import { resultFields } from './result_field_names';
import { isPath } from './name_rules';
import type { Part } from './data_operations';
import { actions, ofWorkflow, PROGRAMS } from './definition_walk';
import type { Programs, Walk } from './definition_walk';
import { isMapping } from './syntax_tree';

export interface Mention {
  path: Path;
  text: string;
  /** What of the text is replaced. */
  parts: Part[];
}

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
export const OWN = ['steps', 'result', 'attempt'];
export const OF_ITEM = ['item', 'index'];

/** What of a text is replaced for the names that something gets. */
export interface Speller {
  /** A field that is the name of an action. */
  inName(text: string): Part[];
  inTemplate(text: string, hasItems: boolean): Part[];
  inExpression(text: string, hasItems: boolean): Part[];
}

/** Every place that names one of the actions, with what to write there for the names they get. */
export function mentionsOf(data: Data, renames: ReadonlyMap<string, string>, programs: Programs = {}): Mention[] {
  return mentionsBy(new ActionNames(data, renames), data, programs);
}

export function mentionsBy(names: Speller, data: Data, programs: Programs): Mention[] {
  const found: Mention[] = [];
  const see = (path: Path, text: string, parts: Part[]): void => {
    if (parts.length > 0) {
      found.push({ path, text, parts });
    }
  };
  const walk: Walk = {
    programs: { ...PROGRAMS, ...programs },
    name: (path, value) => typeof value === 'string' && see(path, value, names.inName(value)),
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

/** The placeholders in a text: where the name in each begins, and the name. */
export function placeholders(text: string): { name: string; at: number }[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(({ 1: name, index }) =>
    name !== undefined && isPath(name) ? [{ name, at: index + 1 }] : []);
}

/** The parts of an expression, where each begins, and whether it may be a name of something. */
export function words(text: string): { word: string; at: number; isName: boolean }[] {
  const found = [...text.matchAll(TOKEN)].map((match) => ({ word: match[0], at: match.index })).filter(({ word }) => word.trim() !== '');
  return found.map((each, n) => ({
    ...each,
    isName: IS_NAME.test(each.word) && found[n - 1]?.word !== '.' && found[n + 1]?.word !== '(',
  }));
}

/** What is named by patterns, and is a variable once they are found. */
export function captures(data: Data): string[] {
  return [...JSON.stringify(data).matchAll(/\(\?P<([^>]+)>/g)].map((match) => match[1]!);
}

/** What names of actions mean in one workflow, and what they are to be. */
class ActionNames implements Speller {
  private readonly names: string[];
  private readonly taken: Set<string>;

  constructor(
    data: Data,
    private readonly renames: ReadonlyMap<string, string>,
  ) {
    this.names = actions(data).map(({ name }) => name);
    const variables = isMapping(data.variables) ? Object.keys(data.variables) : [];
    this.taken = new Set([...variables, ...captures(data), ...resultFields(data), ...OWN]);
  }

  inName(text: string): Part[] {
    const to = this.renames.get(text);
    return to === undefined ? [] : [[0, text.length, to]];
  }

  inTemplate(text: string, hasItems: boolean): Part[] {
    const parts: Part[] = [];
    for (const { name, at } of placeholders(text)) {
      const [first = '', second = ''] = name.split('.');
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
    const tokens = words(text);
    const parts: Part[] = [];
    tokens.forEach(({ word, at, isName }, n) => {
      const [next, second] = [tokens[n + 1]?.word, tokens[n + 2]];
      if (!isName || (second === undefined && word === 'steps')) {
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

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !WORDS.has(name);
}
