/** `*.workflow.yaml` as a document that is a diagram and its text. What starts with JupyterLab is the file type, the
 *  factory and the commands; the editor itself comes with the first file that is opened in it.
 */

import { ILayoutRestorer } from '@jupyterlab/application';
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import { IEditorServices } from '@jupyterlab/codeeditor';
import { ABCWidgetFactory, DocumentWidget } from '@jupyterlab/docregistry';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { ILauncher } from '@jupyterlab/launcher';
import { INotebookTracker } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';
import { IStateDB } from '@jupyterlab/statedb';
import { ITranslator } from '@jupyterlab/translation';
import { SplitPanel } from '@lumino/widgets';
import { __, speak } from '../translation';

import { icon } from './icon';
import { paletteLabel } from './palette_label';

const FACTORY = 'Workflow';
const TYPE = 'wfnb-workflow';
export const NEW = 'wfnb:new-workflow';
export const EDIT_CELL = 'wfnb:edit-workflow-cell';
/** The first line of a cell that holds a workflow, and the name in it. */
const HEADER = /^%%(?:run_workflow|workflow)\b[ \t]*([^\s-][^\s]*)?[^\n]*\n/;
const ENDS = ['.workflow.yaml', '.workflow.yml', '.workflow.json'];
const BEGINNING = 'steps:\n  - id: hello\n    tool: shell\n    args:\n      command: echo hello\n';

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'wfnb:workflow-editor',
  description: 'Workflow files as diagrams beside their text.',
  autoStart: true,
  requires: [IEditorServices],
  optional: [INotebookTracker, IStateDB, ILayoutRestorer, ICommandPalette, ILauncher, ITranslator],
  activate,
};

function activate(
  app: JupyterFrontEnd,
  services: IEditorServices,
  notebooks: INotebookTracker | null,
  state: IStateDB | null,
  restorer: ILayoutRestorer | null,
  palette: ICommandPalette | null,
  launcher: ILauncher | null,
  translator: ITranslator | null,
): void {
  speak(translator);
  const { docRegistry: registry, commands } = app;
  registry.addFileType({
    name: TYPE,
    displayName: __('Workflow'),
    extensions: ENDS,
    mimeTypes: ['text/yaml'],
    fileFormat: 'text',
    contentType: 'file',
    icon,
  });
  const open = (path: string): unknown => commands.execute('docmanager:open', { path });
  const tracker = new WidgetTracker<DocumentWidget<SplitPanel>>({ namespace: TYPE });
  const factory = new Factory(
    { name: FACTORY, label: __('Workflow'), modelName: 'text', fileTypes: [TYPE], defaultFor: [TYPE], canStartKernel: true },
    async (panel, context) => {
      const { fill } = await import('./workflow_widget');
      fill(panel, context, services, state, open);
    },
    registry,
  );
  factory.widgetCreated.connect((_, widget) => {
    widget.title.icon = icon;
    widget.context.pathChanged.connect(() => void tracker.save(widget));
    void tracker.add(widget);
  });
  registry.addWidgetFactory(factory);
  void restorer?.restore(tracker, {
    command: 'docmanager:open',
    args: ({ context }) => ({ path: context.path, factory: FACTORY }),
    name: ({ context }) => context.path,
  });

  commands.addCommand(NEW, {
    label: ({ palette, menu }) => (palette || menu ? paletteLabel(__('New workflow'))({ palette }) : __('Workflow')),
    caption: __('A new workflow, as a diagram and its text'),
    icon,
    execute: async ({ cwd }) => {
      const path = typeof cwd === 'string' ? cwd : '';
      const made = (await commands.execute('docmanager:new-untitled', {
        path, type: 'file', ext: ENDS[0] as string,
      })) as Contents.IModel;
      await app.serviceManager.contents.save(made.path, { ...made, type: 'file', format: 'text', content: BEGINNING });
      return commands.execute('docmanager:open', { path: made.path, factory: FACTORY });
    },
  });
  const header = (): RegExpExecArray | null => HEADER.exec(notebooks?.activeCell?.model.sharedModel.getSource() ?? '');
  commands.addCommand(EDIT_CELL, {
    label: paletteLabel(__('Edit this workflow as a diagram')),
    caption: __('The workflow of the active cell as a diagram beside the notebook'),
    icon,
    isEnabled: () => header() !== null,
    isVisible: ({ context }) => !context || header() !== null,
    execute: async () => {
      const [cell, notebook, name] = [notebooks?.activeCell, notebooks?.currentWidget, header()?.[1] ?? 'workflow'];
      if (!cell || !notebook) {
        return;
      }
      const { cellEditor } = await import('./workflow_widget');
      const folder = notebook.context.path.split('/').slice(0, -1);
      const content = cellEditor(cell, () => [...folder, `${name}.yaml`].join('/'), notebook.sessionContext, state, open);
      const widget = new MainAreaWidget({ content });
      widget.id = `wfnb-workflow-${cell.model.id}`;
      Object.assign(widget.title, { label: name, icon, closable: true, caption: __('The workflow %1 of %2', name, notebook.context.path) });
      content.disposed.connect(() => widget.dispose());
      app.shell.add(widget, 'main', { mode: 'split-right', ref: notebook.id });
    },
  });
  palette?.addItem({ command: NEW, category: 'wfnb', args: { palette: true } });
  palette?.addItem({ command: EDIT_CELL, category: 'wfnb', args: { palette: true } });
  launcher?.add({ command: NEW, category: translator?.load('jupyterlab').__('Other') ?? 'Other', rank: 3 });
}

/** What fills the document, and its model is the text that every other editor of the file has, too. */
class Factory extends ABCWidgetFactory<DocumentWidget<SplitPanel>> {
  constructor(
    options: DocumentRegistry.IWidgetFactoryOptions<DocumentWidget<SplitPanel>>,
    private readonly fill: (panel: SplitPanel, context: DocumentRegistry.Context) => Promise<void>,
    private readonly registry: DocumentRegistry,
  ) {
    super(options);
  }

  /** Whichever editor opens a file first decides whether it is edited by several at once: as the text editor would. */
  override get contentProviderId(): string {
    return this.registry.getWidgetFactory('Editor')?.contentProviderId as string; // undefined: the server's own
  }

  override set contentProviderId(_: string) {
    // it follows the text editor's
  }

  protected createNewWidget(context: DocumentRegistry.Context): DocumentWidget<SplitPanel> {
    const content = new SplitPanel({ orientation: 'horizontal' });
    content.addClass('wfnb-workflow');
    void context.ready.then(() => this.fill(content, context));
    return new DocumentWidget({ content, context });
  }
}

export default plugin;
