/** A page to look at the tabs beside the timeline, over golden sessions. In its address: #w=300&set=strategy|compare|
 *  many|runs|hostile|investigation&tab=Stages&dark&click=SELECTOR. */

import { mount } from '../../src/render/view';
import type { Comparison, Delta, RunDetail, RunHead, Snapshot } from '../../src/protocol';
import branches from '../../../tests/golden/branches.json';
import hostile from '../../../tests/golden/hostile.json';
import investigation from '../../../tests/golden/investigation.json';
import runs from '../../../tests/golden/runs.json';
import strategy from '../../../tests/golden/strategy.json';
import { fakeHost, fakeLink, head, line, many, picture } from '../fake';

interface Scene {
  told: unknown[];
  picture: unknown;
  comparison: unknown;
  runs: unknown;
}

const now = Date.now() / 1000;
const beside: Comparison = {
  lines: [
    { id: 'main', head: 'main', state: 'open', open: true },
    { id: 'robust', head: 'robust ⟵ 2', state: 'open', open: true },
  ],
  rows: [
    { name: 'steps', cells: ['4', '2'], best: [] },
    { name: 'outcome', cells: ['✓ ok', '✕ failed at 4'], best: [] },
    { name: 'seconds', cells: ['2.9', '1.6'], best: [] },
    { name: 'rmse', cells: ['0.31', '0.44'], best: [0] },
    { name: 'score', cells: ['0.8', '0.3'], best: [0] },
    { name: 'why', cells: ['broken days removed', 'outliers, not drift'], best: [] },
  ],
};
const lines = [line('main', 0, { first: 0, last: 3, steps: 4 }), line('robust', 1, { from: 1, first: 2, last: 3 })];
const scenes: Record<string, Scene> = {
  strategy, branches, hostile, investigation, runs,
  compare: { told: [], picture: picture(many(4), { lines, head: head({ line: 'main' }) }), comparison: beside, runs: {} },
  many: {
    told: [],
    picture: picture(many(4), { lines: [...lines, ...[2, 3, 4, 5, 6].map((i) => line(`try-${i}`, i))] }),
    comparison: {
      lines: ['main', 'robust', 'try-5', 'try-6'].map((id) => ({ id, head: `${id} ⟵ 2`, state: 'open', open: true })),
      rows: beside.rows.map((fact) => ({ ...fact, cells: [...fact.cells, ...fact.cells] })),
    },
    runs: {},
  },
};
const wanted = new URLSearchParams(location.hash.slice(1));
const set = wanted.get('set') ?? 'strategy';
const scene = scenes[set] as Scene;
const drawn = strategy.told.flatMap((told) => ((told as Partial<Delta>).stages ? [told as Delta] : []));
const whole = scene.picture as Snapshot;
const react = wanted.has('react') && drawn[0]?.stages;
if (react) {
  const seen = ['initial_reasoning', 'action_planning', 'action_execution'];
  const sign = (id: string): object =>
    id === 'observation_reception' ? { sign: '▶', state: 'current' } : seen.includes(id) ? { sign: '✓', state: 'ok' } : {};
  whole.stages = {
    ...react,
    nodes: react.nodes.map((node) => ({ ...node, sign: '·', state: 'not yet', ...sign(node.id) })),
    edges: react.edges.map((edge, i) => ({ ...edge, taken: seen.includes(edge.tail) ? 1 + i : 0, label: i === 1 ? '2×' : '' })),
  };
  whole.head = { ...whole.head, strategy: 'react', stage: 'observation_reception', next_stages: ['reasoning_update'] };
}
const more: RunHead = {
  name: 'publish-12', workflow: 'publish', status: 'running', sign: '▶', step: 1, done: 4, total: 6,
  now: ['▶ publish (terminal)'], started: now - 12, ended: null, error: null, asks: [], here: true, resumable: false,
};
const action = (name: string, sign: string, state: string, tool: string, attempts: number, seconds: number | null) =>
  ({ action: name, sign, state, tool, attempts, seconds, undo: '', note: '' });
const detail: RunDetail = {
  run: more, drawing: null,
  actions: [
    action('test', '✓', 'ok', 'shell', 1, 6.2), action('build', '✓', 'ok', 'shell', 2, 4), action('tag', '✓', 'ok', 'shell', 1, 0.1),
    action('publish', '▶', 'running', 'terminal', 1, null), action('announce', '·', 'not yet', 'notebook', 0, null),
  ],
  tail: [{ who: 'publish', text: '$ make publish VERSION=1.4.0' }, { who: 'publish', text: 'uploading 3 of 7 …' }],
  upto: 2,
  nested: [],
};
const asks = (choices: string[], secret: boolean, usual: string | null) => ({
  run: 'notes-3', call: secret ? 2 : 1, action: secret ? 'login' : 'name', question: secret ? 'Token for the registry?' : 'Which tag?', choices, secret,
  default: usual, otherwise: usual ? `default: ${usual}, taken after 30 s` : 'fails after 5 min',
});
if (set === 'runs') {
  whole.runs = whole.runs.map((run) => (run.ended === null ? { ...run, started: now - 75 } : run));
  whole.runs.push(more, { ...more, name: 'notes-3', workflow: 'notes', total: null, now: [], asks: [asks([], false, 'v1.4.0'), asks([], true, null)] });
}
const link = fakeLink(whole.rows, {
  snapshot: () => whole,
  compare: () => scene.comparison as Comparison,
  run: ({ run }) => ({ ...detail, ...(scene.runs as Record<string, RunDetail>)[run] }),
  close_run: () => null,
  cancel: () => null,
});
if (wanted.has('dark')) {
  document.body.dataset.jpThemeLight = 'false';
  document.documentElement.style.colorScheme = 'dark';
}
const root = document.getElementById('root') as HTMLElement;
root.style.width = `${wanted.get('w') ?? 420}px`;
mount(root, link, fakeHost());
const tab = [...root.querySelectorAll<HTMLElement>('[role=tab]')].find((one) => one.textContent?.startsWith(wanted.get('tab') ?? 'Stages'));
setTimeout(() => tab?.click(), 20);
setTimeout(() => wanted.getAll('click').forEach((at) => root.querySelector<HTMLElement>(at)?.click()), 120);
setTimeout(() => root.querySelectorAll('.wfnb-pane').forEach((panel) => (panel.scrollTop = Number(wanted.get('y') ?? 0))), 300);
