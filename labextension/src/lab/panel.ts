/** The panel at the side: the view of the notebook that a person works in. Views of other notebooks wait, hidden,
 *  so that tab, filter and place are there again.
 */

import type { NotebookPanel } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';

import { h } from '../render/dom';
import type { View } from '../render/view';
import { __ } from '../translation';
import { icon } from './icon';
import type { Opened } from './notebooks';

interface Place {
  root: HTMLElement;
  view: Promise<View | null>;
}

/** While it is shown, notifications leave its lowest line free. */
const BESIDE = 'wfnb-beside-foot';

export class Panel extends Widget {
  private readonly places = new Map<NotebookPanel, Place>();
  private readonly none = h('p', { class: 'wfnb-none' }, __('Open a notebook to see its steps here.'));
  private wanted: Opened | null = null;

  constructor() {
    super();
    this.id = 'wfnb-panel';
    this.addClass('wfnb-panel');
    this.title.icon = icon;
    this.title.caption = __('wfnb: the steps of this notebook');
    this.node.tabIndex = -1;
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

  /** Somebody looks at it now. */
  looked(): void {
    if (this.isVisible) {
      this.wanted?.looked();
    }
  }

  protected override onAfterShow(): void {
    document.body.classList.add(BESIDE);
    this.draw();
    this.looked();
  }

  protected override onAfterHide(): void {
    document.body.classList.remove(BESIDE);
  }

  protected override onAfterAttach(): void {
    this.follow(this.wanted);
  }

  protected override onActivateRequest(): void {
    void this.focus();
    this.looked();
  }

  /** The palette gives the focus back to the notebook when it closes, in turns of this one: the panel takes it after
   *  them. The view has it as soon as that is there, unless a person has taken it elsewhere by then.
   */
  private async focus(): Promise<void> {
    await new Promise((done) => setTimeout(done));
    this.node.focus({ preventScroll: true });
    const view = await (this.wanted && this.places.get(this.wanted.panel)?.view);
    if (view && document.activeElement === this.node) {
      view.focus();
    }
  }

  /** Open the card of this step of the notebook that is shown. */
  async reveal(key: number): Promise<void> {
    this.draw();
    const view = this.wanted && (await this.places.get(this.wanted.panel)?.view);
    view?.show(key);
  }

  private draw(): void {
    const panel = this.wanted?.panel;
    if (this.wanted && panel && !this.places.has(panel)) {
      const root = h('div', { class: 'wfnb-root' });
      this.node.append(root);
      this.places.set(panel, { root, view: this.make(this.wanted, root) });
    }
    this.none.hidden = panel !== undefined;
    this.places.forEach(({ root }, of) => (root.hidden = of !== panel));
  }

  private async make(opened: Opened, root: HTMLElement): Promise<View | null> {
    opened.panel.disposed.connect(() => {
      root.remove();
      this.places.delete(opened.panel);
      if (this.wanted === opened) {
        this.follow(null);
      }
    });
    const { mount } = await import('../render/view');
    if (opened.panel.isDisposed) {
      return null;
    }
    const view = mount(root, opened.link, opened.host);
    opened.panel.disposed.connect(view.dispose);
    return view;
  }
}
