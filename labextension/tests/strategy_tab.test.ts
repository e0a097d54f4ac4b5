import { expect, test } from 'vitest';

import type { Delta, Drawing, Snapshot } from '../src/protocol';
import { spoken } from '../src/render/state_signs';
import { stages } from '../src/render/strategy_tab';
import { delta, head, picture } from './fake';
import { golden } from './golden';
import { cells, harm, shown, twice } from './shown';
import type { Shown } from './shown';

const strategy = (): Snapshot => golden('strategy').picture;
const drawing = (): Drawing => strategy().stages as Drawing;
const boxes = (view: Shown): SVGGElement[] => [...view.one('svg[role=img] > g:last-child').children] as SVGGElement[];
const ways = (view: Shown): SVGGElement[] => [...view.one('svg[role=img] > g:first-child').children] as SVGGElement[];
const following = (): Snapshot =>
  picture([], {
    stages: drawing(),
    head: head({ strategy: 'tree_of_thoughts', stage: 'problem_reception', next_stages: ['approach_exploration'] }),
  });

test('every stage is a box with its sign and its name, where Python put it', () => {
  const view = shown(stages, strategy());

  const drawn = boxes(view).map((box) => [
    box.querySelector('text')?.textContent,
    ...['x', 'y', 'width', 'height'].map((name) => Number(box.querySelector('rect')?.getAttribute(name))),
  ]);

  expect(drawn).toEqual(
    drawing().nodes.map(({ sign, label, x, y, width, height }) => [`${sign} ${label}`, x, y, width, height]),
  );
});

test('the current stage alone is framed', () => {
  const view = shown(stages, strategy());

  const framed = view.all('.wfnb-box.wfnb-is-current').map((box) => box.parentElement?.querySelector('text')?.textContent);

  expect(framed).toEqual(['▶ problem reception']);
});

test('a way that was taken is solid and says how often, the others are dashed', () => {
  const whole = following();
  const edges = drawing().edges.map((edge, i) => (i === 1 ? { ...edge, taken: 3, label: '3×' } : edge));
  whole.stages = { ...drawing(), edges };

  const view = shown(stages, whole);

  const taken = ways(view).map((way) => way.querySelector('.wfnb-edge')?.classList.contains('wfnb-taken'));
  expect(taken).toEqual(edges.map((_, i) => i === 1));
  expect(ways(view).map((way) => way.querySelector('text')?.textContent ?? '')).toEqual(edges.map(({ label }) => label));
});

test.each(['M0 0url(#x)', 'M0 0"/><script>', 'Z', 'M0 0A1 1 0 0 0 2 2', ''])('a path of other letters is not drawn: %s', (path) => {
  const whole = following();
  whole.stages = { ...drawing(), edges: drawing().edges.map((edge) => ({ ...edge, path })) };

  const view = shown(stages, whole);

  expect(view.all('path')).toEqual([]);
});

test('marks change the boxes and ways that they name and no others', () => {
  const told = golden('strategy').told as [Snapshot, ...Delta[]];
  const view = shown(stages, told[0]);
  let compared = 0;

  for (const news of told.slice(1) as Delta[]) {
    const before = new Map(boxes(view).map((box, i) => [view.state().stages?.nodes[i]?.id, [...box.childNodes]]));
    view.link.tell(news);
    if (news.marks && !news.stages) {
      const marked = new Set(news.marks.nodes.map(({ id }) => id));
      const same = boxes(view).filter((box, i) => box.firstChild === before.get(view.state().stages?.nodes[i]?.id)?.[0]);
      expect(same.length).toBe(boxes(view).length - marked.size);
      compared += marked.size;
    }
  }

  expect(compared).toBeGreaterThan(5);
  expect(boxes(view).map((box) => box.querySelector('text')?.textContent)).toEqual(
    drawing().nodes.map(({ sign, label }) => `${sign} ${label}`),
  );
});

test('the stages that may follow are buttons, and a click begins a step there', () => {
  const view = shown(stages, strategy());

  view.button('approach exploration').click();

  expect(view.host.did).toEqual([['newStep', 'approach_exploration']]);
});

test('a double click on a stage begins one step', async () => {
  const view = shown(stages, strategy());

  await twice(() => view.button('approach exploration'));

  expect(view.host.did).toEqual([['newStep', 'approach_exploration']]);
});

test('where no step can be begun the stages that may follow are words', () => {
  const view = shown(stages, strategy(), {}, ['newStep']);

  expect(view.all('button')).toEqual([]);
  expect(view.all('.wfnb-next li').map((item) => item.textContent)).toEqual(['approach exploration']);
});

test('what has the focus keeps it when the session goes on', () => {
  const view = shown(stages, following());
  const button = view.button('approach exploration');
  button.focus();

  view.link.tell(delta(1, { head: { steps: 9, next_stages: ['new', 'approach_exploration'] } }));

  expect(document.activeElement).toBe(button);
  expect(view.all('.wfnb-next button').map((each) => each.textContent)).toEqual(['new', 'approach exploration']);
});

test('the tables say what the drawing shows', () => {
  const view = shown(stages, strategy());
  const [named, taken] = view.all('table') as [HTMLElement, HTMLElement];

  expect(cells(named).map(([, name, state]) => [name, state])).toEqual(
    drawing().nodes.map(({ label, state }) => [label, state]),
  );
  expect(cells(taken)).toEqual(
    drawing().edges.map(({ tail, head: to, taken: count }) => [spoken(tail), spoken(to), `${count}×`]),
  );
  expect(view.all('th:not([scope])')).toEqual([]);
  expect(view.all('caption').map((caption) => caption.textContent)).toEqual(['Stages', 'Ways from stage to stage']);
});

test('a drawing says in a sentence where the session is', () => {
  const view = shown(stages, strategy());

  expect(view.one('svg[role=img]').getAttribute('aria-label')).toBe(
    'Tree of thoughts: grow several branches, keep the best, current: problem reception',
  );
});

test('a strategy too large for a drawing still has its stages in a table', () => {
  const view = shown(stages, picture([], { head: head({ strategy: 's', stage: 'b', stages: ['a', 'b'], next_stages: ['a'] }) }));

  expect(cells(view.one('table')).map(([, name, state]) => [name, state])).toEqual([['a', 'not yet'], ['b', 'current']]);
  expect(view.one('.wfnb-empty').textContent).toContain('too many stages');
  view.button('a');
});

test('a strategy that ends here offers nothing', () => {
  const view = shown(stages, picture([], { stages: drawing(), head: head({ strategy: 's', stage: 'final_response' }) }));

  expect(view.all('button')).toEqual([]);
  expect(view.one('section').textContent).toBe('The strategy ends here.');
});

test('hostile names of stages stay text', () => {
  const evil = '"><img src=x onerror=alert(1)></svg><script>alert(1)</script>';
  const whole = following();
  whole.stages = {
    ...drawing(), title: evil,
    nodes: drawing().nodes.map((node) => ({ ...node, label: evil, tooltip: evil, note: evil, state: evil, sign: evil })),
    edges: drawing().edges.map((edge) => ({ ...edge, label: evil })),
  };
  whole.head = { ...whole.head, stage: evil, next_stages: [evil] };

  const view = shown(stages, whole);

  expect(harm(view.root)).toEqual([]);
  expect(view.one('text.wfnb-label:not(.wfnb-small)').textContent).toContain(evil);
  expect(view.one('button').textContent).toBe(evil);
});

test('why a stage may come that the drawing does not lead to is said once for all of the same reason', () => {
  const next_why = { a: 'It follows the last step of x.', c: 'It follows the last step of x.', d: 'It begins anew.' };
  const view = shown(stages, picture([], { head: head({ strategy: 's', next_stages: ['a', 'b', 'c', 'd'], next_why }) }));
  const said = (): (string | null)[] => view.all('.wfnb-whys > p').map((each) => each.textContent);
  const before = said();

  view.link.tell(delta(1, { head: { next_stages: ['b'], next_why: {} } }));

  expect(before).toEqual(['a, c: It follows the last step of x.', 'd: It begins anew.']);
  expect(said()).toEqual([]);
});

test('what to do in a stage that may follow is said under it', () => {
  const view = shown(stages, following());
  const said = (): (string | null)[] => view.all('.wfnb-guides > p').map((each) => each.textContent);
  const before = said();

  view.link.tell(delta(1, { head: { next_stages: ['branch_creation', 'final_response', 'of another'] } }));

  const guides = new Map(drawing().nodes.map(({ id, guide }) => [id, guide]));
  expect(before).toEqual([guides.get('approach_exploration')]);
  expect(before[0]).toContain('Fields: approaches (');
  expect(said()).toEqual([
    `branch creation: ${guides.get('branch_creation')}`,
    `final response: ${guides.get('final_response')}`,
  ]);
});
