/** What is wrong with a text: listed, counted for each action, and where in the text it is. */

import * as React from 'react';

import type { Checked } from '../protocol';
import { signOf } from '../render/state_signs';
import { __ } from '../translation';
import type { Json } from './definition_data';
import type { Graph } from './graph';
import type { Reading } from './definition_text_reader';

export type Problem = Checked['problems'][number];

export function Problems(props: { problems: Problem[]; warnings: Problem[]; checked: boolean; go(problem: Problem): void }): React.JSX.Element {
  const { problems, warnings, checked, go } = props;
  const line = (sign: string, word: string) => (problem: Problem, place: number) => (
    <li key={`${word}${place}`}>
      <button type="button" className="wfnb-link" onClick={() => go(problem)}>
        <span aria-label={word}>{sign}</span> {problem.says}
      </button>
    </li>
  );
  return (
    <section className="wfnb-problems" aria-label={__('Problems')}>
      {problems.length + warnings.length > 0
        ? <ul>{problems.map(line('✕', __('problem')))}{warnings.map(line('!', __('warning')))}</ul>
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

export function counted(problems: readonly Problem[], graph: Graph): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of problems) {
    const name = owner(path, graph);
    if (name !== undefined) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
