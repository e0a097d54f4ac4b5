/** The tab of an investigation: where it stands, what is still to be done, what was found, how sure it is. */

import type { Inquiry } from '../protocol';
import { chart } from './confidence_chart';
import { checklist } from './checklist';
import { sentence } from '../link';
import { __, term } from '../translation';
import { attribute, each, h, text } from './dom';
import { writes } from './read_only';
import { button } from './status_line';
import { signed, signOf } from './state_signs';
import type { MakeTab } from './tab';
import { look, table, words } from './tables';
import type { Column, Table } from './tables';

const SEVERITIES = ['critical', 'high', 'medium', 'low'];
const FATES: Readonly<Record<string, string>> = { confirmed: '✓', standing: '·', refuted: '✕', replaced: '↻', discarded: '✕' };

type Lists = { [K in 'confidence' | 'findings' | 'issues' | 'hypotheses']: Inquiry[K][number] & { place: number } };

export const inquiry: MakeTab = (link, host) => {
  const judge = (hypothesis: number, verdict: 'confirmed' | 'refuted'): void =>
    void link.ask('judge', { hypothesis, verdict }).catch(sentence).then(host.say);
  const says = h('p', { class: 'wfnb-part wfnb-status' });
  const end = h('p', { class: 'wfnb-part wfnb-end' });
  const drawn = chart();
  const levels = listed(
    'confidence',
    __('Confidence of the steps'),
    [step(), words(__('confidence'), ({ level }) => level), gone()],
    false,
  );
  const twin = h('details', { class: 'wfnb-twin' }, h('summary', {}, __('As a table')), levels.root);
  const sure = h(
    'section',
    { 'aria-label': __('Confidence') },
    h('h3', { class: 'wfnb-h' }, __('Confidence')),
    drawn.root,
    twin,
  );
  const todo = checklist();
  const findings = listed('findings', __('Findings'), [step(), words(__('finding'), (each) => each.text), gone()]);
  const issues = listed('issues', __('Issues'), [
    { head: __('severity'), names: true, narrow: true, fill: (cell, { severity }) => severe(cell, severity) },
    words(__('issue'), (each) => each.text),
    words(__('steps'), ({ steps }) => steps.join(', '), { narrow: true }),
    gone(),
  ]);
  const hypotheses = listed('hypotheses', __('Hypotheses'), [
    step(),
    words(__('hypothesis'), (each) => each.text),
    words(__('fate'), ({ fate, why }) => [`${FATES[fate] ?? signOf(fate)} ${term(fate)}`, why].filter(Boolean).join(' · ')),
    verdict(judge),
  ]);
  const paths = h('ul', { class: 'wfnb-files' });
  const fillPaths = each<string, HTMLLIElement>(paths, (path) => path, (path) => h('li', {}, path));
  const files = h('section', { 'aria-label': __('Files') }, h('h3', { class: 'wfnb-h' }, __('Files')), paths);
  const root = h(
    'div',
    { class: 'wfnb-inquiry' },
    says, end, todo.root, sure, findings.root, issues.root, hypotheses.root, files,
  );

  return {
    name: __('Findings'),
    root,
    empty: ({ inquiry: now }) => now === null,
    show({ inquiry: now, lines }, changed) {
      if (!changed.has('inquiry') || now === null) {
        return;
      }
      text(says, now.says);
      text(end, now.end);
      end.hidden = now.end === '';
      todo.show(now.checklist);
      sure.hidden = now.confidence.length === 0;
      drawn.show(now, lines);
      levels.show(now.confidence);
      findings.show(now.findings);
      issues.show([...now.issues].sort((a, b) => rank(a) - rank(b)));
      hypotheses.show(now.hypotheses);
      files.hidden = now.files.length === 0;
      fillPaths(now.files);
    },
    count({ inquiry: now }) {
      return now?.found || null;
    },
    dispose: () => undefined,
  };
};

/** A table that is there only while it has rows. */
function listed<K extends keyof Lists>(
  _kind: K,
  caption: string,
  columns: readonly Column<Lists[K]>[],
  seen = true,
): { root: HTMLElement; show(values: Inquiry[K]): void } {
  const made: Table<Lists[K]> = table(caption, columns, ({ place }) => place, seen);
  return {
    root: made.root,
    show(values) {
      made.root.hidden = values.length === 0;
      made.fill(values.map((value, place) => ({ ...value, place }) as Lists[K]));
    },
  };
}

function step<T extends { step: string }>(): Column<T> {
  return words(__('step'), (each) => each.step, { names: true, narrow: true });
}

/** Why it no longer counts; nothing where it does. */
function gone<T extends { state: string }>(): Column<T> {
  return {
    head: '',
    says: __('state'),
    narrow: true,
    fill(cell, { state }) {
      if (cell.textContent !== (state && signed(state))) {
        cell.replaceChildren(...(state ? [signOf(state), h('span', { class: 'wfnb-fate' }, ` ${term(state)}`)] : []));
      }
      attribute(cell, 'title', term(state) || null);
      attribute(cell.parentElement as Element, 'data-gone', state || null);
    },
  };
}

/** Buttons that confirm or refute what stands. */
function verdict(
  judge: (hypothesis: number, verdict: 'confirmed' | 'refuted') => void,
): Column<Inquiry['hypotheses'][number]> {
  return {
    head: '',
    says: __('verdict'),
    narrow: true,
    fill(cell, { number, fate, text: claim }) {
      const key = fate === 'standing' || fate === 'replaced' ? String(number) : '';
      if (cell.dataset['number'] === key) {
        return;
      }
      cell.dataset['number'] = key;
      const deed = (word: string, verdict: 'confirmed' | 'refuted'): HTMLButtonElement => {
        const made = writes(button(word, () => judge(number, verdict), 'wfnb-link'));
        attribute(made, 'aria-label', `${word}: ${claim}`);
        return made;
      };
      cell.replaceChildren(...(key ? [deed(__('confirm'), 'confirmed'), ' ', deed(__('refute'), 'refuted')] : []));
    },
  };
}

function severe(cell: HTMLElement, severity: string): void {
  text(cell, term(severity));
  const bad = { critical: 'failed', high: 'failed', medium: 'interrupted' }[severity];
  attribute(cell, 'class', `wfnb-narrow ${bad ? look(bad) : ''}`);
}

function rank({ severity }: { severity: string }): number {
  return (SEVERITIES.indexOf(severity) + SEVERITIES.length + 1) % (SEVERITIES.length + 1);
}
