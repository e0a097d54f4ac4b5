/** The widget in a cell: a small loader, since notebooks save it with every widget. The renderer comes from the page,
 *  where a widget has brought it already, else from the kernel, once.
 *
 *  The model (wfnb/jupyter/panel/widget.py) has `renderer`, the hash of the renderer, and `control`, the id of a
 *  second model for requests ('' where there is none): cells never write to that one. Messages:
 *
 *      → {want: 'renderer'}     ← {kind: 'renderer', hash, script, style}
 *      → {want: 'session'}      ← what is told: a snapshot, then deltas
 *      → {id, ask, …}           ← {id, answer} or {id, error, says}      (on `control`)
 */

import type { mount as Mount } from './render/view';
import { connect } from './widget_link';
import type { Model } from './widget_link';

interface Renderer {
  mount: typeof Mount;
  style: string;
}

interface Bundle {
  kind: 'renderer';
  hash: string;
  script: string;
  style: string;
}

const KEPT = Symbol.for('wfnb.renderers');
const GONE = 'The session is shown here while a kernel runs that has loaded wfnb.';
/** How long the kernel may take to send the renderer before a person is told that it does not come. */
const RENDERER_TIMEOUT = 10_000;
/** How long a line under the view stays. */
const SHOWN = 10_000;
/** JupyterLab runs no command for a key pressed in an element that has this. */
const OURS = 'data-lm-suppress-shortcuts';
const FIELDS = 'input, textarea, select';

type Page = { [KEPT]?: Map<string, Promise<Renderer>> };

function renderer(model: Model): Promise<Renderer> {
  const page = globalThis as Page;
  const known = (page[KEPT] ??= new Map());
  const hash = String(model.get('renderer'));
  const found = known.get(hash) ?? fetched(model, hash);
  known.set(hash, found);
  found.catch(() => known.delete(hash));
  return found;
}

async function fetched(model: Model, hash: string): Promise<Renderer> {
  const bundle = await new Promise<Bundle>((done, failed) => {
    const timer = setTimeout(() => {
      model.off('msg:custom', hear);
      failed(new Error(GONE));
    }, RENDERER_TIMEOUT);
    const hear = (message: unknown): void => {
      const said = message as Bundle;
      if (said.kind === 'renderer' && said.hash === hash) {
        clearTimeout(timer);
        model.off('msg:custom', hear);
        done(said);
      }
    };
    model.on('msg:custom', hear);
    model.send({ want: 'renderer' });
  });
  const url = URL.createObjectURL(new Blob([bundle.script], { type: 'text/javascript' }));
  try {
    const made = (await import(/* @vite-ignore */ url)) as { mount: typeof Mount };
    return { mount: made.mount, style: bundle.style };
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function render({ model, el }: { model: Model; el: HTMLElement }): Promise<() => void> {
  const says = document.createElement('p');
  says.textContent = 'Waiting for the kernel.';
  el.append(says);
  try {
    const { mount, style } = await renderer(model);
    const link = await connect(model);
    const sheet = document.createElement('style');
    sheet.textContent = style;
    const root = document.createElement('div');
    root.className = 'wfnb-in-cell';
    root.addEventListener('keydown', keyed);
    const line = statusLine();
    el.replaceChildren(sheet, root, line.root);
    const heard = keys(root);
    for (const action of ['pointerdown', 'keydown']) {
      root.addEventListener(action, line.clear);
      root.addEventListener(action, link.looked);
    }
    const unmount = mount(root, link, { say: line.say });
    return () => {
      line.clear();
      heard();
      unmount();
      link.dispose();
      el.replaceChildren();
    };
  } catch (reason) {
    says.textContent = reason instanceof Error ? reason.message : GONE;
    return () => el.replaceChildren();
  }
}

/** The notebook around has commands for single keys (`d d` deletes the cell): they are none of its business here.
 *  What is pressed with Ctrl, ⌘ or Alt goes on being its own, as to save, and to run the cell; not in a field.
 */
function keys(root: HTMLElement): () => void {
  const decide = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    // on the element itself: one around it comes too late where a command is for whatever has the focus
    if (target instanceof Element && root.contains(target) && !target.matches(FIELDS)) {
      target.toggleAttribute(OURS, !ctrlKey && !metaKey && !altKey);
    }
  };
  window.addEventListener('keydown', decide, true); // before JupyterLab, which asks as the document hears it
  return () => window.removeEventListener('keydown', decide, true);
}

/** Enter in a field submits its form: it would by itself, but not in an output of JupyterLab. Escape leads out to the
 *  cell, where nothing here is closed by it.
 */
function keyed(event: KeyboardEvent): void {
  const field = event.target;
  if (event.defaultPrevented || event.isComposing) {
    return;
  }
  if (event.key === 'Enter' && field instanceof HTMLInputElement && field.form) {
    event.preventDefault();
    field.form.requestSubmit();
  } else if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement) {
    event.currentTarget.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
  }
}

/** A line under the view, until the next one, the next action, or for a while. The place is there before its words, so
 *  that screen readers hear them.
 */
function statusLine(): { root: HTMLElement; say(text: string): void; clear(): void } {
  const root = document.createElement('div');
  root.setAttribute('role', 'status');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    root.replaceChildren();
  };
  const say = (text: string): void => {
    clear();
    const line = document.createElement('p');
    line.className = 'wfnb-said';
    line.textContent = text;
    root.append(line);
    timer = setTimeout(clear, SHOWN);
  };
  return { root, say, clear };
}

export default { render };
