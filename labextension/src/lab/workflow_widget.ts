/** A workflow document → its two panes, the editor and the text; a cell that holds a workflow → the editor of it. Both
 *  are views of the one text.
 */

import { ReactWidget } from '@jupyterlab/apputils';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { Cell } from '@jupyterlab/cells';
import { CodeEditorWrapper } from '@jupyterlab/codeeditor';
import type { CodeEditor, IEditorServices } from '@jupyterlab/codeeditor';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { IStateDB } from '@jupyterlab/statedb';
import type { SplitPanel, Widget } from '@lumino/widgets';
import { createElement } from 'react';

import '@xyflow/react/dist/base.css';
import rules from '../../style/editor.css';
import { Editor } from '../editor/editor';
import type { Dispose } from '../link';
import { connection } from './connection';
import { editorHost } from './editor_host';
import type { TextPlace } from './editor_host';
import { joinLater } from './shared_kernel';
import { squiggles } from './squiggles';

/** A path of the server → its document. */
type Open = (path: string) => void;

const PARTS = [3, 2];
/** Pixels: where the two have no room side by side, the text is below the diagram. */
const NARROW = 540;

export function fill(
  panel: SplitPanel,
  context: DocumentRegistry.Context,
  services: IEditorServices,
  state: IStateDB | null,
  open: Open,
): void {
  const model = context.model as DocumentRegistry.ICodeModel;
  const text = new CodeEditorWrapper({
    factory: services.factoryService.newDocumentEditor,
    model,
    editorOptions: { config: { lineNumbers: true } },
  });
  text.addClass('wfnb-workflow-text');
  model.mimeType = context.path.endsWith('.json') ? 'application/json' : 'text/x-yaml';
  const place: TextPlace = {
    path: () => context.path,
    shared: model.sharedModel,
    begins: () => 0,
    readOnly: () => model.readOnly,
    changed: (f) => onSignals(f, model.sharedModel.changed, model.stateChanged, context.pathChanged),
    ...shows(text.editor, () => 0),
  };
  panel.addWidget(editor(place, context.sessionContext, state, open));
  joinLater(context.sessionContext);
  panel.addWidget(text);
  panel.setRelativeSizes(PARTS);
  const seen = new ResizeObserver(() => {
    panel.orientation = panel.node.clientWidth < NARROW ? 'vertical' : 'horizontal';
  });
  seen.observe(panel.node);
  panel.disposed.connect(() => seen.disconnect());
}

/** The body of a cell, which begins after its first line. `path` stands for a file that it would be. */
export function cellEditor(cell: Cell, path: () => string, context: ISessionContext, state: IStateDB | null, open: Open): Widget {
  const shared = cell.model.sharedModel;
  const begins = (): number => shared.getSource().indexOf('\n') + 1 || shared.getSource().length;
  const made = editor(
    {
      path,
      shared,
      begins,
      readOnly: () => cell.readOnly || cell.isDisposed,
      changed: (f) => onSignals(f, shared.changed),
      reveal(from, to, focus) {
        if (cell.editor) {
          shows(cell.editor, begins).reveal(from, to, focus);
        }
      },
      mark: () => undefined, // a notebook's cells are its own
    },
    context,
    state,
    open,
  );
  cell.disposed.connect(() => made.dispose());
  return made;
}

function editor(place: TextPlace, context: ISessionContext, state: IStateDB | null, open: Open): Widget {
  style();
  const link = connection(context);
  const made = ReactWidget.create(createElement(Editor, { host: editorHost(place, context, link, state, open) }));
  made.addClass('wfnb-root');
  made.disposed.connect(() => link.dispose());
  return made;
}

function shows(at: CodeEditor.IEditor, begins: () => number): Pick<TextPlace, 'reveal' | 'mark'> {
  return {
    mark: squiggles(at),
    reveal(from, to, focus) {
      const [start, end] = [from, to].map((place) => at.getPositionAt(begins() + place));
      if (start && end) {
        at.setSelection({ start, end });
        at.revealPosition(start);
        if (focus) {
          at.focus();
        }
      }
    },
  };
}

/** Told by any of them. */
function onSignals(f: () => void, ...signals: { connect(f: () => void): unknown; disconnect(f: () => void): unknown }[]): Dispose {
  signals.forEach((signal) => signal.connect(f));
  return () => signals.forEach((signal) => signal.disconnect(f));
}

let styled = false;

/** The rules of the editor come with it, and not with JupyterLab. */
function style(): void {
  if (!styled) {
    styled = true;
    const sheet = document.createElement('style');
    sheet.textContent = rules;
    document.head.append(sheet);
  }
}
