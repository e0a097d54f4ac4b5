/** What can be done with a step: a button each in its card, and an item each in the menu of its row. */

import type { Host } from '../view_host';
import { sentence } from '../link';
import type { Link } from '../link';
import type { Row } from '../protocol';
import type { State } from '../store';
import { __ } from '../translation';

export interface Deed {
  /** What it is called; none where it cannot be done with that step. */
  name(row: Row): string | false | undefined;
  act(row: Row): unknown;
  /** Whether it changes the history. */
  writes?: boolean;
  title?: string;
}

/** What a switch to a branch does. */
export const switches = (): string => __('The next step comes on that branch');

/** Whether its cell is not in this notebook. */
export const gone = (row: Row, host: Host): boolean => row.cell_id !== null && host.holds?.(row) === false;

/** `edit` opens the form of its title, where that `can` be edited; `restore` says in its card what came back. */
export function deeds(
  link: Link,
  host: Host,
  at: () => State | null,
  can: (row: Row) => boolean,
  edit: (row: Row) => void,
  restore: (row: Row) => void,
): Deed[] {
  const tell = (work: Promise<string | null>): Promise<void> =>
    work.then((says) => says && host.say(says), (reason) => host.say(sentence(reason))) as Promise<void>;
  const asks = (word: 'confirm' | 'hide' | 'show', name: Deed['name']): Deed => ({
    name, act: ({ key }) => tell(link.ask(word, { key })), writes: true,
  });
  const away = ({ branch }: Row): boolean => {
    const { head, lines = [] } = at() ?? {};
    return branch !== head?.line && lines.some(({ id, state }) => id === branch && state !== 'merged');
  };

  return [
    asks('confirm', ({ stale }) => stale && __('confirm')),
    {
      name: ({ stale, withdrawn }) => stale && !withdrawn && host.stale?.going === false && __('run stale up to here'),
      act: (row) => host.stale?.run(row),
      writes: true,
    },
    {
      name: (row) => host.goToCell && row.cell_id !== null && !gone(row, host) && __('go to cell'),
      act: (row) => host.goToCell?.(row.cell_id as string, row.part),
    },
    { name: () => host.branchFrom && __('branch from here'), act: (row) => host.branchFrom?.(row) },
    { name: () => host.revise && __('revise'), act: (row) => host.revise?.(row) },
    { name: ({ kept }) => host.restore && kept > 0 && __('restore'), act: restore, writes: true },
    {
      name: (row) => host.insertCell && gone(row, host) && !host.elsewhere?.(row) && __('insert its cell below'),
      act: (row) => host.insertCell?.(row),
      writes: true,
    },
    {
      name: (row) => away(row) && __('switch to %1', row.branch),
      act: ({ branch }) => tell(link.ask('switch', { branch })),
      writes: true,
      title: switches(),
    },
    { name: (row) => can(row) && __('edit title'), act: edit, writes: true },
    asks('hide', ({ hidden }) => !hidden && __('hide')),
    asks('show', ({ hidden }) => hidden && __('show again')),
    {
      name: ({ by }) => by && __('take back what %1 did from here on', by),
      act: ({ key, by }) => tell(link.ask('undo', { work: { by: by as string, key } })),
      writes: true,
    },
  ];
}
