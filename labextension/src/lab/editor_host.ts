/** A text that is a workflow, and a kernel → what the editor has of both. */

import { Dialog, InputDialog, showDialog } from '@jupyterlab/apputils';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { IStateDB } from '@jupyterlab/statedb';
import type { ISharedText } from '@jupyter/ydoc';

import type { EditorHost, Places } from '../editor/host';
import { writable } from '../link';
import type { Dispose } from '../link';
import { __ } from '../translation';
import type { Connection } from './connection';
import { say } from './panel_host';
import { join } from './shared_kernel';
import { checkedByServer } from './server_journal';
import { load } from './load_extension';
import { oneEdit } from './undoable_edit';
import { pick } from './workflow_picker';

/** Where the text is. */
export interface TextPlace {
  /** The path of its file, or what stands for it. */
  path(): string;
  /** What the text is a part of. */
  shared: ISharedText;
  /** The character at which it begins there; it goes on to the end. */
  begins(): number;
  readOnly(): boolean;
  changed(f: () => void): Dispose;
  reveal: EditorHost['reveal'];
  mark: EditorHost['mark'];
}

const ANSWER_TIMEOUT = 15_000;

export function editorHost(place: TextPlace, context: ISessionContext, link: Connection, state: IStateDB | null, open: (path: string) => void): EditorHost {
  const { shared } = place;
  const moved = (): string => `wfnb-moved-nodes:${place.path()}`;
  const file = (): string => place.path().split('/').at(-1) as string;
  const answers = (): boolean => writable(link.state);
  return {
    get file() {
      return file();
    },
    link,
    text: () => shared.getSource().slice(place.begins()),
    splice(splices) {
      const begins = place.begins();
      oneEdit(shared, () => {
        for (const { from, to, insert } of [...splices].sort((a, b) => b.from - a.from)) {
          shared.updateSource(begins + from, begins + to, insert);
        }
      });
    },
    undo: () => void shared.undo(),
    redo: () => void shared.redo(),
    changed: place.changed,
    get readOnly() {
      return place.readOnly();
    },
    reveal: place.reveal,
    mark: place.mark,
    check: (text, of = {}) =>
      answers() ? link.ask('check', { text, file: file(), ...of }) : checkedByServer(place.path(), text, of),
    open: (name) => open([...place.path().split('/').slice(0, -1), name].join('/')),
    async load() {
      if (answers()) {
        return '';
      }
      await context.sessionManager.refreshRunning();
      await join(context);
      const name = context.session?.kernel ? undefined : pythonKernel(context);
      if (name) {
        context.kernelPreference = { ...context.kernelPreference, name };
      }
      const refusal = await load(context);
      if (refusal === '') {
        link.reach();
        await answering(link, answers);
      }
      return refusal;
    },
    moved: async () => ((await state?.fetch(moved())) as Places | undefined) ?? {},
    keepMoved: (places) => void state?.save(moved(), places),
    say,
    async pick(title, items) {
      const { button, value } = await InputDialog.getItem({ title, items: [...items] });
      return button.accept ? value : null;
    },
    async choose(title, body, deed) {
      const { button } = await showDialog({ title, body, buttons: [Dialog.cancelButton(), Dialog.warnButton({ label: deed })] });
      return button.accept;
    },
    fill: (name, variables, start) =>
      pick([{ name, description: '', variables }], ({ variables: typed }) => start(typed)),
  };
}

/** The default kernel where it is one of Python, else the first that is. */
function pythonKernel({ specsManager: { specs } }: ISessionContext): string | undefined {
  const names = Object.keys(specs?.kernelspecs ?? {}).filter((name) => specs?.kernelspecs[name]?.language === 'python');
  return names.includes(specs?.default ?? '') ? specs?.default : names[0];
}

/** As soon as wfnb there has answered. */
function answering(link: Connection, answers: () => boolean): Promise<void> {
  return new Promise((done, failed) => {
    const stop = (): void => {
      clearTimeout(timer);
      parts.forEach((part) => part());
    };
    const look = (): void => {
      if (answers()) {
        stop();
        done();
      }
    };
    const parts = [link.on(look), link.watch(look)];
    const timer = setTimeout(() => {
      stop();
      failed(new Error(__('wfnb was loaded, and does not answer.')));
    }, ANSWER_TIMEOUT);
    look();
  });
}
