/** What is wrong with a text: listed, counted for each action, and where in the text it is. */

import * as React from 'react';

import type { Checked } from '../protocol';
import { signOf } from '../render/state_signs';
import { __ } from '../translation';
import type { Json } from './definition_data';
import type { Graph } from './graph';
import type { Reading } from './workflow_reader';

export type Finding = Checked['problems'][number];

export function Problems(props: { findings: Finding[]; warnings: Finding[]; checked: boolean; go(finding: Finding): void }): React.JSX.Element {
  const { findings, warnings, checked, go } = props;
  const line = (sign: string, word: string) => (finding: Finding, place: number) => (
    <li key={`${word}${place}`}>
      <button type="button" className="wfnb-link" onClick={() => go(finding)}>
        <span aria-label={word}>{sign}</span> {finding.says}
      </button>
    </li>
  );
  return (
    <section className="wfnb-problems" aria-label={__('Problems')}>
      {findings.length + warnings.length > 0
        ? <ul>{findings.map(line('✕', __('problem')))}{warnings.map(line('!', __('warning')))}</ul>
        : <p>{checked ? `${signOf('ok')} ${__('It can run.')}` : '…'}</p>}
    </section>
  );
}

/** `steps.3.args.command`, `states.look.action.tool` → where that is written, or the nearest that is around it. */
export function placeOf(reading: Reading, dotted: string): readonly [number, number] | null {
  if (!reading.ok || dotted === '') {
    return null;
  }
  let value: Json | undefined = reading.data;
  const path = dotted.split('.').map((word) => {
    const key = Array.isArray(value) ? Number(word) : word; // a state may be called `1`
    value = (value as Record<string | number, Json> | null | undefined)?.[key];
    return key;
  });
  for (let length = path.length; length > 0; length -= 1) {
    const place = reading.place(path.slice(0, length));
    if (place) {
      return place;
    }
  }
  return null;
}

/** The action that a problem is of. */
export function owner(dotted: string, { nodes }: Graph): string | undefined {
  return nodes.find(({ path }) => path && `${dotted}.`.startsWith(`${path.join('.')}.`))?.name;
}

export function counted(findings: readonly Finding[], graph: Graph): Map<string, number> {
  const found = new Map<string, number>();
  for (const { path } of findings) {
    const name = owner(path, graph);
    if (name !== undefined) {
      found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  return found;
}
