/** What is offered before there is an action. */

import * as React from 'react';
import { __ } from '../translation';

import type { Data } from './definition_data';
import type { EditCommand } from './edit_commands';
import { FIRST } from './use_edits';

const HELLO = { command: 'echo hello' };

export function Empty({ data, ok, begin }: { data: Data; ok: boolean; begin(...commands: EditCommand[]): void }): React.JSX.Element {
  const begun = 'steps' in data || 'states' in data;
  return (
    <div className="wfnb-nothing">
      <p>{ok ? __('There is no action yet.') : __('The text cannot be read yet.')}</p>
      {ok && !begun && (
        <p>
          <button type="button" onClick={() => begin({ do: 'set', path: ['steps'], value: [{ id: FIRST, tool: 'shell', args: HELLO }] })}>
            {__('Begin with steps')}
          </button>{' '}
          <button type="button" onClick={() => begin(
            { do: 'set', path: ['initial_state'], value: FIRST },
            { do: 'set', path: ['states'], value: { [FIRST]: { action: { tool: 'shell', params: HELLO } } } },
          )}>
            {__('Begin with states')}
          </button>
        </p>
      )}
    </div>
  );
}
