/** A text that was read: its values, each with the place where it is written. Of JSON and of YAML alike. */

import type { Data, Json } from './definition_data';

export type Style = 'plain' | 'single' | 'double' | 'literal' | 'folded';
export type Plain = null | boolean | number | string;

export interface Scalar {
  kind: 'scalar';
  from: number;
  /** After its last character; of a block scalar after the end of its last line. */
  to: number;
  value: Plain;
  style: Style;
}

export interface Collection {
  kind: 'map' | 'list';
  from: number;
  to: number;
  /** Whether it is in brackets. */
  flow: boolean;
  entries: Entry[];
}

export type Node = Scalar | Collection;

export interface Entry {
  key: Scalar | null;
  /** Where its key begins, or its dash; in a list in brackets its value. */
  from: number;
  /** After the colon, or the dash; in a list in brackets where its value begins. */
  mark: number;
  value: Node;
}

export interface Tree {
  /** Without a mark of its encoding. */
  text: string;
  root: Collection;
  json: boolean;
}

/** Why a text cannot be read, and where. */
export class Mistake extends Error {
  constructor(
    readonly what: string,
    readonly at: number,
  ) {
    super(what);
  }
}

/** Lists and mappings within each other, in a definition that can be run. */
export const DEEPEST = 60;

export function tooDeep(at: number): Mistake {
  return new Mistake(`it is nested more than ${DEEPEST} levels deep`, at);
}

export function isCollection(node: Node): node is Collection {
  return node.kind !== 'scalar';
}

export function isMapping(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entry of a key, or at a place. */
export function entryOf(node: Node, key: string | number): Entry | undefined {
  if (node.kind === 'map') {
    return node.entries.find((entry) => entry.key?.value === key);
  }
  return node.kind === 'list' && typeof key === 'number' ? node.entries[key] : undefined;
}

/** What a node means. */
export function dataOf(node: Node): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.entries.map((entry) => dataOf(entry.value));
    case 'map':
      return Object.fromEntries(node.entries.map((entry) => [String(entry.key?.value), dataOf(entry.value)]));
  }
}

/** A word in quotes, cut, for a message. */
export function quoted(word: string): string {
  return `'${word.length > 80 ? `${word.slice(0, 80)}…` : word}'`;
}

const HALF = /\p{Surrogate}/u;

/** Refuses a text that cannot be kept: half a character of two. */
export function wholeText(value: string, at: number): string {
  if (HALF.test(value)) {
    throw new Mistake('a text has half a character (a lone surrogate)', at);
  }
  return value;
}

/** Refuses a number that this page would change. */
export function exactNumber(written: string, at: number): number {
  const value = Number(written);
  if (!Number.isFinite(value) || (/^[-+]?\d+$/.test(written) && !Number.isSafeInteger(value))) {
    throw new Mistake(`the number ${written.slice(0, 40)} is too large for this editor: write it in quotes`, at);
  }
  return value === 0 && !written.includes('.') ? 0 : value;
}

/** Refuses a key that a mapping has already, or that is no plain name of a value. */
export function checkKey(key: string, at: number, before: Set<string>): void {
  if (before.has(key)) {
    throw new Mistake(`the key ${quoted(key)} is there twice`, at);
  }
  if (key === '__proto__') {
    throw new Mistake("the key '__proto__' cannot be read by this editor", at);
  }
  before.add(key);
}
