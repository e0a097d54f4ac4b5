/** The commands, by their ids: menus, palette and keys name them in schema/plugin.json and plugin.ts. */

import type { LabIcon } from '@jupyterlab/ui-components';
import type { CommandRegistry } from '@lumino/commands';

import { writable } from '../link';
import type { Row } from '../protocol';
import { __ } from '../translation';
import { report, say } from './panel_host';
import { icon } from './icon';
import type { Opened } from './notebooks';
import { speaks } from './step_count';
import { paletteLabel } from './palette_label';

export const OPEN = 'wfnb:open-panel';

interface Command {
  label: string;
  caption: string;
  /** Only where the active cell holds a step; `code`: only where it is a code cell that does not speak to wfnb. */
  step?: true;
  code?: true;
  /** Only where that step kept values. */
  kept?: true;
  /** Only where that step is stale; without `step`, where any is. */
  stale?: true;
  /** Only while a kernel answers, or only where there is a history; `unloaded`: only where no kernel has wfnb. */
  needs?: 'kernel' | 'history' | 'unloaded';
  icon?: LabIcon;
  /** Whether it is offered: by what was told last, while the kernel has the last word. */
  can?(opened: Opened): boolean | undefined;
  /** Whether what it switches is on. */
  on?(opened: Opened): boolean;
  run(opened: Opened, row: Row, panel: Shows): unknown;
}

/** What is done in the panel. */
export interface Shows {
  open(): void;
  step(opened: Opened, key: number): void;
}

const onDemand =
  (name: 'cancelRun' | 'goToStep' | 'report' | 'runWorkflow' | 'sessions') =>
  async (opened: Opened): Promise<string> =>
    (await import('./lazy_commands'))[name](opened);

/** Why not all was run, for whoever does not see the panel. */
async function runStale({ stale }: Opened['host'], upTo?: Row): Promise<string> {
  await stale.run(upTo);
  return stale.says;
}

/** In the order of the menu, which is that of the palette, too. */
const commands = (): Record<string, Command> => ({
  'wfnb:show-step': {
    label: __('Show this step in the panel'),
    caption: __('Open the card of the step of the active cell'),
    step: true,
    run: (opened, row, panel) => panel.step(opened, row.key),
  },
  'wfnb:load': {
    label: __('Load wfnb'),
    caption: __('Load wfnb into the kernel'),
    needs: 'unloaded',
    run: ({ host }) => host.load(),
  },
  'wfnb:make-step': {
    label: __('Make this cell a step'),
    caption: __('Its title is its first comment, or the heading above it'),
    code: true,
    icon,
    run: ({ host }) => host.makeStep(),
  },
  'wfnb:record': {
    label: __('Record each cell as a step'),
    caption: __('From here on each plain cell is a step, or none is'),
    needs: 'kernel',
    on: ({ cells }) => cells.head?.recording ?? false,
    run: ({ link, cells }) => link.ask('record', { on: !cells.head?.recording }),
  },
  'wfnb:new-step': {
    label: __('New step below'),
    caption: __('Insert a cell for the next step'),
    run: ({ host }) => host.newStep(),
  },
  'wfnb:branch-from-step': {
    label: __('Branch from this step'),
    caption: __('Insert a cell that opens a branch there'),
    step: true,
    run: ({ host }, row) => host.branchFrom(row),
  },
  'wfnb:revise-step': {
    label: __('Revise this step'),
    caption: __('Insert a cell that corrects it'),
    step: true,
    run: ({ host }, row) => host.revise(row),
  },
  'wfnb:restore-step': {
    label: __('Restore the values of this step'),
    caption: __('Bring back what it kept'),
    needs: 'kernel',
    step: true,
    kept: true,
    run: ({ host }, row) => host.restore(row),
  },
  'wfnb:resume': {
    label: __('Resume this notebook'),
    caption: __('Put back what was kept, run what failed, is stale or new'),
    run: ({ host }) => host.resume.run(),
  },
  'wfnb:run-stale': {
    label: __('Run stale steps'),
    caption: __('Run the cells of all stale steps, in order'),
    needs: 'kernel',
    stale: true,
    run: ({ host }) => runStale(host),
  },
  'wfnb:run-stale-to-step': {
    label: __('Run stale steps up to this one'),
    caption: __('Run the cells that make it fresh'),
    needs: 'kernel',
    step: true,
    stale: true,
    run: ({ host }, row) => runStale(host, row),
  },
  'wfnb:go-to-step': {
    label: __('Go to a step…'),
    caption: __('Scroll to the cell of a step'),
    can: ({ cells }) => cells.rows().some(({ cell_id, withdrawn }) => cell_id && !withdrawn),
    run: onDemand('goToStep'),
  },
  'wfnb:sessions': {
    label: __('Sessions…'),
    caption: __('Go on with another session that is kept here'),
    needs: 'kernel',
    run: onDemand('sessions'),
  },
  'wfnb:search': {
    label: __('Search all sessions…'),
    caption: __('Find steps and runs by their words, and go there'),
    run: ({ host }) => host.searchAll(''),
  },
  'wfnb:undo': {
    label: __('Undo in the history'),
    caption: __('Take back the last thing that the session recorded'),
    needs: 'kernel',
    can: ({ cells }) => cells.head?.can_undo,
    run: ({ link }) => link.ask('undo', {}),
  },
  'wfnb:redo': {
    label: __('Redo in the history'),
    caption: __('Record again what was taken back'),
    needs: 'kernel',
    can: ({ cells }) => cells.head?.can_redo,
    run: ({ link }) => link.ask('redo', {}),
  },
  'wfnb:run-workflow': {
    label: __('Run a saved workflow…'),
    caption: __('Start a workflow in the background'),
    needs: 'kernel',
    run: onDemand('runWorkflow'),
  },
  'wfnb:cancel-run': {
    label: __('Cancel a run'),
    caption: __('End a workflow that goes on'),
    needs: 'kernel',
    run: onDemand('cancelRun'),
  },
  'wfnb:export-report': {
    label: __('Export the report…'),
    caption: __('Save the report of the session as a file'),
    needs: 'history',
    run: onDemand('report'),
  },
});

/** Their ids, in order. */
export function addCommands(registry: CommandRegistry, current: () => Opened | null, panel: Shows): string[] {
  const all = commands();
  registry.addCommand(OPEN, { label: paletteLabel(__('Show the panel')), caption: __('Show the steps of this notebook'), execute: panel.open });
  for (const [id, command] of Object.entries(all)) {
    const enabled = (): boolean => {
      const opened = current();
      return opened !== null && hindrance(command, opened, activeStep(opened)) === '' && (!command.can || !!command.can(opened));
    };
    const toggled = (): boolean => {
      const opened = current();
      return opened !== null && (command.on?.(opened) ?? false);
    };
    registry.addCommand(id, {
      label: paletteLabel(command.label),
      caption: command.caption,
      ...(command.icon && { icon: command.icon }),
      isEnabled: enabled,
      ...(command.on && { isToggleable: true, isToggled: toggled }),
      isVisible: () => !command.code || enabled(), // a button of the cell's toolbar that does nothing is none
      execute: () => {
        const opened = current();
        const row = activeStep(opened);
        if (opened === null) {
          return;
        }
        const why = hindrance(command, opened, row);
        if (why) {
          say(why);
        } else {
          void report(command.run(opened, row as Row, panel));
          registry.notifyCommandChanged(id); // its button goes where the cell is a step now
        }
      },
    });
  }
  return [OPEN, ...Object.keys(all)];
}

/** Why it cannot be done; '' where it can. */
function hindrance({ needs, step, code, kept, stale }: Command, { link, cells, host, panel }: Opened, row: Row | undefined): string {
  if (needs === 'kernel' && !writable(link.state)) {
    return __('This needs wfnb in a kernel: load it first.');
  }
  if (needs === 'history' && cells.head === null) {
    return __('There is no history to save yet.');
  }
  if (needs === 'unloaded' && link.state !== 'journal' && link.state !== 'gone') {
    return __('wfnb is loaded.');
  }
  if (code) {
    const cell = panel.content.activeCell?.model;
    return cell?.type !== 'code' ? __('Only a code cell can be a step.') : speaks(cell.sharedModel.getSource()) ? __('The cell is one of wfnb already.') : '';
  }
  if (stale && host.stale.going) {
    return host.stale.says;
  }
  if (!step) {
    return stale && !cells.head?.can_run_stale ? __('No step is stale that can be run.') : '';
  }
  if (row === undefined) {
    return __('The active cell holds no step.');
  }
  if (kept && row.kept === 0) {
    return __('Step %1 kept no values.', row.number);
  }
  return stale && !row.stale ? __('Step %1 is not stale.', row.number) : '';
}

function activeStep(opened: Opened | null): Row | undefined {
  const cell = opened?.panel.content.activeCell;
  return cell ? opened?.cells.row(cell.model.id) : undefined;
}
