/** The first line of a cell while it has no title → a pale word where that is typed, which a screen reader says, too. */

import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import { __ } from '../translation';

/** Options alone, and a space to go on from. */
const UNTITLED = /^%%(step|branch \S+) (--\w+ \S+ )*$/;

/** One object: an editor has it once, however often it is given. The style draws the word. */
const HINT = EditorView.contentAttributes.of(({ state }) => {
  const word = __('Title');
  return UNTITLED.test(state.doc.line(1).text) ? { 'aria-description': word, style: `--wfnb-title: '${word}'` } : null;
});

export function hintAtTitle(editor: CodeEditor.IEditor | null): void {
  (editor as { injectExtension?(extension: Extension): void } | null)?.injectExtension?.(HINT);
}
