/** What JupyterLab and Notebook 7 start: panel, badges, commands, status bar, settings. */

import { ILayoutRestorer } from '@jupyterlab/application';
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator } from '@jupyterlab/translation';

import { speak } from '../translation';
import { addCommands } from './commands';
import { closeFields } from './leftover_input_fields';
import { report } from './panel_host';
import { notebooks } from './notebooks';
import type { Opened } from './notebooks';
import { Panel } from './panel';
import { DEFAULTS, settings } from './settings';
import type { Settings } from './settings';
import { Status } from './status_bar';
import workflowDocument from './workflow_document';

const ID = 'wfnb:plugin';

const plugin: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: 'The history of a notebook, beside it and in its cells.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ISettingRegistry, ILayoutRestorer, ICommandPalette, IStatusBar, ITranslator],
  activate,
};

async function activate(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  registry: ISettingRegistry | null,
  restorer: ILayoutRestorer | null,
  palette: ICommandPalette | null,
  bar: IStatusBar | null,
  translator: ITranslator | null,
): Promise<void> {
  speak(translator);
  let set: Settings = DEFAULTS;
  const open = (): void => app.shell.activateById(panel.id);
  const panel = new Panel();
  const status = new Status(open);
  const step = (of: Opened, key: number): void => {
    panel.follow(of);
    open();
    void panel.reveal(key);
  };
  const opened = notebooks(tracker, { badges: () => set.badges, autoLoad: () => set.autoLoad }, step, (choice) =>
    void report(import('./lazy_commands').then(({ lead }) => lead(app, opened, step, choice))),
  );

  closeFields();

  const looked = (): void => {
    opened.current()?.looked();
    panel.looked();
  };
  const follow = (): void => {
    opened.current()?.looked();
    status.follow(opened.current());
    if (set.follow || panel.nothingShown) {
      panel.follow(opened.current());
    }
  };
  const place = (): void => app.shell.add(panel, set.side, { rank: 900 });
  const use = (now: Settings): void => {
    const moves = set.side !== now.side && panel.isAttached;
    const shown = panel.isVisible;
    set = now;
    if (moves) {
      place();
    }
    if (moves && shown) {
      open();
    }
    opened.all().forEach((each) => each.showBadges());
    follow();
  };

  await settings(registry, ID, use); // before the layout comes back: its side is known then
  place();
  restorer?.add(panel, panel.id);
  const ids = addCommands(app.commands, opened.current, { open, step });
  ids.forEach((command, rank) => palette?.addItem({ command, category: 'wfnb', rank, args: { palette: true } }));
  bar?.registerStatusItem(ID, { item: status, align: 'left', rank: 50 });
  tracker.currentChanged.connect(follow);
  // its button is in the toolbar of the cell, whose text may be one of wfnb by now
  const offers = (): void => app.commands.notifyCommandChanged('wfnb:make-step');
  tracker.activeCellChanged.connect(offers);
  tracker.forEach((each) => void opened.of(each).host.cellsChanged(offers));
  tracker.widgetAdded.connect((_, each) => void opened.of(each).host.cellsChanged(offers));
  window.addEventListener('focus', looked);
  follow();
}

export default [plugin, workflowDocument];
