/** A JSON Schema, a value → what a form needs of them: which part of it the value follows, what a field begins with. */

import definitions from '../../../wfnb/workflows/definition/workflow.schema.json';
import type { Schema } from '../protocol';
import type { Json, Path } from './definition_data';
import type { EditCommand } from './edit_commands';
import { isMapping } from './graph';
import { word } from './yaml_parser';

export const DEFS = definitions.$defs as unknown as Record<string, Schema>;

/** The part of a schema that a value follows: where it may be a number or a mapping, that which it is. */
export function chosen(schema: Schema, value: Json | undefined): Schema {
  const whole = resolved(schema);
  const ways = (whole.anyOf ?? whole.oneOf)?.map((each) => chosen(each, value)).filter(({ type }) => type !== 'null');
  if (!ways) {
    return whole;
  }
  const fits = ({ type, properties }: Schema): boolean =>
    isMapping(value) ? properties !== undefined || type === 'object'
      : Array.isArray(value) ? type === 'array'
        : value === undefined || type === undefined || [type].flat().includes(kind(value));
  return ways.find(fits) ?? ways[0] ?? {};
}

function kind(value: Json): string {
  return typeof value === 'number' ? 'number' : typeof value;
}

export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name ? { ...DEFS[name], ...(schema.description && { description: schema.description }) } : schema;
}

/** The least that a field may be, to begin with. */
export function start(schema: Schema): Json {
  const whole = resolved(schema);
  if (whole.anyOf ?? whole.oneOf) {
    return start((whole.anyOf ?? whole.oneOf)?.[0] ?? {});
  }
  if (whole.properties) {
    return Object.fromEntries((whole.required ?? []).map((name) => [name, start(whole.properties?.[name] ?? {})]));
  }
  const [type] = [whole.type ?? []].flat();
  switch (type) {
    case 'array':
      return whole.items ? [start(whole.items)] : [];
    case 'object':
      return {};
    case 'boolean':
      return whole.default !== true;
    case 'number':
    case 'integer':
      return Math.max(1, whole.minimum ?? 1);
    default:
      return whole.enum ? String(whole.enum[0]) : '';
  }
}

export const set = (path: Path, value: Json, as?: string): EditCommand => ({ do: 'set', path, value, as });
export const unset = (path: Path): EditCommand => ({ do: 'unset', path });

export function text(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** What the values of a mapping with free keys follow. */
export function valueSchema({ patternProperties, additionalProperties }: Schema): Schema {
  const [first] = Object.values(patternProperties ?? {});
  return first ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}

/** Where a value may be written as a mapping that says more: the field of it that is the value itself. */
export function longForm(schema: Schema): string | undefined {
  const long = resolved(schema).anyOf?.map(resolved).find(({ properties }) => properties);
  return long && (long.required?.[0] ?? ('default' in (long.properties ?? {}) ? 'default' : undefined));
}

/** The least that stands for a new name in a mapping. */
export function begin(schema: Schema): Json {
  const long = resolved(schema).anyOf?.map(resolved).find(({ properties, required }) => properties && !required);
  return start(long ?? schema);
}

/** Few fields, none of which has fields of its own: all of them are shown. */
export function isPlain({ properties = {} }: Schema): boolean {
  const fields = Object.values(properties);
  return fields.length <= MAX_PLAIN && fields.every(({ $ref, anyOf, properties: inner }) => !$ref && !anyOf && !inner);
}

const MAX_PLAIN = 5;

/** What is typed where a value may be of any kind, as a definition reads it. What was a text that looks like a number or
 *  a truth stays a text.
 */
export function plainValue(typed: string, before: Json | undefined): Json {
  const wasText = typeof before === 'string' && read(before) !== before;
  return wasText ? typed : read(typed);
}

function read(typed: string): Json {
  try {
    return typed === '' ? '' : word(typed, 0);
  } catch {
    return typed; // a number that JSON has not
  }
}

/** How a number that was typed is written, so that it is read as that is: 1.0 is none of 1, and 1.10 is shown so. */
export function spelling(typed: string, value: Json): string | undefined {
  const usual = JSON.stringify(value);
  const isFraction = /^[^x]*[.e]/i.test(typed);
  if (typeof value !== 'number') {
    return undefined;
  }
  return isFraction && /^-?(?:0|[1-9]\d*)\.\d+$/.test(typed) ? typed : isFraction && /^-?\d+$/.test(usual) ? `${usual}.0` : usual;
}
