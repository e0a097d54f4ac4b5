/** A run on the definition that it had: that it is so, and what is otherwise in the text now. */

import * as React from 'react';

import type { PastDefinition } from '../protocol';
import { __ } from '../translation';
import type { Graph } from './graph';

interface PastProps {
  run: string;
  ran: PastDefinition;
  /** Of the definition that it had. */
  graph: Graph;
  show(action: string): void;
}

export function Past({ run, ran, graph, show }: PastProps): React.JSX.Element {
  const { differs } = ran;
  return (
    <section className="wfnb-past" aria-label={__('%1 as it ran', run)}>
      <b>{__('%1 as it ran', run)}.</b>{' '}
      {differs.length === 0 ? __('The text is the same now.') : `${__('In the text now:')} `}
      {differs.map(({ action, says }, place) => (
        <span key={place}>
          {place > 0 && ' · '}
          {action !== null && graph.nodes.some(({ name }) => name === action)
            ? <button type="button" className="wfnb-link" onClick={() => show(action)}>{action}</button>
            : action ?? __('the workflow')} {says}
        </span>
      ))}
    </section>
  );
}
