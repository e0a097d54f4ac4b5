/** The selected action as a form, made from the JSON Schema of definitions and from that of its tool. Each keystroke is
 *  an edit of the text; what a form cannot show it names, and leads to.
 */

import * as React from 'react';
import { __ } from '../translation';

import { newCall } from './action_addition';
import type { Data, Json, Path } from './definition_data';
import { Field, Members, More, Text } from './form_fields';
import type { Around } from './form_fields';
import { isGroup, list, mapping } from './graph';
import type { ActionNode, Way } from './graph';
import { DEFS, set, unset } from './schema_parts';

/** What the form has a place of its own for. */
const OWN = new Set(['id', 'tool', 'args', 'action', 'description']);
/** Fields of a group of steps, and those that a group has besides: the others its steps have. */
const OF_GROUP = new Set(['steps', 'mode', 'max_parallel']);
const ALSO_OF_GROUP = new Set(['when', 'transitions']);

export interface FormProps extends Around {
  action: ActionNode;
  /** What is written for it. */
  work: Json;
  problems: readonly { path: string; says: string }[];
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
  const schema = DEFS[graph.form === 'states' ? 'State' : 'Step'] ?? {};
  const group = graph.form === 'states' && isGroup(says);
  const may = (name: string): boolean =>
    name in says || graph.form === 'steps' || (group ? OF_GROUP.has(name) || ALSO_OF_GROUP.has(name) : !OF_GROUP.has(name));
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !OWN.has(name) && name !== 'params' && may(name));
  const [there, others] = [fields.filter(([name]) => name in says), fields.filter(([name]) => !(name in says))];
  const around: Around = props;
  return (
    <form className="wfnb-form" aria-label={__('Action %1', action.name)} onSubmit={(event) => event.preventDefault()}>
      <Reasons problems={props.problems} />
      <Name key={action.name} name={action.name} readOnly={props.readOnly} leave={props.leave}
        rename={(to) => edit({ do: 'rename', name: action.name, to })} />
      <Text label={__('Description')} readOnly={props.readOnly} value={typeof says.description === 'string' ? says.description : ''}
        onText={(text) => edit(text ? set([...path, 'description'], text) : unset([...path, 'description']))} />
      {!group && <label className="wfnb-field">
        <span>{__('Tool')}</span>
        <input list="wfnb-tools" value={action.tool} spellCheck={false} readOnly={props.readOnly}
          onChange={({ target }) => edit(set([...call, 'tool'], target.value))} />
        <datalist id="wfnb-tools">{tools.map(({ name, says: what }) => <option key={name} value={name}>{what}</option>)}</datalist>
      </label>}
      {tool && <p className="wfnb-about">{tool.says}</p>}
      {!group && <fieldset>
        <legend>{__('Parameters')}</legend>
        <Members around={around} schema={tool?.parameters ?? {}} value={mapping(given[params])} path={[...call, params]} depth={1} all />
      </fieldset>}
      {there.map(([name, field]) => (
        <Field key={name} around={around} name={name} schema={field} value={says[name]} path={[...path, name]} depth={0} present />
      ))}
      <More around={around} fields={others} path={path} beginnings={group ? {} : { compensation: newCall(tools, action.tool) }} />
      {reveal && <button type="button" className="wfnb-link" onClick={() => reveal(path)}>{__('Show it in the text')}</button>}
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
  const { way, action, work, edit, readOnly } = props;
  const transitions = list(mapping(work).transitions);
  const around: Around = props;
  return (
    <form className="wfnb-form" aria-label={__('From %1 to %2', way.from, way.to)} onSubmit={(event) => event.preventDefault()}>
      <p><b>{way.from}</b> → <b>{way.to}</b></p>
      {way.kind === 'order' && <p>{__('The steps are written in this order.')}</p>}
      {way.kind === 'timeout' && <p>{__('Where the action runs out of time.')}</p>}
      {way.kind === 'transition' && transitions.map((each, place) => mapping(each).next_state === way.to && (
        <fieldset key={place}>
          <legend>{place === 0 ? __('First asked') : __('Asked as number %1', place + 1)}</legend>
          <Members around={around} schema={DEFS.Transition ?? {}} value={mapping(each)} depth={1}
            path={[...(action?.path ?? []), 'transitions', place]} />
        </fieldset>
      ))}
      {way.kind !== 'timeout' && (
        <button type="button" disabled={readOnly} onClick={props.insert}>{__('Insert an action between')}</button>
      )}{' '}
      {way.kind !== 'order' && (
        <button type="button" disabled={readOnly} onClick={() => edit({ do: 'disconnect', from: way.from, to: way.to })}>{__('Remove it')}</button>
      )}
    </form>
  );
}

/** Another name is taken when it is whole: half of one may be that of another action. */
function Name({ name, readOnly, rename, leave }: { name: string; readOnly: boolean; rename(to: string): boolean; leave(): void }): React.JSX.Element {
  const take = ({ currentTarget: field }: React.SyntheticEvent<HTMLInputElement>): void => {
    if (field.value !== name && !rename(field.value)) {
      field.value = name;
    }
  };
  function onKey(event: React.KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') {
      leave();
      take(event);
    } else if (event.key === 'Escape') {
      event.currentTarget.value = name; // before the keyboard leaves, which takes what is typed
    }
  }
  return (
    <label className="wfnb-field"><span>{__('Name')}</span>
      <input className="wfnb-name-field" defaultValue={name} spellCheck={false} readOnly={readOnly}
        onFocus={({ target }) => target.select()} onBlur={take} onKeyDown={onKey} />
    </label>
  );
}

export interface WorkflowFormProps extends Around {
  data: Data;
  problems: readonly { path: string; says: string }[];
}

/** What belongs to the workflow and to none of its actions, where none is selected. */
export function WorkflowForm(props: WorkflowFormProps): React.JSX.Element {
  const { graph, data } = props;
  const fields = DEFS[graph.form === 'states' ? 'StatesWorkflow' : 'StepsWorkflow']?.properties ?? {};
  const known = Object.entries(fields).filter(([name]) => !ACTIONS.has(name));
  const shown = known.filter(([name]) => ALWAYS.has(name) || name in data);
  return (
    <form className="wfnb-form wfnb-workflow-form" aria-label={__('The workflow')} onSubmit={(event) => event.preventDefault()}>
      <Reasons problems={props.problems} />
      <p className="wfnb-about">{__('The workflow as a whole. Click a box for what it does.')}</p>
      {shown.map(([name, schema]) => (
        <Field key={name} around={props} name={name} schema={schema} value={data[name]} path={[name]} depth={0} present={!ALWAYS.has(name)} />
      ))}
      <More around={props} fields={known.filter((each) => !shown.includes(each))} path={[]} />
    </form>
  );
}

/** What the diagram is made of. */
const ACTIONS = new Set(['$schema', 'states', 'steps']);
const ALWAYS = new Set(['name', 'description', 'variables', 'outputs', 'initial_state']);

/** They stand above the fields: the one that has the keyboard stays in sight. */
function Reasons({ problems }: { problems: readonly { path: string; says: string }[] }): React.JSX.Element {
  const place = React.useRef<HTMLUListElement>(null);
  React.useLayoutEffect(() => {
    const field = document.activeElement;
    if (field !== null && place.current?.closest('form')?.contains(field)) {
      field.scrollIntoView({ block: 'nearest' });
    }
  }, [problems.length]);
  return <ul ref={place} className="wfnb-form-problems" hidden={problems.length === 0}>{problems.map(({ says }, at) => <li key={at}>{says}</li>)}</ul>;
}
