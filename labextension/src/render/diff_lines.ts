/** Lines that begin with -, + or a space → the same, coloured. */

import { h } from './dom';

export function difference(lines: string, name: string): HTMLElement {
  const shown = lines.split('\n').map((line) => {
    const kind = { '+': 'wfnb-added', '-': 'wfnb-removed' }[line[0] ?? ''];
    return h('span', { class: kind ?? 'wfnb-dim' }, `${line}\n`);
  });
  return h('pre', { class: 'wfnb-difference', tabindex: 0, role: 'group', 'aria-label': name }, shown);
}
