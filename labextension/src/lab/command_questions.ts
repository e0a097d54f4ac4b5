/** What a command asks of a person and of the kernel → the sentence to tell; it is empty where there is none. */

import { InputDialog } from '@jupyterlab/apputils';

import type { Row, RunHead, SessionHead } from '../protocol';
import { __, _n } from '../translation';
import { pick } from './workflow_picker';
import type { Opened } from './notebooks';

const RUN = '%%run_workflow NAME';
const FORMS = { HTML: 'html', Markdown: 'md', JSON: 'json' } as const;

export async function runWorkflow({ link }: Opened): Promise<string> {
  const workflows = await link.ask('workflows', {});
  if (workflows.length === 0) {
    return __('No workflow is saved yet. %1 runs one and saves it.', RUN);
  }
  const run = await pick(workflows, ({ workflow, variables }) => link.ask('start', { workflow, variables }));
  return run === null ? '' : __('Run %1 of %2 has started.', run.name, run.workflow);
}

export async function cancelRun({ link }: Opened): Promise<string> {
  const { runs } = await link.ask('snapshot', {});
  const going = runs.filter((run) => run.ended === null);
  const run = await one(__('Cancel a run'), going, (each: RunHead) => `${each.name}: ${each.workflow}`);
  if (run === undefined) {
    return going.length === 0 ? __('No run is going on.') : '';
  }
  return (await link.ask('cancel', { run: run.name })) ?? __('Run %1 is being cancelled.', run.name);
}

export async function report({ link }: Opened): Promise<string> {
  const chosen = await InputDialog.getItem({ title: __('Export the report as'), items: Object.keys(FORMS) });
  if (!chosen.button.accept || chosen.value === null) {
    return '';
  }
  const form = FORMS[chosen.value as keyof typeof FORMS];
  const { name, text } = await link.ask('report', { form });
  const url = URL.createObjectURL(new Blob([text]));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
  return '';
}

export async function sessions({ link }: Opened): Promise<string> {
  const found = await link.ask('sessions', {});
  const session = await one(__('Open a session'), found, about, true);
  if (session === undefined) {
    return found.length === 0 ? __('No session is kept here yet.') : '';
  }
  return link.ask('open_session', { session: session.name });
}

function about({ name, notebook, steps, changed, in_use }: SessionHead): string {
  const parts = [name, notebook ?? '', _n('%1 step', '%1 steps', steps)];
  const when = new Date(changed * 1000).toLocaleString();
  return [...parts, when, in_use ? __('in use') : ''].filter((part) => part !== '').join(' · ');
}

export async function goToStep({ cells, host }: Opened): Promise<string> {
  const rows = cells.rows().filter((row) => row.cell_id !== null && !row.withdrawn);
  const row = await one(__('Go to the cell of'), [...rows].reverse(), listed, true);
  if (row?.cell_id) {
    host.goToCell(row.cell_id, row.part);
  }
  return rows.length === 0 ? __('No step of this session has a cell here.') : '';
}

const listed = (row: Row): string =>
  `${row.number} ${row.title}${row.branch === 'main' ? '' : ` (${row.branch})`}`;

/** The one that a person picks of several; the only one is not asked for, unless `always`. */
async function one<T>(title: string, of: readonly T[], name: (each: T) => string, always = false): Promise<T | undefined> {
  if (of.length === 0 || (of.length === 1 && !always)) {
    return of[0];
  }
  const items = of.map(name);
  const chosen = await InputDialog.getItem({ title, items });
  return chosen.button.accept && chosen.value !== null ? of[items.indexOf(chosen.value)] : undefined;
}
