/** The first line of a cell while it has no title → a pale word where that is typed, which a screen reader says, too. */

import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { EditorState, Extension } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';

import { __ } from '../translation';

/** Options alone, and a space to go on from. */
const UNTITLED = /^%%(step|branch \S+) (--\w+ \S+ )*$/;

const untitled = ({ doc }: EditorState): boolean => UNTITLED.test(doc.line(1).text);

/** One object: an editor has it once, however often it is given. */
const HINT: Extension = [
  EditorView.decorations.of(({ state }) =>
    untitled(state)
      ? Decoration.set(Decoration.line({ class: 'wfnb-untitled', attributes: { 'data-hint': __('Title') } }).range(0))
      : Decoration.none,
  ),
  EditorView.contentAttributes.of(({ state }) => (untitled(state) ? { 'aria-description': __('Title') } : null)),
];

export function hintAtTitle(editor: CodeEditor.IEditor): void {
  (editor as unknown as { injectExtension(extension: Extension): void }).injectExtension(HINT);
}
