/** The tab that has lines side by side: lines are columns, facts are rows; and what can be decided about each line. */

import type { Host } from '../view_host';
import type { Comparison } from '../protocol';
import { __ } from '../translation';
import { asking } from './latest_answer';
import { chooser } from './line_chooser';
import { codeBeside } from './code_comparison';
import { each, h } from './dom';
import { figuresPart } from './figures';
import { statusLine } from './status_line';
import { sideBySide } from './comparison_table';
import type { MakeTab } from './tab';
import { verdicts } from './line_verdicts';


export const compare: MakeTab = (link, host) => {
  const shown = sideBySide();
  const told = statusLine();
  const decided = verdicts(link);
  const code = codeBeside(link);
  const chosen = chooser(() => asked.again(0));
  const figures = h('div', { class: 'wfnb-wraps' });
  const fillFigures = each<Part, HTMLElement>(figures, ({ name }) => name, (part) => part.make());
  const root = h('div', {}, chosen.root, told.root, shown.root, figures, code.root, decided.root);
  let first = true;
  let steps = 0;
  const asked = asking(
    () => {
      const lines = chosen.lines();
      return lines.length > 0 && steps > 0 ? link.ask('compare', { lines }) : Promise.resolve({ lines: [], rows: [] });
    },
    (comparison) => {
      shown.show(comparison);
      fillFigures(comparison.lines.flatMap((line) => figuresOf(line, host)));
    },
    told.say,
  );

  return {
    name: __('Compare'),
    root,
    empty: ({ lines }) => lines.length < 2,
    show({ lines, head }, changed) {
      if (changed.has('lines') || changed.has('head')) {
        steps = head.steps;
        chosen.offer(lines, head.line);
        decided.offer(lines, head.line);
        code.offer(lines, head.line);
      }
      if (changed.has('lines') || changed.has('row')) {
        asked.again(first ? 0 : undefined);
        first = false;
        code.again();
      }
    },
    dispose() {
      asked.dispose();
      code.dispose();
    },
  };
};

type Part = NonNullable<ReturnType<typeof figuresPart>>;

/** What the last step of a line that showed something has shown, under the name of the line. */
function figuresOf({ head, shown }: Comparison['lines'][0], host: Host): Part[] {
  const part = shown && figuresPart(shown, host, (change) => change());
  const make = (): HTMLElement => h('div', { class: 'wfnb-part' }, `${head} · ${__('step %1', shown?.number ?? '')}`, part?.make());
  return part ? [{ name: `${head} ${part.name}`, make }] : [];
}
