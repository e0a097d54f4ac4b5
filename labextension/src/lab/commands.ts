/** The commands, by their ids: menus, palette and keys name them in schema/plugin.json and plugin.ts. */

import type { CommandRegistry } from '@lumino/commands';

import type { Row } from '../picture';
import { cancelRun, goToStep, report, runWorkflow, told } from './ask';
import { say } from './host';
import type { Opened } from './notebooks';

export const OPEN = 'wfnb:open-panel';

interface Command {
  label: string;
  caption: string;
  /** Only where the active cell holds a step. */
  step?: true;
  /** Only where that step kept values. */
  kept?: true;
  run(opened: Opened, row: Row, panel: Shows): void;
}

/** What is done in the panel. */
export interface Shows {
  open(): void;
  step(opened: Opened, key: number): void;
}

/** In the order of the menu, which is that of the palette, too. */
const COMMANDS: Record<string, Command> = {
  'wfnb:show-step': {
    label: 'Show this step in the panel',
    caption: 'Open the card of the step of the active cell',
    step: true,
    run: (opened, row, panel) => panel.step(opened, row.key),
  },
  'wfnb:new-step': {
    label: 'New step below',
    caption: 'Insert a cell for the next step',
    run: ({ host }) => host.newStep(),
  },
  'wfnb:branch-from-step': {
    label: 'Branch from this step',
    caption: 'Insert a cell that opens a branch at the step of the active cell',
    step: true,
    run: ({ host }, row) => host.branchFrom(row),
  },
  'wfnb:revise-step': {
    label: 'Revise this step',
    caption: 'Insert a cell that corrects the step of the active cell',
    step: true,
    run: ({ host }, row) => host.revise(row),
  },
  'wfnb:restore-step': {
    label: 'Restore the values of this step',
    caption: 'Insert a cell that brings back what the step of the active cell kept',
    step: true,
    kept: true,
    run: ({ host }, row) => host.restore(row),
  },
  'wfnb:go-to-step': {
    label: 'Go to a step…',
    caption: 'Scroll to the cell of a step',
    run: (opened) => void told(goToStep(opened)),
  },
  'wfnb:undo': {
    label: 'Undo in the history',
    caption: 'Take back the last thing that the session recorded',
    run: ({ link }) => void told(link.ask('undo', {})),
  },
  'wfnb:redo': {
    label: 'Redo in the history',
    caption: 'Record again what was taken back',
    run: ({ link }) => void told(link.ask('redo', {})),
  },
  'wfnb:run-workflow': {
    label: 'Run a saved workflow…',
    caption: 'Start a workflow in the background',
    run: (opened) => void told(runWorkflow(opened)),
  },
  'wfnb:cancel-run': {
    label: 'Cancel a run',
    caption: 'End a workflow that this kernel runs',
    run: (opened) => void told(cancelRun(opened)),
  },
  'wfnb:export-report': {
    label: 'Export the report…',
    caption: 'Save the report of the session as a file',
    run: (opened) => void told(report(opened)),
  },
};

export const IDS: readonly string[] = [OPEN, ...Object.keys(COMMANDS)];

export function addCommands(registry: CommandRegistry, current: () => Opened | null, panel: Shows): void {
  registry.addCommand(OPEN, { label: 'Show the panel', caption: 'Show the steps of this notebook', execute: panel.open });
  for (const [id, command] of Object.entries(COMMANDS)) {
    registry.addCommand(id, {
      label: command.label,
      caption: command.caption,
      isEnabled: () => current() !== null && fits(command, activeStep(current())),
      execute: () => {
        const opened = current();
        const row = activeStep(opened);
        if (opened && fits(command, row)) {
          command.run(opened, row as Row, panel);
        } else if (opened) {
          say(row ? `Step ${row.number} kept no values.` : 'The active cell holds no step.');
        }
      },
    });
  }
}

const fits = ({ step, kept }: Command, row: Row | undefined): boolean =>
  !step || (row !== undefined && (!kept || row.kept > 0));

function activeStep(opened: Opened | null): Row | undefined {
  const cell = opened?.panel.content.activeCell;
  return cell ? opened?.cells.row(cell.model.id) : undefined;
}
