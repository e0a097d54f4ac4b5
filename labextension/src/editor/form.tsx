/** The selected action as a form, made from the JSON Schema of definitions and from that of its tool. Each keystroke is
 *  an edit of the text; what a form cannot show it names, and leads to.
 */

import * as React from 'react';

import definitions from '../../../wfnb/workflows/definition/workflow.schema.json';
import type { KnownName, Schema, Tool } from '../picture';
import type { Command, Json, Path } from './commands';
import { isMapping, list, mapping } from './graph';
import type { ActionNode, Graph, Way } from './graph';
import { NamesField, namesAt } from './names_field';

const DEFS = definitions.$defs as unknown as Record<string, Schema>;
/** What the form has a place of its own for. */
const OWN = new Set(['id', 'tool', 'args', 'action', 'description']);
const DEEPEST = 3;

export interface FormProps {
  graph: Graph;
  action: ActionNode;
  /** What is written for it. */
  work: Json;
  tools: readonly Tool[];
  /** What its placeholders may name. */
  names: readonly KnownName[];
  readOnly: boolean;
  problems: readonly { path: string; says: string }[];
  edit(command: Command): boolean;
  /** Show where in the text it is; null: it is in another one. */
  reveal: ((path: Path) => void) | null;
  /** Select another action. */
  show(name: string): void;
  /** The keyboard goes back to the action, when the form has been made anew. */
  leave(): void;
}

export function Form(props: FormProps): React.JSX.Element {
  const { graph, action, work, tools, edit, reveal } = props;
  const path = action.path as Path;
  const says = mapping(work);
  const call = graph.form === 'states' ? [...path, 'action'] : path;
  const given = mapping(graph.form === 'states' ? says.action : says);
  const params = 'args' in given ? 'args' : 'params' in given || graph.form === 'states' ? 'params' : 'args';
  const tool = tools.find(({ name }) => name === action.tool);
  const schema = DEFS[graph.form === 'states' ? 'State' : 'Step'] as Schema;
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !OWN.has(name) && name !== 'params');
  const [there, others] = [fields.filter(([name]) => name in says), fields.filter(([name]) => !(name in says))];
  const around: Around = { ...props, others: graph.nodes.map(({ name }) => name) };
  return (
    <form className="wfnb-form" aria-label={`Action ${action.name}`} onSubmit={(event) => event.preventDefault()}>
      {props.problems.length > 0 && (
        <ul className="wfnb-form-problems">{props.problems.map(({ says: why }, at) => <li key={at}>{why}</li>)}</ul>
      )}
      <Name key={action.name} name={action.name} readOnly={props.readOnly} leave={props.leave}
        rename={(to) => edit({ do: 'rename', name: action.name, to })} />
      <Text label="Description" readOnly={props.readOnly} value={typeof says.description === 'string' ? says.description : ''}
        onText={(text) => edit(text ? set([...path, 'description'], text) : unset([...path, 'description']))} />
      <label className="wfnb-field">
        <span>Tool</span>
        <input list="wfnb-tools" value={action.tool} spellCheck={false} readOnly={props.readOnly}
          onChange={({ target }) => edit(set([...call, 'tool'], target.value))} />
        <datalist id="wfnb-tools">{tools.map(({ name, says: what }) => <option key={name} value={name}>{what}</option>)}</datalist>
      </label>
      {tool && <p className="wfnb-about">{tool.says}</p>}
      <fieldset>
        <legend>Parameters</legend>
        <Members around={around} schema={tool?.parameters ?? {}} value={mapping(given[params])} path={[...call, params]} depth={1} all />
      </fieldset>
      {there.map(([name, field]) => (
        <Field key={name} around={around} name={name} schema={field} value={says[name]} path={[...path, name]} depth={0} present />
      ))}
      <More around={around} fields={others} path={path} />
      {reveal && <button type="button" className="wfnb-link" onClick={() => reveal(path)}>Show it in the text</button>}
    </form>
  );
}

export interface WayFormProps extends Omit<FormProps, 'action'> {
  way: Way;
  /** The state that it leaves, where it is one. */
  action: ActionNode | undefined;
  insert(): void;
}

/** What leads from one action to the next. */
export function WayForm(props: WayFormProps): React.JSX.Element {
  const { way, action, work, graph, edit, readOnly } = props;
  const transitions = list(mapping(work).transitions);
  const around: Around = { ...props, others: graph.nodes.map(({ name }) => name) };
  return (
    <form className="wfnb-form" aria-label={`From ${way.from} to ${way.to}`} onSubmit={(event) => event.preventDefault()}>
      <p><b>{way.from}</b> → <b>{way.to}</b></p>
      {way.kind === 'order' && <p>The steps are written in this order.</p>}
      {way.kind === 'timeout' && <p>Where the action runs out of time.</p>}
      {way.kind === 'transition' && transitions.map((each, place) => mapping(each).next_state === way.to && (
        <fieldset key={place}>
          <legend>{place === 0 ? 'First asked' : `Asked as number ${place + 1}`}</legend>
          <Members around={around} schema={DEFS.Transition as Schema} value={mapping(each)} depth={1}
            path={[...(action?.path ?? []), 'transitions', place]} />
        </fieldset>
      ))}
      {way.kind !== 'timeout' && (
        <button type="button" disabled={readOnly} onClick={props.insert}>Insert an action between</button>
      )}{' '}
      {way.kind !== 'order' && (
        <button type="button" disabled={readOnly} onClick={() => edit({ do: 'disconnect', from: way.from, to: way.to })}>Remove it</button>
      )}
    </form>
  );
}

interface Around extends Omit<FormProps, 'action'> {
  others: readonly string[];
}

interface FieldProps {
  around: Around;
  name: string;
  schema: Schema;
  value: Json | undefined;
  path: Path;
  depth: number;
  present?: boolean;
  required?: boolean;
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

/** Those that are needed first; then those that are there, and a way to say the others. */
function Members({ around, schema, value, path, depth, all }: MembersProps): React.JSX.Element {
  const needed = (name: string): boolean => schema.required?.includes(name) ?? false;
  const known = Object.entries(schema.properties ?? {}).sort(([a], [b]) => Number(needed(b)) - Number(needed(a)));
  const foreign = Object.keys(value).filter((name) => !known.some(([other]) => other === name));
  /** Of a call: what its tool takes. */
  const called = around.tools.find(({ name }) => name === value.tool)?.parameters;
  const asks = (name: string): boolean => name === 'params' && !('args' in value) && (called?.required ?? []).length > 0;
  const shown = known.filter(([name]) => all || needed(name) || name in value || asks(name));
  const others = known.filter((each) => !shown.includes(each));
  return (
    <>
      {shown.map(([name, field]) => (
        <Field key={name} around={around} name={name} value={value[name]} path={[...path, name]} depth={depth}
          schema={called && (name === 'params' || name === 'args') ? called : field} required={needed(name)} present={!all} />
      ))}
      {foreign.map((name) => (
        <Field key={name} around={around} name={name} schema={{}} value={value[name]} path={[...path, name]} depth={depth} present />
      ))}
      {others.length > 0 && <More around={around} fields={others} path={path} />}
    </>
  );
}

/** It is chosen, and then added: by the keyboard a choice goes through others. */
function More({ around, fields, path }: { around: Around; fields: [string, Schema][]; path: Path }): React.JSX.Element {
  const id = React.useId();
  const [chosen, choose] = React.useState('');
  const [name, field] = fields.find(([each]) => each === chosen) ?? ['', {}];
  return (
    <div className="wfnb-field wfnb-more-fields">
      <span><label htmlFor={id}>Another field</label></span>
      <select id={id} value={name} disabled={around.readOnly} onChange={({ target }) => choose(target.value)}>
        <option value="">…</option>
        {fields.map(([each, { description }]) => <option key={each} value={each} title={description}>{spaced(each)}</option>)}
      </select>{' '}
      <button type="button" disabled={around.readOnly || name === ''} onClick={() => {
        around.edit(set([...path, name], start(field)));
        choose('');
        document.getElementById(id)?.focus(); // a button that is disabled hears no key
      }}>Add it</button>
    </div>
  );
}

function Field(props: FieldProps): React.JSX.Element {
  const { around, name, value, path, depth, present, required } = props;
  const schema = chosen(props.schema, value);
  const label = spaced(name) + (required ? ' *' : '');
  const { edit, readOnly } = around;
  const remove = present && !required && (
    <button type="button" className="wfnb-remove" aria-label={`Remove ${spaced(name)}`} title="Remove" disabled={readOnly}
      onClick={() => edit(unset(path))}>×</button>
  );
  const about = schema.description ?? props.schema.description;
  const put = (next: Json | undefined): unknown => edit(next === undefined ? unset(path) : set(path, next));
  const shell = (input: React.ReactNode): React.JSX.Element => (
    <label className="wfnb-field" title={about}><span>{label}{remove}</span>{input}</label>
  );
  if (name === 'next_state' || name === 'on_timeout') {
    return shell(<Options options={around.others} value={text(value)} readOnly={readOnly} onText={(word) => put(word || undefined)} />);
  }
  if (isMapping(value) || (value === undefined && schema.properties && (present || required))) {
    if (schema.properties && depth < DEEPEST) {
      return (
        <fieldset title={about}>
          <legend>{label}{remove}</legend>
          <Members around={around} schema={schema} value={mapping(value)} path={path} depth={depth + 1} />
        </fieldset>
      );
    }
    return elsewhere(label, 'a mapping', path, around, remove);
  }
  if (Array.isArray(value)) {
    const items = resolved(schema.items ?? {});
    if (items.properties && depth < DEEPEST) {
      return (
        <fieldset title={about}>
          <legend>{label}{remove}</legend>
          {value.map((each, at) => (
            <Field key={at} around={around} name={`${at + 1}`} schema={items} value={each} path={[...path, at]} depth={depth + 1} present />
          ))}
          <button type="button" className="wfnb-link" disabled={readOnly} onClick={() => put([...value, start(items)])}>Add one</button>
        </fieldset>
      );
    }
    return elsewhere(label, `a list of ${value.length}`, path, around, remove);
  }
  const types = [schema.type ?? []].flat();
  if (schema.enum) {
    return shell(<Options options={schema.enum.map(String)} value={text(value)} readOnly={readOnly} onText={(word) => put(word || undefined)} />);
  }
  if (types[0] === 'boolean' && typeof value !== 'string') {
    return shell(<input type="checkbox" checked={(value ?? schema.default) === true} disabled={readOnly}
      onChange={({ target }) => put(target.checked === (schema.default ?? false) ? undefined : target.checked)} />);
  }
  const number = (types.includes('number') || types.includes('integer')) && typeof value !== 'string';
  if (number) {
    return shell(<input type="number" step="any" value={typeof value === 'number' ? value : ''} disabled={readOnly}
      placeholder={text(schema.default as Json)}
      onChange={({ target }) => put(target.value === '' ? undefined : Number(target.value))} />);
  }
  if (types.length > 0 && !types.includes('string') && value === undefined) {
    return shell(<button type="button" className="wfnb-link" disabled={readOnly}
      onClick={() => { put(types[0] === 'array' ? [] : {}); around.reveal?.(path); }}>write it in the text</button>);
  }
  return <Text label={label} title={about} value={text(value)} remove={remove} readOnly={readOnly}
    placeholder={text(schema.default as Json)} names={namesAt(path, schema, around.names)} quotes={schema.format === 'shell'} show={around.show}
    onText={(word) => put(word === '' && !present && !required ? undefined : word)} />;
}

function elsewhere(label: string, what: string, path: Path, { reveal }: Around, remove: React.ReactNode): React.JSX.Element {
  return (
    <div className="wfnb-field"><span>{label}{remove}</span>
      {reveal ? <button type="button" className="wfnb-link" onClick={() => reveal(path)}>{what}, in the text</button> : what}
    </div>
  );
}

interface TextProps {
  label: string;
  value: string;
  title?: string | undefined;
  placeholder?: string;
  readOnly?: boolean;
  remove?: React.ReactNode;
  names?: readonly KnownName[];
  quotes?: boolean;
  show?(name: string): void;
  onText(text: string): unknown;
}

function Text({ label, title, remove, ...field }: TextProps): React.JSX.Element {
  const id = React.useId();
  return (
    <div className="wfnb-field" title={title}>
      <span><label htmlFor={id}>{label}</label>{remove}</span>
      <NamesField id={id} {...field} />
    </div>
  );
}

function Options(props: { options: readonly string[]; value: string; readOnly: boolean; onText(text: string): unknown }): React.JSX.Element {
  const known = props.options.includes(props.value);
  return (
    <select value={props.value} disabled={props.readOnly} onChange={({ target }) => props.onText(target.value)}>
      {!known && <option value={props.value}>{props.value || '…'}</option>}
      {props.options.map((each) => <option key={each} value={each}>{each}</option>)}
    </select>
  );
}

/** Another name is taken when it is whole: half of one may be that of another action. */
function Name({ name, readOnly, rename, leave }: { name: string; readOnly: boolean; rename(to: string): boolean; leave(): void }): React.JSX.Element {
  const [typed, setTyped] = React.useState(name);
  const take = (): void => {
    if (typed !== name && !rename(typed)) {
      setTyped(name);
    }
  };
  const done = (): void => {
    leave();
    take();
  };
  return (
    <label className="wfnb-field"><span>Name</span>
      <input className="wfnb-name-field" value={typed} spellCheck={false} readOnly={readOnly}
        onFocus={({ target }) => target.select()} onChange={({ target }) => setTyped(target.value)} onBlur={take}
        onKeyDown={({ key }) => (key === 'Enter' ? done() : key === 'Escape' && setTyped(name))} />
    </label>
  );
}

/** The part of a schema that a value follows: where it may be a number or a mapping, that which it is. */
function chosen(schema: Schema, value: Json | undefined): Schema {
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

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name ? { ...DEFS[name], ...(schema.description && { description: schema.description }) } : schema;
}

/** The least that a field may be, to begin with. */
function start(schema: Schema): Json {
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

const set = (path: Path, value: Json): Command => ({ do: 'set', path, value });
const unset = (path: Path): Command => ({ do: 'unset', path });

function text(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

