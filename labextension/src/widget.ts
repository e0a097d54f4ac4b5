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
const PATIENCE = 10_000;

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
    }, PATIENCE);
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
    root.addEventListener('keydown', submit);
    el.replaceChildren(sheet, root);
    const unmount = mount(root, link, { say: (text) => tell(el, text) });
    return () => {
      unmount();
      link.dispose();
      el.replaceChildren();
    };
  } catch (reason) {
    says.textContent = reason instanceof Error ? reason.message : GONE;
    return () => el.replaceChildren();
  }
}

/** Enter in a field submits its form. It would by itself, but not in an output of JupyterLab. */
function submit(event: KeyboardEvent): void {
  const field = event.target;
  if (event.key === 'Enter' && !event.isComposing && field instanceof HTMLInputElement && field.form) {
    event.preventDefault();
    field.form.requestSubmit();
  }
}

/** A line under the view that the next one replaces. */
function tell(el: HTMLElement, text: string): void {
  el.querySelector(':scope > .wfnb-said')?.remove();
  const line = document.createElement('p');
  line.className = 'wfnb-said';
  line.setAttribute('role', 'status');
  line.textContent = text;
  el.append(line);
}

export default { render };
