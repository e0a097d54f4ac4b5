/** The tab of the strategy: its drawing with where the session is, what may come next, and both as tables. */

import type { Host } from '../view_host';
import type { DrawnEdge, DrawnNode, Drawing, Head } from '../protocol';
import { __, term } from '../translation';
import { deliberate } from './double_clicks';
import { attribute, each, h, text } from './dom';
import { drawingView, plain } from './graph_drawing';
import { ledgerView } from './ledger';
import { button } from './status_line';
import { signOf, spoken } from './state_signs';
import type { MakeTab } from './tab';
import { signed, table, words } from './tables';


export const stages: MakeTab = (_link, host) => {
  const none = h('p', { class: 'wfnb-empty' }, __('The strategy has too many stages for a drawing. The table has them.'));
  const drawn = drawingView();
  const next = nextStages(host);
  const kept = ledgerView();
  const named = table<DrawnNode>(
    __('Stages'),
    [
      { head: '', says: __('sign'), narrow: true, fill: (cell, node) => signed(cell, node.sign, node.state) },
      words(__('stage'), plain, { names: true }),
      words(__('state'), (node) => term(node.state)),
    ],
    ({ id }) => id,
  );
  let names = new Map<string, string>();
  const name = (id: string): string => names.get(id) ?? id;
  const ways = table<DrawnEdge>(
    __('Ways from stage to stage'),
    [
      words(__('from'), ({ tail }) => name(tail), { names: true }),
      words(__('to'), ({ head }) => name(head)),
      words(__('taken'), ({ taken }) => `${taken}×`, { number: true, narrow: true }),
    ],
    ({ tail, head }) => JSON.stringify([tail, head]),
  );
  const twin = h('details', { class: 'wfnb-twin' }, h('summary', {}, __('As tables')), named.root, ways.root);
  const root = h('div', { class: 'wfnb-stages' }, none, drawn.root, next.root, kept.root, twin);

  function tables(drawing: Drawing | null, head: Head): void {
    names = new Map(drawing?.nodes.map((node) => [node.id, plain(node)]));
    named.fill(drawing?.nodes ?? head.stages.map((stage) => bare(stage, head)));
    ways.fill(drawing?.edges ?? []);
    ways.root.hidden = drawing === null;
  }

  return {
    name: __('Stages'),
    root,
    empty: ({ head }) => head.strategy === null,
    show({ stages: drawing, head, ledger }, changed) {
      if (changed.has('ledger')) {
        kept.show(ledger);
      }
      if (!changed.has('stages') && !changed.has('head')) {
        return;
      }
      none.hidden = drawing !== null;
      drawn.root.hidden = drawing === null;
      if (drawing !== null && changed.has('stages')) {
        drawn.show(drawing);
      }
      if (drawing === null || changed.has('stages')) {
        tables(drawing, head);
      }
      next.show(head, drawing);
    },
    dispose: () => undefined,
  };
};

/** A stage of which only the name is known, as the tables take it. */
function bare(stage: string, head: Head): DrawnNode {
  const state = stage === head.stage ? 'current' : 'not yet';
  const nowhere = { x: 0, y: 0, width: 0, height: 0, end: false };
  return { id: stage, label: spoken(stage), sign: signOf(state), state, note: '', tooltip: '', ...nowhere };
}

/** The stages that may follow: a click begins a step there, where the host can. */
function nextStages(host: Host): { root: HTMLElement; show(head: Head, drawing: Drawing | null): void } {
  const says = h('span', { class: 'wfnb-dim' });
  const list = h('ul', { class: 'wfnb-next' });
  const fill = each<string, HTMLLIElement>(
    list,
    (stage) => stage,
    (stage) => {
      const title = __('New step: %1', spoken(stage));
      return h('li', {}, host.newStep ? button(spoken(stage), () => host.newStep?.(stage), undefined, { title }) : spoken(stage));
    },
  );
  const guides = h('div', { class: 'wfnb-whys wfnb-guides' });
  const fillGuides = each<string, HTMLElement>(guides, (said) => said, (said) => h('p', {}, said));
  const whys = h('div', { class: 'wfnb-dim wfnb-whys' });
  const fillWhys = each<string, HTMLElement>(whys, (why) => why, (why) => h('p', {}, why));
  const root = h('section', { class: 'wfnb-part', 'aria-label': __('Next stages') }, says, list, guides, whys);
  deliberate(list);
  return {
    root,
    show(head, drawing) {
      const after = head.stage === null ? __('First:') : __('After %1:', spoken(head.stage));
      text(says, head.next_stages.length > 0 ? after : __('The strategy ends here.'));
      attribute(says, 'title', head.line === 'main' ? null : __('on %1', head.line));
      fill(head.next_stages);
      fillGuides(guideLines(head, drawing));
      fillWhys(reasons(head));
    },
  };
}

/** What to do in each stage that may come; which one is said where there are several. */
function guideLines({ next_stages }: Head, drawing: Drawing | null): string[] {
  const guides = new Map(drawing?.nodes.map(({ id, guide }) => [id, guide]));
  const told = next_stages.flatMap((stage) => [[stage, guides.get(stage)] as const]).filter(([, guide]) => guide);
  return told.map(([stage, guide]) => (next_stages.length > 1 ? `${spoken(stage)}: ${guide}` : `${guide}`));
}

/** Why stages that the drawing does not lead to may come: a line for those of the same reason. */
function reasons({ next_stages, next_why }: Head): string[] {
  const told = next_stages.filter((stage) => next_why[stage]);
  const whys = [...new Set(told.map((stage) => next_why[stage] as string))];
  return whys.map((why) => `${told.filter((stage) => next_why[stage] === why).map(spoken).join(', ')}: ${why}`);
}
