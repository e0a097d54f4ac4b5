/** A workflow's text → the editor of it beside the text: diagram or outline, the form of what is selected, what is wrong,
 *  and the run that goes on. It keeps nothing that the text has; every deed is an edit of the text.
 */

import * as React from 'react';

import { sentence } from '../link';
import type { RunHead } from '../picture';
import { Canvas, inRun, wayId } from './canvas';
import { mentions } from './change';
import { addition } from './add';
import type { Place } from './add';
import { additions, at, copied } from './clipboard';
import type { Command, Data, Path } from './commands';
import { edit as splices } from './edit';
import { Form, WayForm } from './form';
import { graph as drawn } from './graph';
import type { Graph, Way } from './graph';
import { useNarrow, usePlaces, useText } from './hooks';
import type { EditorHost } from './host';
import { layout, shapeOf } from './layout';
import type { Layout } from './layout';
import { Outline } from './outline';
import { Palette } from './palette';
import { Past } from './past';
import { Problems, counted, owner, placeOf } from './problems';
import type { Finding } from './problems';
import { read } from './reading';
import { RunBar, RunStrip } from './run_bar';
import { useKernel, useRan, useRun, useRuns } from './use_kernel';

/** Beyond it a diagram is offered, and not made at once. */
const MANY = 300;

interface Good {
  data: Data;
  graph: Graph;
}

export function Editor({ host }: { host: EditorHost }): React.JSX.Element {
  const text = useText(host);
  const reading = React.useMemo(() => read(text), [text]);
  const last = React.useRef<Good>({ data: {}, graph: { form: 'steps', nodes: [], ways: [], inSequence: true } });
  const good = React.useMemo<Good>(() => {
    if (reading.ok) {
      last.current = { data: reading.data, graph: drawn(reading.data) };
    }
    return last.current;
  }, [reading]);
  const [runName, setRunName] = React.useState({ shown: null as string | null, past: false });
  const name = typeof good.data.name === 'string' ? good.data.name : host.file.split('.')[0];
  const runs = useRuns(host);
  const mine = runs.filter(({ workflow }) => workflow === name || good.graph.nodes.some((node) => workflow === `${name}-${node.name}-alone`));
  const run: RunHead | null = mine.find((each) => each.name === runName.shown) ?? mine.at(-1) ?? null;
  const ran = useRan(host, run, text, runName.past);
  const { data, graph } = React.useMemo<Good>(
    () => (ran ? { data: ran.definition as Data, graph: drawn(ran.definition as Data) } : good),
    [ran, good],
  );
  /** Nothing can be changed in what is shown. */
  const fixed = host.readOnly || !reading.ok || ran !== null;
  const root = React.useRef<HTMLDivElement>(null);
  const [view, setView] = React.useState<'diagram' | 'outline' | null>(null);
  const shown = view ?? (graph.nodes.length > MANY ? 'outline' : 'diagram');
  const [picked, setPicked] = React.useState<readonly string[]>([]);
  const selected = React.useMemo(
    () => picked.filter((name) => graph.nodes.some((node) => node.name === name)),
    [picked, graph],
  );
  const [pickedWay, setWay] = React.useState<Way | null>(null);
  const way = pickedWay && graph.ways.find(({ from, to, kind }) => from === pickedWay.from && to === pickedWay.to && kind === pickedWay.kind);
  const [news, setNews] = React.useState('');
  const detail = useRun(host, run);
  const kernel = useKernel(host, text, run, selected.length === 1 ? selected[0] : undefined);
  const states = React.useMemo(() => {
    const edited = new Set(ran ? [] : kernel.changed); // what ran is shown as it was
    const seen = detail?.actions.map((each) => [each.action, inRun(each, edited.has(each.action))] as const);
    return new Map(seen);
  }, [detail, kernel.changed, ran]);
  const findings: Finding[] = !reading.ok
    ? [{ path: '', says: reading.message }]
    : kernel.findings && kernel.findings.of === text
      ? kernel.findings.problems
      : [];
  const warnings = reading.ok && kernel.findings?.of === text ? kernel.findings.warnings : [];
  const problems = React.useMemo(() => counted(ran ? [] : findings, graph), [ran, findings, graph]);
  const [places, move, arrange] = usePlaces(host);
  const body = React.useRef<HTMLDivElement>(null);
  const down = useNarrow(body);
  const shape = shown === 'diagram' ? shapeOf(graph) : '';
  const laid = React.useMemo<Layout>(
    () => (shape === '' ? { boxes: new Map(), lines: [] } : layout(graph, down)),
    [shape, down], // what is typed into a field moves nothing
  );
  const boxes = React.useMemo(() => {
    const found = new Map(laid.boxes);
    for (const [moved, [x, y]] of Object.entries(places)) {
      const box = found.get(moved);
      if (box) {
        found.set(moved, { ...box, x, y });
      }
    }
    return found;
  }, [laid, places]);
  const lines = laid.lines.map((line, at) => {
    const { from, to } = graph.ways[at] as Way;
    return from in places || to in places ? null : line;
  });

  const [palette, setPalette] = React.useState(false);
  const [target, setTarget] = React.useState<Place | null>(null);
  const focusNext = React.useRef(false);
  const toChosen = (): void =>
    root.current?.querySelector<HTMLElement>('.react-flow__node.selected, .wfnb-outline [aria-selected=true]')?.focus();
  React.useEffect(() => {
    if (focusNext.current) {
      focusNext.current = false;
      requestAnimationFrame(() => requestAnimationFrame(toChosen)); // the diagram draws its nodes a moment later
    }
  });

  React.useEffect(() => {
    const parts = (of: Finding[], severity: 'error' | 'warning') =>
      of.flatMap(({ path, says }) => {
        const at = placeOf(reading, path);
        return at ? [{ from: at[0], to: at[1], says, severity }] : [];
      });
    host.mark(reading.ok ? [...parts(findings, 'error'), ...parts(warnings, 'warning')]
      : [{ from: reading.at, to: reading.at + 1, says: reading.message, severity: 'error' }]);
  }, [host, reading, kernel.findings]);

  function edit(...commands: Command[]): boolean {
    if (fixed) {
      return false;
    }
    try {
      host.splice(splices(host.text(), commands));
      for (const command of commands) {
        if (command.do === 'rename') {
          setPicked((before) => before.map((each) => (each === command.name ? command.to : each)));
        }
      }
      setNews(commands.map(said).join(' '));
      return true;
    } catch (reason) {
      setNews(sentence(reason));
      host.say(sentence(reason));
      return false;
    }
  }
  const reveal = (path: Path, focus = true): void => {
    const place = reading.ok && !ran ? reading.place(path) : null;
    if (place) {
      host.reveal(place[0], place[1], focus);
    }
  };
  function select(names: readonly string[], opens: boolean): void {
    setPicked(names);
    setWay(null);
    const node = graph.nodes.find((each) => each.name === names[0]);
    if (node?.path && (opens || names.length === 1)) {
      reveal(node.path, opens);
    }
  }
  async function remove(): Promise<void> {
    const names = selected.filter((each) => graph.nodes.find((node) => node.name === each)?.path);
    if (names.length === 0 || fixed) {
      return;
    }
    const pointing = names.flatMap((each) => mentions(data, each).map((path) => path.join('.')));
    const outside = pointing.filter((path) => !names.some((each) => path.startsWith(prefix(graph, each))));
    const listed = `${outside.slice(0, 8).join(', ')}${outside.length > 8 ? ' …' : ''}`;
    const says = outside.length > 0 ? `Mentioned in ${listed}. Needs and transitions go, too; texts and expressions stay as they are.` : '';
    if (says === '' || (await host.choose(`Delete ${names.join(', ')}`, says, 'Delete'))) {
      edit({ do: 'delete', names });
    }
  }
  function begin(...commands: Command[]): void {
    if (edit(...commands)) {
      setPicked([FIRST]);
      focusNext.current = true;
    }
  }
  /** A new action of this tool; where nobody says where, between what is chosen or after it. */
  function add(tool: string, place: Place = way ? { between: way } : { after: selected.at(-1) }): void {
    const { name: free, commands } = addition(graph, kernel.tools, tool, place);
    if (edit(...commands)) {
      setWay(null);
      setPicked([free]);
      focusNext.current = true;
    }
  }
  function drop(tool: string): void {
    if (target) {
      add(tool, target);
    }
    setTarget(null);
  }
  /** From the selected action to another that a person picks. */
  async function connect(): Promise<void> {
    const from = fixed ? undefined : selected.at(-1);
    const to = from === undefined ? null : await host.pick(`Connect ${from} to`, graph.nodes.map((node) => node.name));
    if (from !== undefined && to !== null) {
      edit({ do: 'connect', from, to });
    }
  }
  /** Between the selected action and one that comes after it: the palette says what. */
  async function insert(): Promise<void> {
    const next = fixed ? [] : graph.ways.filter(({ from, kind }) => from === selected.at(-1) && kind !== 'timeout');
    const names = next.map(({ to }) => to);
    const to = names.length > 1 ? await host.pick(`Insert between ${selected.at(-1)} and`, names) : names[0];
    const between = next.find((each) => each.to === to);
    if (between) {
      setWay(between);
      toPalette();
    }
  }
  /** Along what leads from one to the next: right and left; up and down to those beside. */
  function follow(key: string): void {
    const from = selected.at(-1) ?? graph.nodes[0]?.name;
    const box = from === undefined ? undefined : boxes.get(from);
    const beside = graph.nodes.map((node) => node.name).filter((each) => {
      const other = boxes.get(each);
      return box && other && Math.abs(other.x - box.x) < box.width;
    }).sort((a, b) => (boxes.get(a)?.y ?? 0) - (boxes.get(b)?.y ?? 0));
    const at = beside.indexOf(from ?? '');
    const next = selected.length === 0 ? from
      : key === 'ArrowRight' ? graph.ways.find((each) => each.from === from)?.to
        : key === 'ArrowLeft' ? graph.ways.find((each) => each.to === from)?.from
          : beside[at + (key === 'ArrowDown' ? 1 : -1)];
    if (next !== undefined) {
      select([next], false);
      root.current?.querySelector<HTMLElement>(`.react-flow__node[data-id=${CSS.escape(next)}]`)?.focus();
    }
  }
  function keys(event: React.KeyboardEvent): void {
    const edge = (event.target as HTMLElement).closest<HTMLElement>('.react-flow__edge')?.dataset.id;
    const typing = isTyping(event.target);
    const control = event.ctrlKey || event.metaKey;
    const onPicture = (event.target as HTMLElement).closest('.wfnb-canvas, .wfnb-outline') !== null;
    if (control && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      event.stopPropagation();
      (event.shiftKey ? host.redo : host.undo)();
    } else if (onPicture && (event.key === 'Delete' || event.key === 'Backspace')) {
      event.preventDefault();
      void remove();
    } else if (typing && event.key === 'Escape' && !isOpen(event.target)) {
      toChosen();
    } else if (!typing && !control && onPicture) {
      const deed = {
        F2: () => root.current?.querySelector<HTMLElement>('.wfnb-name-field')?.focus(),
        Enter: () => (edge === undefined ? toForm() : chooseWay(graph.ways.find((each) => wayId(each) === edge) ?? null)),
        Escape: () => select([], false),
        c: () => void connect(),
        a: toPalette,
        i: () => void insert(),
        ...(shown === 'diagram' && Object.fromEntries(ARROWS.map((key) => [key, () => follow(key)]))),
      }[event.key];
      if (deed) {
        event.preventDefault();
        event.stopPropagation();
        deed();
      }
    }
  }
  const chosen = selected.length === 1 ? graph.nodes.find((node) => node.name === selected[0] && node.path) : undefined;
  const source = way ? graph.nodes.find((node) => node.name === way.from) : undefined;
  function toPalette(): void {
    setPalette(!fixed);
    root.current?.querySelector<HTMLElement>('.wfnb-palette input')?.focus();
  }
  /** Whoever goes by Tab chooses what they come to. */
  function focused({ target }: React.FocusEvent): void {
    const to = target.closest<HTMLElement>('.react-flow__node')?.dataset.id;
    if (to !== undefined && !selected.includes(to) && target.matches(':focus-visible')) {
      select([to], false);
    }
  }
  const toForm = (): void => root.current?.querySelector<HTMLElement>('.wfnb-form input, .wfnb-form select')?.focus();
  function chooseWay(next: Way | null): void {
    setPicked([]);
    setWay(next);
  }
  /** The selected actions as they are written. */
  function copy(event: React.ClipboardEvent): void {
    const nodes = graph.nodes.filter((node) => node.path && selected.includes(node.name));
    if (!isTyping(event.target) && nodes.length > 0) {
      event.preventDefault();
      event.clipboardData.setData('text/plain', copied(data, graph.form, nodes));
    }
  }
  function paste(event: React.ClipboardEvent): void {
    const pasted = isTyping(event.target) ? null : read(event.clipboardData.getData('text/plain'));
    if (!pasted?.ok || fixed) {
      return;
    }
    event.preventDefault();
    const commands = additions(pasted.data, graph);
    if (commands.length === 0) {
      host.say(`What was copied has no ${graph.form}.`);
      return;
    }
    if (edit(...commands)) {
      setPicked(commands.map((command) => command.name));
    }
  }
  const parts = {
    graph, boxes, lines, down, states, problems, selected,
    stale: !reading.ok || host.readOnly,
    fixed,
    onSelect: select,
    onMove: move,
    onConnect: (from: string, to: string) => void edit({ do: 'connect', from, to }),
    onChooseWay: chooseWay,
    target,
    onTarget: (next: Place | null) => setTarget((before) => (same(before, next) ? before : next)),
    onDrop: drop,
  };
  return (
    <div className="wfnb-editor" ref={root} onKeyDownCapture={keys} onFocus={focused} onCopy={copy} onPaste={paste}>
      <div className="wfnb-editor-bar" role="toolbar" aria-label="Workflow">
        <RunBar host={host} run={run} runs={mine} text={text} selected={chosen?.name ?? null} past={runName.past}
          showRun={(shown, past) => setRunName((before) => ({ shown, past: past ?? before.past }))} />
        <button type="button" aria-pressed={palette} disabled={fixed} onClick={() => setPalette(!palette)}>+ Add</button>
        <button type="button" disabled={selected.length === 0 || fixed} onClick={() => void remove()}>Delete</button>
        <span className="wfnb-gap" />
        <button type="button" hidden={Object.keys(places).length === 0} onClick={arrange}>Arrange</button>
        <button type="button" aria-pressed={shown === 'outline'} onClick={() => setView(shown === 'outline' ? 'diagram' : 'outline')}>
          {shown === 'outline' ? 'Diagram' : 'Outline'}
        </button>
      </div>
      {run && <RunStrip host={host} run={run} />}
      {run && ran && <Past run={run.name} ran={ran} graph={graph} show={(action) => select([action], false)} />}
      <div className="wfnb-editor-body" ref={body}>
        {palette && (
          <Palette tools={kernel.tools} disabled={fixed} add={(tool) => add(tool)}
            where={way ? `Between ${way.from} and ${way.to}` : selected.length > 0 ? `After ${selected.at(-1)}` : 'Last'}
            close={() => {
              setPalette(false);
              toChosen();
            }} />
        )}
        {graph.nodes.length === 0 && <Empty data={data} ok={reading.ok} begin={begin} />}
        {graph.nodes.length > 0 && (shown === 'diagram' ? <Canvas {...parts} /> : <Outline {...parts} />)}
        {way && (
          <WayForm way={way} graph={graph} tools={kernel.tools} names={[]} show={() => undefined} leave={() => undefined} edit={edit} reveal={reveal}
            readOnly={fixed} problems={[]}
            action={source} work={source?.path ? at(data, source.path) : null} insert={toPalette} />
        )}
        {chosen && (
          <Form graph={graph} action={chosen} work={at(data, chosen.path as Path)} tools={kernel.tools} names={kernel.names} edit={edit} reveal={reveal}
            show={(name) => select([name], false)}
            leave={() => {
              focusNext.current = true;
            }} readOnly={fixed}
            problems={ran ? [] : findings.filter(({ path }) => owner(path, graph) === chosen.name)} />
        )}
      </div>
      <Problems findings={findings} warnings={warnings} checked={reading.ok && kernel.findings?.of === text}
        go={({ path }) => {
          const place = reading.ok ? placeOf(reading, path) : ([reading.at, reading.at] as const);
          const of = owner(path, graph);
          setPicked(of ? [of] : []);
          if (place) {
            host.reveal(place[0], place[1], true);
          }
        }} />
      <div className="wfnb-hidden" role="status" aria-live="polite">{news}</div>
    </div>
  );
}

function same(one: Place | null, other: Place | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const ARROWS = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'];

function isTyping(target: EventTarget): boolean {
  return (target as HTMLElement).closest('input, textarea, select') !== null;
}

/** Whether a field offers names: Escape is for them then. */
function isOpen(target: EventTarget): boolean {
  return (target as HTMLElement).dataset.open !== undefined;
}

/** Before there is an action. */
function Empty({ data, ok, begin }: { data: Data; ok: boolean; begin(...commands: Command[]): void }): React.JSX.Element {
  const begun = 'steps' in data || 'states' in data;
  return (
    <div className="wfnb-nothing">
      <p>{ok ? 'There is no action yet.' : 'The text cannot be read yet.'}</p>
      {ok && !begun && (
        <p>
          <button type="button" onClick={() => begin({ do: 'set', path: ['steps'], value: [{ id: FIRST, tool: 'shell', args: HELLO }] })}>
            Begin with steps
          </button>{' '}
          <button type="button" onClick={() => begin(
            { do: 'set', path: ['initial_state'], value: FIRST },
            { do: 'set', path: ['states'], value: { [FIRST]: { action: { tool: 'shell', params: HELLO } } } },
          )}>
            Begin with states
          </button>
        </p>
      )}
    </div>
  );
}

/** The action that a workflow begins with. */
const FIRST = 'hello';
const HELLO = { command: 'echo hello' };

function prefix(graph: Graph, name: string): string {
  return `${graph.nodes.find((node) => node.name === name)?.path?.join('.') ?? ''}.`;
}

/** For whoever hears what became of it. */
function said(command: Command): string {
  switch (command.do) {
    case 'rename':
      return `${command.name} is called ${command.to} now.`;
    case 'add':
      return `${command.name} is there.`;
    case 'insert':
      return `${command.name} comes between ${command.from} and ${command.to}.`;
    case 'delete':
      return `Deleted: ${command.names.join(', ')}.`;
    case 'connect':
      return `${command.from} leads to ${command.to}.`;
    case 'disconnect':
      return `${command.from} does not lead to ${command.to} any more.`;
    default:
      return '';
  }
}
