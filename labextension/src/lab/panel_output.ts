/** The output of `%wfnb panel` → the widget while there is one; else the picture that the same output has: a notebook
 *  that was opened again has another kernel, or none, and its widgets are gone.
 */

import type { Notebook } from '@jupyterlab/notebook';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { Panel } from '@lumino/widgets';

type Registry = Notebook['rendermime'];
type Renderer = ReturnType<Registry['createRenderer']>;
type Model = Parameters<Renderer['renderModel']>[0];

const OURS = 'application/vnd.wfnb.panel+json';
const WIDGET = 'application/vnd.jupyter.widget-view+json';
/** Before what shows widgets, which comes before all else. */
const RANK = -20;

/** What is drawn there is drawn by what the notebook has for it. Call what it returns whenever the kernel's status
 *  changes: what draws widgets is another as soon as the kernel is known.
 */
export function addOutput(registry: Registry): () => void {
  const outputs = new Set<Output>();
  const createRenderer = (): Output => {
    const made = new Output(registry);
    outputs.add(made);
    made.disposed.connect(() => void outputs.delete(made));
    return made;
  };
  registry.addFactory({ safe: true, mimeTypes: [OURS], createRenderer }, RANK);
  return () => outputs.forEach((output) => output.renew());
}

/** Which forms of an output are drawn: that of the picture, that of the widget. */
export function forms(
  data: ReadonlyPartialJSONObject,
  preferred: (data: ReadonlyPartialJSONObject) => string | undefined,
): { still: string | undefined; live: string | undefined } {
  const { [OURS]: _ours, [WIDGET]: widget, ...others } = data;
  const shown = widget === undefined ? undefined : preferred({ [WIDGET]: widget });
  return { still: preferred(others), live: shown };
}

/** The style sheet shows one of the two: the widget as soon as it is drawn, and as long as it is. */
class Output extends Panel implements Renderer {
  private model: Model | null = null;
  private live: Renderer | null = null;
  private drawnBy: unknown;

  constructor(private readonly registry: Registry) {
    super();
    this.addClass('wfnb-output');
  }

  async renderModel(model: Model): Promise<void> {
    this.model = model;
    this.live = null;
    [...this.widgets].forEach((old) => old.dispose());
    const trust = model.trusted ? 'any' : 'ensure';
    const { still, live } = forms(model.data, (data) => this.registry.preferredMimeType(data, trust));
    await Promise.all([still && this.draw(still, 'wfnb-output-still').renderModel(model), live && this.drawLive()]);
  }

  renew(): void {
    if (this.live && this.drawnBy !== this.registry.getFactory(WIDGET)) {
      this.live.dispose();
      void this.drawLive();
    }
  }

  private async drawLive(): Promise<void> {
    this.drawnBy = this.registry.getFactory(WIDGET);
    const live = this.draw(WIDGET, 'wfnb-output-live');
    this.live = live;
    try {
      await (this.model && live.renderModel(this.model));
    } catch {
      live.dispose(); // its model is gone: the picture stays
    }
  }

  private draw(form: string, name: string): Renderer {
    const drawn = this.registry.createRenderer(form);
    drawn.addClass(name);
    this.addWidget(drawn);
    return drawn;
  }
}
