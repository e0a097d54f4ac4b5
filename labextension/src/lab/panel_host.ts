/** What the panel can do in its notebook for a person who asked for it. */

import { Notification } from '@jupyterlab/apputils';
import type { NotebookPanel } from '@jupyterlab/notebook';

import type { Host } from '../view_host';
import type { RecordedCells } from './recorded_cells';
import { sentence } from '../link';
import type { Link } from '../link';
import type { Asks, Row } from '../protocol';
import { __ } from '../translation';
import { branchText, reviseText, stepText, under, whole } from './step_magic_line';
import type { CellText } from './step_magic_line';
import { progress } from './cell_run_progress';
import { runCell } from './run_cell';
import { staleRun } from './run_stale';
import type { Standing } from './notebook_notices';
import type { StepCells } from './step_cells';
import { soon } from './subshell';
import { head, replace, write } from './write_cell';

const SHOWN = 6_000;

let last: string | undefined;

/** As a notification that takes the place of the one before: none of them is worth to be kept beside another. */
export function say(text: string): void {
  if (last !== undefined) {
    Notification.dismiss(last);
  }
  last = Notification.emit(text, 'default', { autoClose: SHOWN });
}

/** Do it; a refusal is told as it was said. */
export async function report(work: unknown): Promise<void> {
  try {
    const answer = await work;
    if (typeof answer === 'string' && answer !== '') {
      say(answer);
    }
  } catch (reason) {
    say(sentence(reason));
  }
}

/** What the host does by way of the kernel. */
export type Deeds = Required<Pick<Host, 'load' | 'start' | 'figure' | 'searchAll'>>;

export function host(
  panel: NotebookPanel,
  cells: RecordedCells,
  texts: StepCells,
  link: Link,
  standing: Standing,
  deeds: Deeds,
): Required<Host> {
  const run = (id: string): Promise<string | null> => runCell(panel, id);
  const stale = staleRun({ ask: (args) => link.ask('next_stale', args), texts, run, say });
  const rest = (): Promise<number> => stale.run(undefined, () => undefined);
  const resumed = progress();
  const resume = Object.assign(resumed, {
    async run(): Promise<void> {
      const { ask, codeCells, resumption } = await import('./lazy_commands');
      await resumption(
        { ready: deeds.start, ask: (said) => ask(panel, said), cells: () => codeCells(panel), run, stale: rest, say },
        resumed,
      )();
    },
  });
  const make = (text: CellText): void => void write(panel, text);
  const line = (): string => cells.head?.line ?? 'main';
  /** The branch that goes on after the step, where the next one would come on another; of main, `switch` says so. */
  const ends = (row: Row): string => {
    const { id = '', open = false, last = null } = cells.line(row) ?? {};
    return open && last === row.index && ![line(), 'main'].includes(id) ? id : '';
  };
  /** A kernel that a cell keeps busy may answer late: a cell is written without the code then. */
  const source = ({ key }: Row, version?: number): Promise<Asks['source'][1]> =>
    soon(link.ask('source', { key, ...(version && { version }) }));
  return {
    goToCell: (cell_id) => void goToCell(panel, cell_id),
    newStep: (stage, after) => make(stepText(stage, after ? ends(after) : '')),
    async makeStep() {
      if (!(await head(panel))) {
        say(__('This cell cannot be edited.'));
      }
    },
    branchFrom: async (row) => make(under(branchText(row, line()), (await source(row))?.code)),
    revise: async (row) => make(under(reviseText(row, line()), (await source(row))?.code)),
    restore: async ({ key }) =>
      link.state === 'busy' ? __('A cell runs: values are restored when none does.') : link.ask('restore', { key }),
    holds: ({ cell_id, part, digest }) =>
      cell_id === null || texts.opens(cell_id) > part || (digest !== undefined && digest === texts.digest(cell_id)),
    isActive(row) {
      const id = panel.content.activeCell?.model.id;
      return id !== undefined && id === row.cell_id && cells.row(id, texts.opens(id))?.key === row.key;
    },
    notebook: () => panel.context.path.replace(/.*\//, ''),
    elsewhere: ({ notebook }) => standing.others.find((name) => name === notebook) ?? null,
    note: () => standing.note,
    noteChanged: standing.listen,
    cellsChanged(f) {
      const deaf = [texts.listen(f), standing.listen(f)];
      panel.content.activeCellChanged.connect(f);
      return () => {
        deaf.forEach((undo) => undo());
        panel.content.activeCellChanged.disconnect(f);
      };
    },
    async insertCell(row) {
      const found = await source(row);
      return found ? make(whole(found.source)) : say(__('The code of step %1 is not known.', row.number));
    },
    async putBack(row, version) {
      const found = await source(row, version);
      if (!found) {
        return say(__('The code of version %1 is not known.', version));
      }
      const alone = row.cell_id !== null && texts.opens(row.cell_id) === 1;
      if (!alone || !(await replace(panel, row.cell_id as string, found.source))) {
        make(whole(found.source));
      }
    },
    ...deeds,
    stale,
    resume,
    menu: (...asked) => void import('./lazy_commands').then(({ openMenu }) => openMenu(...asked)),
    interrupt: () => void panel.sessionContext.session?.kernel?.interrupt(),
    say,
  };
}

/** Scroll there and make it the active cell; the keyboard stays where it is. */
async function goToCell(panel: NotebookPanel, cell_id: string): Promise<void> {
  const notebook = panel.content;
  const index = notebook.widgets.findIndex((cell) => cell.model.id === cell_id);
  if (index < 0) {
    return say(__('The cell of this step is not in this notebook.'));
  }
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  await notebook.scrollToItem(index, 'smart');
}
