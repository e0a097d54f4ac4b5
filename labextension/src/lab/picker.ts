/** Saved workflows → the one that a person chose, with its variables filled in; null where they changed their mind. */

import { Dialog, showDialog } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';

import { h } from '../render/dom';
import type { SavedWorkflow } from '../picture';

export interface Choice {
  workflow: string;
  variables: Record<string, string>;
}

export async function pick(workflows: readonly SavedWorkflow[]): Promise<Choice | null> {
  const body = new Form(workflows);
  const result = await showDialog({
    title: 'Run a saved workflow',
    body,
    buttons: [Dialog.cancelButton(), Dialog.okButton({ label: 'Run' })],
    focusNodeSelector: 'select',
  });
  return result.button.accept ? body.getValue() : null;
}

class Form extends Widget implements Dialog.IBodyWidget<Choice | null> {
  private readonly chosen: HTMLSelectElement;
  private readonly about = h('p', { class: 'wfnb-picker-about' });
  private readonly fields = h('div', { class: 'wfnb-picker-fields' });

  constructor(private readonly workflows: readonly SavedWorkflow[]) {
    super();
    this.addClass('wfnb-picker');
    this.chosen = h(
      'select',
      { id: 'wfnb-picker-workflow', onchange: () => this.fill() },
      workflows.map((each) => h('option', { value: each.name }, each.name)),
    );
    this.node.append(
      h('label', { for: 'wfnb-picker-workflow' }, 'Workflow'),
      this.chosen,
      this.about,
      this.fields,
    );
    this.fill();
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
    this.about.textContent = workflow?.description ?? '';
    const rows = (workflow?.variables ?? []).flatMap((variable, at) => {
      const id = `wfnb-picker-${at}`;
      const about = `${id}-about`;
      return [
        h('label', { for: id }, variable.name, variable.default === null ? ' (needed)' : ''),
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
