/** Parts of a text that are underlined, with why as their tooltip. */

import type { CodeEditor } from '@jupyterlab/codeeditor';
import { StateEffect, StateField } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

import type { EditorHost } from '../editor/host';

type Parts = Parameters<EditorHost['mark']>[0];

export function squiggles(editor: CodeEditor.IEditor): EditorHost['mark'] {
  const { editor: view, injectExtension } = editor as unknown as { editor: EditorView; injectExtension(extension: Extension): void };
  const marked = StateEffect.define<DecorationSet>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(known, transaction) {
      const moved = known.map(transaction.changes);
      return transaction.effects.reduce((found, effect) => (effect.is(marked) ? effect.value : found), moved);
    },
    provide: (of) => EditorView.decorations.from(of),
  });
  injectExtension.call(editor, field);
  return (parts: Parts) => {
    const length = view.state.doc.length;
    const ranges = parts
      .map(({ from, to, says, severity }) => ({ from: Math.min(from, length), to: Math.min(Math.max(to, from + 1), length), says, severity }))
      .filter(({ from, to }) => from < to)
      .map(({ from, to, says, severity }) =>
        Decoration.mark({ class: `wfnb-squiggle wfnb-squiggle-${severity}`, attributes: { title: says } }).range(from, to),
      );
    view.dispatch({ effects: marked.of(Decoration.set(ranges, true)) });
  };
}
