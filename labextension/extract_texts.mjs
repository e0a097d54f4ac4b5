// src/, schema/ → wfnb/locale/wfnb.pot: every text that a person reads, for translators. `make words` writes it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

import { parsed, untranslated } from './untranslated_texts.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const CALLS = { __: 1, _n: 2 };
/** Types whose members the kernel says. */
const LISTS = ['Term', 'Clause'];
/** What hands them on. */
const WORDS = 'src/translation.ts';
const SETTINGS = 'schema/plugin.json';

/** In the order of the files: `{texts: [one] or [one, many], files}`; and `faults`, sentences. */
export function words() {
  const found = new Map();
  const faults = [];
  const add = (file, ...texts) => {
    const entry = found.get(texts[0]) ?? { texts, files: new Set() };
    if (entry.texts.join() !== texts.join()) {
      faults.push(`${file}: ${texts[0]} has one form here, and two elsewhere`);
    }
    found.set(texts[0], { ...entry, files: entry.files.add(file) });
  };
  for (const file of sources()) {
    const code = parsed(readFileSync(join(here, file), 'utf8'), file);
    const visit = (node) => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text in CALLS) {
        call(node, file, add, faults);
      } else if (ts.isTypeAliasDeclaration(node) && LISTS.includes(node.name.text)) {
        node.type.types.forEach(({ literal }) => add(file, literal.text));
      }
      ts.forEachChild(node, visit);
    };
    visit(code);
    faults.push(...untranslated(code).map((text) => `${file}: ${text} is shown as it is, in English`));
  }
  const schema = JSON.parse(readFileSync(join(here, SETTINGS), 'utf8'));
  [schema, ...Object.values(schema.properties)].forEach(({ title, description }) => {
    add(SETTINGS, title);
    add(SETTINGS, description);
  });
  return { entries: [...found.values()], faults };
}

function call(node, file, add, faults) {
  const { text: name } = node.expression;
  const count = CALLS[name];
  const texts = node.arguments.slice(0, count);
  if (file === WORDS) {
    return;
  }
  if (texts.length < count || !texts.every(ts.isStringLiteralLike)) {
    faults.push(`${file}: ${node.getText()} has no text in it that can be found`);
    return;
  }
  const values = node.arguments.length - count;
  for (const { text } of texts) {
    const places = [...text.matchAll(/%(\d)/g)].map(([, place]) => Number(place));
    if (Math.max(0, ...places) > values) {
      faults.push(`${file}: ${text} has places that nothing fills`);
    }
    if (/%%|^\s|\s$/.test(text)) {
      faults.push(`${file}: ${text} has %%, or begins or ends with a space`);
    }
  }
  add(file, ...texts.map(({ text }) => text));
}

/** The files of src/, sorted. */
export function sources() {
  return readdirSync(join(here, 'src'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `src/${name}`)
    .sort();
}

export function template() {
  const head = ['"Content-Type: text/plain; charset=utf-8\\n"', '"Content-Transfer-Encoding: 8bit\\n"'];
  const entries = words().entries.map(({ texts: [one, many], files }) => [
    `#: ${[...files].join(' ')}`,
    `msgid ${JSON.stringify(one)}`,
    ...(many === undefined
      ? ['msgstr ""']
      : [`msgid_plural ${JSON.stringify(many)}`, 'msgstr[0] ""', 'msgstr[1] ""']),
  ]);
  return [['msgid ""', 'msgstr ""', ...head], ...entries].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

const POT = join(here, '..', 'wfnb', 'locale', 'wfnb.pot');

/** What translators have now. */
export const written = () => readFileSync(POT, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(POT, template());
}
