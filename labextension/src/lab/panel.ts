/** The panel at the side: the view of the notebook that a person works in. Views of other notebooks wait, hidden,
 *  so that tab, filter and place are there again.
 */

import type { NotebookPanel } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';

import { h } from '../render/dom';
import { icon } from './icon';
import type { Opened } from './notebooks';

const NONE = 'Open a notebook to see its steps here.';

export class Panel extends Widget {
  private readonly views = new Map<NotebookPanel, HTMLElement>();
  private readonly none = h('p', { class: 'wfnb-none' }, NONE);
  private wanted: Opened | null = null;

  constructor() {
    super();
    this.id = 'wfnb-panel';
    this.addClass('wfnb-panel');
    this.title.icon = icon;
    this.title.caption = 'wfnb: the steps of this notebook';
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', this.title.caption);
    this.node.append(this.none);
  }

  /** Whether there is no notebook to stay with. */
  get nothingShown(): boolean {
    return this.wanted === null;
  }

  /** Show this notebook, now or when the panel is opened. */
  follow(opened: Opened | null): void {
    this.wanted = opened;
    if (this.isVisible) {
      this.draw();
    }
  }

  protected override onAfterShow(): void {
    this.draw();
  }

  protected override onAfterAttach(): void {
    this.follow(this.wanted);
  }

  protected override onActivateRequest(): void {
    const first = this.node.querySelector<HTMLElement>('[tabindex="0"]:not([hidden])');
    (first ?? this.node).focus();
  }

  private draw(): void {
    const panel = this.wanted?.panel;
    if (this.wanted && panel && !this.views.has(panel)) {
      void this.make(this.wanted);
    }
    this.none.hidden = panel !== undefined;
    this.views.forEach((root, of) => (root.hidden = of !== panel));
  }

  private async make(opened: Opened): Promise<void> {
    const root = h('div', { class: 'wfnb-root' });
    this.views.set(opened.panel, root);
    this.node.append(root);
    const { mount } = await import('../render/view');
    if (opened.panel.isDisposed) {
      return root.remove();
    }
    const dispose = mount(root, opened.link, opened.host);
    opened.panel.disposed.connect(() => {
      dispose();
      root.remove();
      this.views.delete(opened.panel);
      if (this.wanted === opened) {
        this.follow(null);
      }
    });
  }
}
