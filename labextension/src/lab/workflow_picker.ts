/** Saved workflows → what came of the one that a person chose and filled in; null where they changed their mind. */

import { Dialog } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';

import { h } from '../render/dom';
import { statusLine } from '../render/status_line';
import type { SavedWorkflow } from '../protocol';
import { __ } from '../translation';

export interface Choice {
  workflow: string;
  variables: Record<string, string>;
}

/** The form is there until `start` went well, and says what was refused: nothing has to be typed again. */
export async function pick<T>(workflows: readonly SavedWorkflow[], start: (choice: Choice) => Promise<T>): Promise<T | null> {
  const form = new Form(workflows);
  let started: T | null = null;
  const dialog = new Persistent(
    {
      title: workflows.length === 1 ? __('Run %1', workflows[0]?.name ?? '') : __('Run a saved workflow'),
      body: form,
      buttons: [Dialog.cancelButton({ label: __('Cancel') }), Dialog.okButton({ label: __('Run') })],
      focusNodeSelector: workflows.length === 1 ? 'input' : 'select',
    },
    () =>
      form.submit(async (choice) => {
        started = await start(choice);
      }),
  );
  await dialog.launch();
  return started;
}

const CANCEL = 0;

/** A dialog that its button *Run* closes only when that was done. */
class Persistent extends Dialog<Choice | null> {
  private busy = false;

  constructor(
    options: Partial<Dialog.IOptions<Choice | null>>,
    private readonly act: () => Promise<boolean>,
  ) {
    super(options);
  }

  override resolve(index?: number): void {
    if (index === CANCEL) {
      super.resolve(index);
    } else if (!this.busy) {
      this.busy = true;
      void this.act().then((done) => {
        this.busy = false;
        if (done && !this.isDisposed) {
          super.resolve(index);
        }
      });
    }
  }
}

class Form extends Widget implements Dialog.IBodyWidget<Choice | null> {
  private readonly chosen: HTMLSelectElement;
  private readonly about = h('p', { class: 'wfnb-picker-about' });
  private readonly fields = h('div', { class: 'wfnb-picker-fields' });
  private readonly said = statusLine();

  constructor(private readonly workflows: readonly SavedWorkflow[]) {
    super();
    this.addClass('wfnb-picker');
    this.chosen = h(
      'select',
      { id: 'wfnb-picker-workflow', onchange: () => this.fill() },
      workflows.map((each) => h('option', { value: each.name }, each.name)),
    );
    const choice = [h('label', { for: this.chosen.id }, __('Workflow')), this.chosen];
    this.node.append(
      ...(workflows.length === 1 ? [] : choice),
      this.about,
      this.fields,
      this.said.root,
    );
    this.fill();
  }

  /** Whether it went well; if not, the form says why. */
  async submit(start: (choice: Choice) => Promise<void>): Promise<boolean> {
    const choice = this.getValue();
    return choice !== null && this.said.of(() => start(choice));
  }

  /** A variable that was left as it stands is not said: the workflow's own default holds. */
  getValue(): Choice | null {
    const workflow = this.workflow();
    if (!workflow) {
      return null;
    }
    const inputs = [...this.fields.querySelectorAll('input')];
    const said = workflow.variables.map((variable, at) => [variable, inputs[at]?.value ?? ''] as const);
    return {
      workflow: workflow.name,
      variables: Object.fromEntries(
        said
          .filter(([variable, value]) => value !== (variable.default ?? ''))
          .map(([variable, value]) => [variable.name, value]),
      ),
    };
  }

  private workflow(): SavedWorkflow | undefined {
    return this.workflows[this.chosen.selectedIndex];
  }

  private fill(): void {
    const workflow = this.workflow();
    this.said.say('');
    this.about.textContent = workflow?.description ?? '';
    const rows = (workflow?.variables ?? []).flatMap((variable, at) => {
      const id = `wfnb-picker-${at}`;
      const about = `${id}-about`;
      return [
        h('label', { for: id }, variable.default === null ? __('%1 (needed)', variable.name) : variable.name),
        h('input', {
          id,
          type: variable.secret ? 'password' : 'text',
          value: variable.default ?? '',
          autocomplete: 'off',
          spellcheck: 'false',
          'aria-describedby': about,
        }),
        h('p', { id: about, class: 'wfnb-picker-about' }, variable.description),
      ];
    });
    this.fields.replaceChildren(...rows);
  }
}
