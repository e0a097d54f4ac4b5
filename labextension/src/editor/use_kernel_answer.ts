/** What the kernel says of a workflow's text: its problems, what its actions may name and call, what it runs in place. */

import * as React from 'react';

import { sentence, writable } from '../link';
import type { Checked, KnownName, NestedDefinition, RunHead, Tool } from '../protocol';
import type { EditorHost } from './host';
import { askLater, QUIET } from './later_answer';
import { pathOf } from './nested_frames';

const NONE: readonly KnownName[] = [];

interface CheckedText extends Checked {
  text: string;
}

export interface TextCheck {
  /** Null before the first answer. */
  checked: CheckedText | null;
  /** The actions that are defined otherwise than the run had them. */
  changed: readonly string[];
  tools: readonly Tool[];
  /** What the action may name; where none is chosen, outputs. */
  names: readonly KnownName[];
  /** The workflows that its actions run. */
  nested: readonly NestedDefinition[];
}

/** Asked again 300 ms after the last key, of another action and what is opened in place at once, and when the run goes on otherwise: resumed, it has
 *  another definition.
 */
export function useKernelAnswer(host: EditorHost, text: string, run: RunHead | null, action: string | undefined, opened: readonly string[]): TextCheck {
  const { name, status, ended } = run ?? {};
  const [live, setLive] = React.useState(false);
  const [checked, setChecked] = React.useState<CheckedText | null>(null);
  const [changed, setChanged] = React.useState<readonly string[]>([]);
  const [tools, setTools] = React.useState<readonly Tool[]>([]);
  const [names, setNames] = React.useState<{ action: string | undefined; known: readonly KnownName[] }>({ action: undefined, known: [] });
  const [nested, setNested] = React.useState<readonly NestedDefinition[]>([]);
  const paths = opened.join('\n');
  const asked = React.useRef<string | null>(null);

  React.useEffect(() => {
    const look = (): void => setLive(writable(host.link.state));
    look();
    return host.link.watch(look);
  }, [host]);

  React.useEffect(() => {
    if (live) {
      host.link.ask('tools', {}).then(setTools, () => undefined);
    }
  }, [host, live]);

  React.useEffect(() => {
    const ask = () =>
      host.check(text, { ...(name !== undefined && { run: name }), ...(action !== undefined && { action }), opened: opened.map(pathOf) });
    const wait = asked.current === null || asked.current === text ? 0 : QUIET;
    asked.current = text;
    return askLater(wait, ask, (answer) => {
      setChecked({ text, ...answer });
      setTools((before) => answer.tools ?? before);
      setNested((before) => answer.nested ?? before);
      setChanged((before) => answer.changed ?? before);
      setNames((before) => ({ action, known: answer.names ?? (before.action === action ? before.known : []) }));
    }, (reason) => setChecked({ text, problems: [], warnings: [{ path: '', says: sentence(reason) }], variables: [] }));
  }, [host, live, text, name, status, ended, action, paths]);

  return { checked, changed, tools, nested, names: names.action === action ? names.known : NONE };
}
