/** A text with placeholders, or an expression: the names that are known there are offered, after `{` or as one is begun,
 *  and under the field stands where those in it come from.
 */

import * as React from 'react';

import type { KnownName, Schema } from '../protocol';
import { __ } from '../translation';
import type { Path } from './definition_data';
import { useListKeys } from './use_list_keys';

/** As many as need no bar to scroll them: more of a name says which. */
const MAX_NAMES = 8;
/** Characters in a line of the form, and lines. */
const [WIDE, TALL] = [26, 12];
/** The placeholder that is being written before the cursor: nothing that a shell or a template has for itself. */
const BEGUN = /(?<![${])\{([\p{L}\p{Nl}_][\p{L}\p{M}\p{N}_.-]*)?$/u;

/** The name that is being written in an expression: none within quotes. */
const BEGUN_NAME = /^(?:[^"']|"[^"]*"|'[^']*')*?((?<![\p{L}\p{M}\p{N}_.])[\p{L}\p{Nl}_][\p{L}\p{M}\p{N}_.]*)$/u;
/** A name that an expression can have: `a-b` is a difference there. */
const IN_EXPRESSION = /^[\p{L}\p{M}\p{N}_.]+$/u;
/** What is asked or done once an action has ended. */
const AFTER = ['compensation', 'on_error', 'transitions', 'repeat', 'retry'];

/** The parts of a workflow that may name what is known there. */
const SCOPES = new Set<string | number | undefined>(['states', 'steps', 'outputs']);

/** Those of the names that are known at a place. */
export function namesAt(path: Path, schema: Schema, names: readonly KnownName[]): readonly KnownName[] {
  if (schema['x-verbatim'] || path.at(-1) === 'description' || !SCOPES.has(path[0])) {
    return [];
  }
  const ended = AFTER.some((field) => path.includes(field));
  const isExpression = schema.format === EXPRESSION;
  return names.filter(({ name, kind }) =>
    (kind !== 'gave' || ended) && (kind !== 'item' || !path.includes('for_each')) && (!isExpression || IN_EXPRESSION.test(name)));
}

/** The format of a text that is an expression: names stand in it without braces. */
export const EXPRESSION = 'expression';

/** What is offered at a cursor, and from where on it takes the place of the text. */
export function offered(text: string, cursor: number, names: readonly KnownName[], isBare = false): { from: number; names: KnownName[] } {
  const begun = isBare && text === '' ? [''] : (isBare ? BEGUN_NAME : BEGUN).exec(text.slice(0, cursor));
  const word = (begun?.[1] ?? '').toLowerCase();
  const fits = begun ? names.filter(({ name }) => name.toLowerCase().includes(word)) : [];
  const first = fits.filter(({ name }) => name.toLowerCase().startsWith(word));
  const found = [...new Set([...first, ...fits])].slice(0, MAX_NAMES);
  const isWhole = isBare && found.length === 1 && found[0]?.name === begun?.[1];
  return { from: cursor - (isBare ? word.length : begun?.[0]?.length ?? 0), names: isWhole ? [] : found };
}

/** The text with a name at the cursor, and where the cursor is then. */
export function completed(text: string, cursor: number, from: number, name: string, quotes: boolean, isBare = false): [string, number] {
  if (isBare) {
    return [text.slice(0, from) + name + text.slice(cursor).replace(/^[\p{L}\p{M}\p{N}_.]+/u, ''), from + name.length];
  }
  const placed = `{${name}${quotes ? '!q' : ''}}`;
  const rest = text.slice(cursor).replace(/^[\p{L}\p{M}\p{N}_.-]*(?:!q)?\}/u, '');
  return [text.slice(0, from) + placed + rest, from + placed.length];
}

/** The known names that stand in a text. */
export function used(text: string, names: readonly KnownName[], isBare = false): KnownName[] {
  if (isBare) {
    const words = new Set(text.replace(/"[^"]*"|'[^']*'/g, ' ').match(/[\p{L}\p{Nl}_][\p{L}\p{M}\p{N}_.]*/gu));
    return names.filter(({ name }) => words.has(name));
  }
  return text.includes('{') ? names.filter(({ name }) => text.includes(`{${name}}`) || text.includes(`{${name}!q}`)) : [];
}

/** As many as the text takes in a form, within reason. */
function rows(text: string): number {
  const taken = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / WIDE)));
  return Math.min(TALL, taken.reduce((sum, each) => sum + each));
}

export interface NamesFieldProps {
  id: string;
  value: string;
  placeholder?: string | undefined;
  readOnly?: boolean | undefined;
  names?: readonly KnownName[];
  /** A shell reads it: what is put in is put in quotes. */
  quotes?: boolean;
  /** It is an expression. */
  isBare?: boolean;
  onText(text: string): unknown;
  show?(name: string): void;
}

export function NamesField({ id, value, placeholder, readOnly, names = [], quotes = false, isBare = false, onText, show }: NamesFieldProps): React.JSX.Element {
  const field = React.useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = React.useState<number | null>(null);
  const [wanted, setWanted] = React.useState<number | null>(null);
  const offer = cursor === null || readOnly ? { from: 0, names: [] } : offered(value, cursor, names, isBare);
  const open = offer.names.length > 0;
  const put = (at: number): void => take(offer.names[at]?.name ?? '');
  const { place, again, onKeyDown } = useListKeys(id, offer.names.length, open, { Enter: put, ...(value !== '' && { Tab: put }), Escape: () => setCursor(null) });
  const option = `${id}-${place}`;

  React.useLayoutEffect(() => {
    if (open) {
      document.getElementById(`${id}-names`)?.scrollIntoView({ block: 'nearest' });
    }
  }, [id, open]);
  React.useLayoutEffect(() => {
    if (wanted !== null) {
      field.current?.setSelectionRange(wanted, wanted);
      setWanted(null);
    }
  }, [wanted]);
  function take(name: string): void {
    const [text, after] = completed(value, cursor ?? value.length, offer.from, name, quotes, isBare);
    setCursor(null);
    onText(text);
    setWanted(after);
  }
  return (
    <>
      <textarea id={id} ref={field} rows={rows(value)} value={value} spellCheck={false} readOnly={readOnly}
        placeholder={placeholder} aria-describedby={`${id}-from`}
        {...(names.length > 0 && { 'aria-autocomplete': 'list' })}
        {...(open && { 'data-open': true, 'aria-controls': `${id}-names`, 'aria-activedescendant': option })}
        onKeyDown={onKeyDown} onFocus={() => isBare && value === '' && setCursor(0)} onBlur={() => setCursor(null)}
        onChange={({ target }) => {
          again();
          setCursor(target.selectionStart);
          onText(target.value);
        }} />
      {open && (
        <ul id={`${id}-names`} className="wfnb-names" role="listbox" aria-label={__('Names that are known here')}>
          {offer.names.map(({ name, says }, n) => (
            <li key={name} id={`${id}-${n}`} role="option" aria-selected={n === place}
              onMouseDown={(event) => {
                event.preventDefault();
                take(name);
              }}>
              <b>{name}</b> <span>{says}</span>
            </li>
          ))}
        </ul>
      )}
      <div id={`${id}-from`} className="wfnb-from">
        {used(value, names, isBare).map(({ name, says, action }) => (
          <div key={name}><code>{name}</code>: {action && show
            ? <button type="button" className="wfnb-link" onClick={() => show(action)}>{says}</button>
            : says}</div>
        ))}
      </div>
    </>
  );
}
