/** A schema, what is written for it → fields. Each keystroke is an edit of the text. */

import * as React from 'react';

import type { KnownName, Schema, Tool } from '../protocol';
import { __ } from '../translation';
import type { Data, Json, Path } from './definition_data';
import type { EditCommand } from './edit_commands';
import { isMapping, mapping } from './graph';
import type { Graph } from './graph';
import { EXPRESSION, NamesField, namesAt } from './name_completion_field';
import { begin, chosen, isPlain, longForm, plainValue, resolved, set, spaced, spelling, start, text, unset, valueSchema } from './schema_parts';

const DEEPEST = 3;

/** What every field has around it. */
export interface Around {
  graph: Graph;
  tools: readonly Tool[];
  /** What placeholders may name. */
  names: readonly KnownName[];
  readOnly: boolean;
  edit(command: EditCommand): boolean;
  /** Show where in the text it is; null: it is in another one. */
  reveal: ((path: Path) => void) | null;
  /** Select another action. */
  show(name: string): void;
}

/** Fields that name an action. */
const REFERS = new Set(['next_state', 'on_timeout', 'initial_state']);
/** For whoever has not written one yet. */
const EXAMPLE = 'build.exit_code == 0';
/** Items that a form shows. */
const MANY = 50;

interface FieldProps {
  around: Around;
  name: string;
  schema: Schema;
  value: Json | undefined;
  path: Path;
  depth: number;
  present?: boolean;
  required?: boolean;
  /** A name that somebody gave it: it is shown as it is. */
  isOwn?: boolean;
}

interface MembersProps {
  around: Around;
  schema: Schema;
  value: Record<string, Json>;
  path: Path;
  depth: number;
  /** Also those that are not said: of a tool's parameters. */
  all?: boolean;
}

/** Those that are needed first, those with fields of their own last; then a way to say the others. */
export function Members({ around, schema, value, path, depth, all }: MembersProps): React.JSX.Element {
  const needed = (name: string): boolean => schema.required?.includes(name) ?? false;
  const isLarge = (field: Schema): boolean => ['object', 'array'].includes([chosen(field, undefined).type ?? ''].flat()[0] ?? '');
  const order = ([name, field]: [string, Schema]): number => (needed(name) ? 0 : isLarge(field) ? 2 : 1);
  const known = Object.entries(schema.properties ?? {}).sort((one, other) => order(one) - order(other));
  const foreign = Object.keys(value).filter((name) => !known.some(([other]) => other === name));
  /** Of a call: what its tool takes. */
  const called = around.tools.find(({ name }) => name === value.tool)?.parameters;
  const asks = (name: string): boolean => name === 'params' && !('args' in value) && (called?.required ?? []).length > 0;
  const whole = all || isPlain(schema);
  const shown = known.filter(([name]) => whole || needed(name) || name in value || asks(name));
  const others = known.filter((each) => !shown.includes(each));
  return (
    <>
      {shown.map(([name, field]) => (
        <Field key={name} around={around} name={name} value={value[name]} path={[...path, name]} depth={depth}
          schema={called && (name === 'params' || name === 'args') ? called : typed(name, field, value)} required={needed(name)} present={!whole} />
      ))}
      {foreign.map((name) => (
        <Field key={name} around={around} name={name} schema={{}} value={value[name]} path={[...path, name]} depth={depth} present />
      ))}
      {others.length > 0 && <More around={around} fields={others} path={path} />}
    </>
  );
}

/** The kind of a value that the fields beside it name. */
function typed(name: string, field: Schema, { type }: Record<string, Json>): Schema {
  return name === 'default' && typeof type === 'string' && field.type === undefined ? { ...field, type } : field;
}

/** A mapping whose names somebody chooses; its last field does not take the whole away with it. */
function Entries({ around, schema, value, path, depth, of }: MembersProps & { of: string }): React.JSX.Element {
  const [name, setName] = React.useState('');
  const inner = valueSchema(schema);
  const add = (): void => {
    if (around.edit(set([...path, name], begin(inner)))) {
      setName('');
    }
  };
  return (
    <>
      {Object.entries(value).map(([each, held]) => (
        <Field key={each} around={around} name={each} isOwn schema={inner} value={held} path={[...path, each]} depth={depth} present />
      ))}
      <div className="wfnb-field wfnb-more-fields">
        <input aria-label={__('A name for %1', of)} placeholder={__('name')} value={name} spellCheck={false} readOnly={around.readOnly}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && name !== '' && !(name in value) && add()} />{' '}
        <button type="button" disabled={around.readOnly || name === '' || name in value} onClick={add}>{__('Add')}</button>
      </div>
    </>
  );
}

/** What most people look for. */
const WANTED = ['when', 'retry', 'compensation'];

interface MoreProps {
  around: Around;
  fields: [string, Schema][];
  path: Path;
  /** What some of them begin with, where it is not the least that they may be. */
  beginnings?: Data;
}

/** It is chosen, and then added: by the keyboard a choice goes through others. What is chosen says what it is for; the
 *  keyboard is in it once it is there. */
export function More({ around, fields, path, beginnings = {} }: MoreProps): React.JSX.Element {
  const id = React.useId();
  const [chosen, choose] = React.useState('');
  /** What the keyboard goes to once it is drawn: before another key can be pressed. */
  const next = React.useRef('');
  React.useLayoutEffect(() => {
    if (next.current !== '') {
      const select = document.getElementById(id) as HTMLSelectElement;
      (select.form?.querySelector<HTMLElement>(next.current) ?? select).focus();
      next.current = '';
    }
  });
  const [name, field] = fields.find(([each]) => each === chosen) ?? ['', {}];
  const names = fields.map(([each]) => each);
  const few = [...new Set([...WANTED.filter((each) => names.includes(each)), ...names])].slice(0, WANTED.length);
  function add(): void {
    around.edit(set([...path, name], beginnings[name] ?? start(field)));
    choose('');
    next.current = `[data-field="${CSS.escape([...path, name].join('.'))}"] :is(input, select, textarea)`;
  }
  return (
    <div className="wfnb-field wfnb-more-fields">
      <span><label htmlFor={id}>{__('Another field')}</label></span>
      <select id={id} value={name} disabled={around.readOnly} onChange={({ target }) => choose(target.value)}>
        <option value="">{few.map(spaced).join(', ')} …</option>
        {fields.map(([each, schema]) => <option key={each} value={each}>{[spaced(each), says(schema)].filter(Boolean).join(': ')}</option>)}
      </select>{' '}
      <button type="button" disabled={around.readOnly || name === ''} onClick={add}>{__('Add it')}</button>
      <p className="wfnb-about" aria-live="polite">{says(field)}</p>
    </div>
  );
}

function says(schema: Schema): string | undefined {
  return resolved(schema).description ?? schema.description;
}

export function Field(props: FieldProps): React.JSX.Element {
  const id = React.useId();
  /** A number may be written in several ways: what is being typed stays as it is. */
  const [typed, setTyped] = React.useState('');
  const { around, name, value, path, depth, present, required } = props;
  const schema = chosen(props.schema, value);
  const label = props.isOwn ? name : spaced(name) + (required ? ' *' : '');
  const { edit, readOnly } = around;
  const long = isMapping(value) || value === undefined ? undefined : longForm(props.schema);
  const remove = (
    <>
      {present && !required && (
        <button type="button" className="wfnb-remove" aria-label={__('Remove %1', label)} title={__('Remove')} disabled={readOnly}
          onClick={() => edit(unset(path))}>×</button>
      )}
      {props.isOwn && path[0] === 'variables' && (
        <NewName name={name} readOnly={readOnly} rename={(to) => edit({ do: 'rename_variable', name, to })} />
      )}
      {long && (
        <button type="button" className="wfnb-remove" aria-label={__('Say more of %1', label)} title={__('Say more')} disabled={readOnly}
          onClick={() => edit(set(path, { [long]: value as Json }))}>…</button>
      )}
    </>
  );
  const about = schema.description ?? props.schema.description;
  const place = path.join('.');
  const put = (next: Json | undefined, as?: string): unknown => edit(next === undefined ? unset(path) : set(path, next, as));
  const shell = (input: React.ReactNode): React.JSX.Element => (
    <div className="wfnb-field" title={about} data-field={place}><span><label htmlFor={id}>{label}</label>{remove}</span>{input}</div>
  );
  const frame = (inner: React.ReactNode): React.JSX.Element => (
    <fieldset title={about} data-field={place}><legend>{label}{remove}</legend>{inner}</fieldset>
  );
  const types = [schema.type ?? []].flat().filter((each) => each !== 'null');
  if (REFERS.has(name) && !props.isOwn) {
    const others = around.graph.nodes.map((node) => node.name);
    return shell(<Options id={id} options={others} value={text(value)} readOnly={readOnly} onText={(word) => put(word || undefined)} />);
  }
  if (name === 'tool' && !props.isOwn && typeof value === 'string') {
    return shell(<input id={id} list="wfnb-tools" value={value} spellCheck={false} readOnly={readOnly} onChange={({ target }) => put(target.value)} />);
  }
  if (isMapping(value) || (value === undefined && (schema.properties ? present || required : types[0] === 'object'))) {
    if (depth >= DEEPEST) {
      return elsewhere(label, __('a mapping'), path, around, remove);
    }
    const parts = { around, schema, value: mapping(value), path, depth: depth + 1 };
    return frame(schema.properties ? <Members {...parts} /> : <Entries {...parts} of={spaced(name)} />);
  }
  if (Array.isArray(value) || (value === undefined && types[0] === 'array')) {
    const [items, all] = [resolved(schema.items ?? {}), Array.isArray(value) ? value : []];
    if (depth >= DEEPEST || all.length > MANY) {
      return elsewhere(label, __('a list of %1', all.length), path, around, remove);
    }
    return frame(
      <>
        {all.map((each, at) => (
          <Field key={at} around={around} name={`${at + 1}`} schema={items} value={each} path={[...path, at]} depth={depth + 1} present />
        ))}
        <button type="button" className="wfnb-link" disabled={readOnly} onClick={() => put([...all, start(items)])}>{__('Add one')}</button>
      </>,
    );
  }
  if (schema.enum) {
    return shell(<Options id={id} options={schema.enum.map(String)} value={text(value)} readOnly={readOnly} onText={(word) => put(word || undefined)} />);
  }
  if (types[0] === 'boolean' && typeof value !== 'string' && typeof schema.default !== 'boolean' && present) {
    const word = String(value); // that nothing is said is neither of both
    return shell(<Options id={id} options={['true', 'false']} value={word} readOnly={readOnly} onText={(next) => put(next === 'true')} />);
  }
  if (types[0] === 'boolean' && typeof value !== 'string') {
    return shell(<input id={id} type="checkbox" checked={(value ?? schema.default) === true} disabled={readOnly}
      onChange={({ target }) => put(target.checked === (schema.default ?? false) ? undefined : target.checked)} />);
  }
  const isAny = types.length !== 1; // what is written says which
  const number = !isAny && (types[0] === 'number' || types[0] === 'integer') && typeof value !== 'string';
  if (number) {
    return shell(<NumberInput id={id} value={value} placeholder={text(schema.default as Json)} readOnly={readOnly} put={put} />);
  }
  function take(word: string): unknown {
    const next = isAny ? plainValue(word, value) : word;
    setTyped(word);
    return word === '' && !present && !required ? put(undefined) : put(next, isAny ? spelling(word, next) : undefined);
  }
  return <Text place={place} label={label} title={about} value={isAny && value !== undefined && plainValue(typed, value) === value ? typed : text(value)} remove={remove} readOnly={readOnly}
    placeholder={schema.format === EXPRESSION ? __('like %1', EXAMPLE) : text(schema.default as Json)} names={namesAt(path, schema, around.names)} quotes={schema.format === 'shell'} isBare={schema.format === EXPRESSION} show={around.show} onText={take} />;
}

/** What is no number yet, as `-` or nothing, changes nothing: a field that is empty goes once the keyboard leaves it. */
function NumberInput({ id, value, placeholder, readOnly, put }:
{ id: string; value: Json | undefined; placeholder: string; readOnly: boolean; put(next: Json | undefined): unknown }): React.JSX.Element {
  const [begun, setBegun] = React.useState(false);
  return <input id={id} type="number" step="any" value={begun || typeof value !== 'number' ? '' : value} disabled={readOnly} placeholder={placeholder}
    onChange={({ target }) => {
      setBegun(target.value === '');
      return target.value === '' || put(Number(target.value));
    }}
    onBlur={({ target }) => {
      setBegun(false);
      return begun && !target.validity.badInput && put(undefined);
    }} />;
}

function elsewhere(label: string, what: string, path: Path, { reveal }: Around, remove: React.ReactNode): React.JSX.Element {
  return (
    <div className="wfnb-field"><span>{label}{remove}</span>
      {reveal ? <button type="button" className="wfnb-link" onClick={() => reveal(path)}>{__('%1, in the text', what)}</button> : what}
    </div>
  );
}

interface TextProps {
  label: string;
  place?: string;
  value: string;
  title?: string | undefined;
  placeholder?: string;
  readOnly?: boolean;
  remove?: React.ReactNode;
  names?: readonly KnownName[];
  quotes?: boolean;
  isBare?: boolean;
  show?(name: string): void;
  onText(text: string): unknown;
}

export function Text({ label, title, place, remove, ...field }: TextProps): React.JSX.Element {
  const id = React.useId();
  return (
    <div className="wfnb-field" title={title} data-field={place}>
      <span><label htmlFor={id}>{label}</label>{remove}</span>
      <NamesField id={id} {...field} />
    </div>
  );
}

/** Another name for a variable, wherever it is mentioned; it is taken when it is whole. */
function NewName({ name, readOnly, rename }: { name: string; readOnly: boolean; rename(to: string): boolean }): React.JSX.Element {
  const [typed, setTyped] = React.useState<string | null>(null);
  const take = (): boolean => {
    setTyped(null);
    return typed !== null && typed !== name && rename(typed);
  };
  /** The keyboard goes back to the button, which is another one where the name is another. */
  function done({ key, currentTarget }: React.KeyboardEvent): void {
    const form = currentTarget.closest('form');
    const now = key === 'Enter' && take() ? typed : name;
    setTyped(null);
    requestAnimationFrame(() => form?.querySelector<HTMLElement>(`[data-renames="${CSS.escape(now ?? '')}"]`)?.focus());
  }
  return typed === null ? (
    <button type="button" className="wfnb-remove" aria-label={__('Rename %1', name)} title={__('Rename it, wherever it is mentioned')} disabled={readOnly}
      data-renames={name} onClick={() => setTyped(name)}>✎</button>
  ) : (
    <input className="wfnb-new-name" aria-label={__('Another name for %1', name)} value={typed} spellCheck={false} autoFocus data-open
      onFocus={({ target }) => target.select()} onChange={({ target }) => setTyped(target.value)} onBlur={take}
      onKeyDown={(event) => ['Enter', 'Escape'].includes(event.key) && done(event)} />
  );
}

function Options(props: { id: string; options: readonly string[]; value: string; readOnly: boolean; onText(text: string): unknown }): React.JSX.Element {
  const known = props.options.includes(props.value);
  return (
    <select id={props.id} value={props.value} disabled={props.readOnly} onChange={({ target }) => props.onText(target.value)}>
      {!known && <option value={props.value}>{props.value || '…'}</option>}
      {props.options.map((each) => <option key={each} value={each}>{each}</option>)}
    </select>
  );
}

