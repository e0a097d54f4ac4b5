/** The tools that an action may call, beside the canvas: found by typing, added by Enter or a click, or dragged to a place. */

import * as React from 'react';

import type { Tool } from '../protocol';
import { __ } from '../translation';
import { useListKeys } from './use_list_keys';

/** The type of what is dragged: the name of a tool. */
export const DRAGGED = 'application/x-wfnb-tool';

/** Those whose name, or else whose words, have what is typed. */
export function matching(tools: readonly Tool[], typed: string): Tool[] {
  const wanted = typed.trim().toLowerCase();
  const named = tools.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = named.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  return [...new Set([...begins, ...named, ...tools.filter(({ says }) => says.toLowerCase().includes(wanted))])];
}

export interface PaletteProps {
  tools: readonly Tool[];
  /** Where what is chosen comes, in words. */
  where: string;
  disabled: boolean;
  add(tool: string): void;
  close(): void;
}

export function Palette({ tools, where, disabled, add, close }: PaletteProps): React.JSX.Element {
  const id = React.useId();
  const [typed, setTyped] = React.useState('');
  const found = matching(tools, typed);
  const { place, again, onKeyDown } = useListKeys(id, found.length, true, {
    Enter: (at) => found[at] && !disabled && add(found[at].name),
    Escape: close,
  });
  return (
    <section className="wfnb-palette" aria-label={__('Tools')}>
      <input type="text" role="combobox" aria-expanded="true" aria-controls={`${id}-tools`} aria-label={__('Find a tool')} aria-describedby={`${id}-where`}
        {...(found.length > 0 && { 'aria-activedescendant': `${id}-${place}` })} placeholder={__('Find a tool')} value={typed} spellCheck={false} autoFocus data-open
        onKeyDown={onKeyDown} onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          setTyped(target.value);
          again();
        }} />
      <p id={`${id}-where`} className="wfnb-palette-where">{tools.length > 0 ? where : '…'}</p>
      <ul id={`${id}-tools`} role="listbox" aria-label={__('Tools')}>
        {found.map(({ name, says }, n) => (
          <li key={name} id={`${id}-${n}`} role="option" aria-selected={n === place} title={says} draggable={!disabled}
            onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, name)}
            onClick={() => !disabled && add(name)}>
            <b>{name}</b> <span>{says}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
