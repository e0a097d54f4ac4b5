/** What is shown → what a person does with it: choose, change, wire, open. Each is an edit of the text. */

import * as React from 'react';

import { sentence } from '../link';
import { __ } from '../translation';
import { addition } from './action_addition';
import type { Place } from './action_addition';
import { mentions } from './edit_command_operations';
import type { Sought } from './canvas';
import { additions, definitionText } from './action_copies';
import type { Path } from './definition_data';
import type { EditCommand } from './edit_commands';
import { edit as splices } from './text_edit';
import { inside } from './nested_frames';
import type { Graph, Way } from './graph';
import type { EditorHost } from './host';
import { owner, placeOf } from './problems';
import type { Problem } from './problems';
import { read } from './definition_text_reader';
import type { ViewModel } from './use_view_model';

export interface Choice {
  /** Ids: also of actions in frames. */
  picked: readonly string[];
  setPicked: React.Dispatch<React.SetStateAction<readonly string[]>>;
  opened: readonly string[];
  setOpened: React.Dispatch<React.SetStateAction<readonly string[]>>;
  /** It may be gone from the text. */
  pickedWay: Way | null;
  setWay: React.Dispatch<React.SetStateAction<Way | null>>;
}

/** Pictures: as many go by at most until what was made is drawn, also on a machine that is busy. */
const MAX_FRAMES = 300;

/** `toChosen` gives the keyboard to what is chosen, and says whether it was drawn. */
export function useEdits(host: EditorHost, shown: ViewModel, { picked, setPicked, setOpened, pickedWay, setWay }: Choice, toChosen: () => boolean) {
  const { graph, data, fixed, reading, ran, kernel, frames } = shown;
  const selected = React.useMemo(() => picked.filter((name) => graph.nodes.some((node) => node.name === name)), [picked, graph]);
  const inner = picked.length === 1 && selected.length === 0 ? inside(frames, picked[0] as string) : null;
  const way = pickedWay && graph.ways.find(({ from, to, kind }) => from === pickedWay.from && to === pickedWay.to && kind === pickedWay.kind);
  const [news, setNews] = React.useState('');
  const [target, setTarget] = React.useState<Place | null>(null);
  const [sought, setSought] = React.useState<Sought | null>(null);
  const focusNext = React.useRef(false);
  React.useEffect(() => {
    if (focusNext.current) {
      focusNext.current = false;
      const holder = document.activeElement;
      let left = MAX_FRAMES;
      /** The diagram draws its nodes a moment later, and whoever went elsewhere meanwhile stays there. */
      const look = (): void => void (left-- > 0 && [holder, document.body].includes(document.activeElement) && !toChosen() && requestAnimationFrame(look));
      requestAnimationFrame(look); // once a drop is over, which has the keyboard go along
    }
  });

  function edit(...commands: EditCommand[]): boolean {
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
      setNews(commands.map(summary).join(' '));
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
  function toggle(id: string): void {
    setOpened((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
  }
  /** `opens`: also its place in the text, or the workflow that it runs. */
  function select(ids: readonly string[], opens: boolean): void {
    setPicked(ids);
    setWay(null);
    const [id = ''] = ids;
    const node = graph.nodes.find((each) => each.name === id);
    if (opens && (frames.has(id) || inside(frames, id))) {
      toggle(id);
    } else if (node?.path && (opens || ids.length === 1)) {
      reveal(node.path, opens);
    }
  }
  /** A person is led to it: it comes into sight. */
  function show(id: string): void {
    select([id], false);
    setSought({ id });
  }
  async function remove(): Promise<void> {
    const names = selected.filter((each) => graph.nodes.find((node) => node.name === each)?.path);
    if (names.length === 0 || fixed) {
      return;
    }
    const pointing = names.flatMap((each) => mentions(data, each).map((path) => path.join('.')));
    const outside = pointing.filter((path) => !names.some((each) => path.startsWith(prefix(graph, each))));
    const listed = `${outside.slice(0, 8).join(', ')}${outside.length > 8 ? ' …' : ''}`;
    const says = outside.length > 0 ? __('Mentioned in %1. Needs and transitions go, too; texts and expressions stay as they are.', listed) : '';
    if (says === '' || (await host.choose(__('Delete %1', names.join(', ')), says, __('Delete')))) {
      edit({ do: 'delete', names });
    }
  }
  /** What was done made this action: it is chosen. */
  function choose(name: string): void {
    setWay(null);
    setPicked([name]);
    setSought({ id: name });
    focusNext.current = true;
  }
  /** A new action of this tool; where nobody says where, between what is chosen or after it. */
  function add(tool: string, place: Place = way ? { between: way } : { after: selected.at(-1) }): void {
    const { name: free, commands } = addition(graph, kernel.tools, tool, place);
    if (edit(...commands)) {
      choose(free);
    }
  }
  /** From the selected action to another that a person picks. */
  async function connect(): Promise<void> {
    const from = fixed ? undefined : selected.at(-1);
    const to = from === undefined ? null : await host.pick(__('Connect %1 to', from), graph.nodes.map((node) => node.name));
    if (from !== undefined && to !== null) {
      edit({ do: 'connect', from, to });
    }
  }
  /** The way from the selected action to one that comes after it; null where there is none, or nobody says which. */
  async function wayOn(): Promise<Way | null> {
    const next = fixed ? [] : graph.ways.filter(({ from, kind }) => from === selected.at(-1) && kind !== 'timeout');
    const names = next.map(({ to }) => to);
    const to = names.length > 1 ? await host.pick(__('Insert between %1 and', selected.at(-1) ?? ''), names) : names[0];
    return next.find((each) => each.to === to) ?? null;
  }
  return {
    selected, inner, way, news, target, sought, edit, reveal, toggle, select, show, remove, add, connect, wayOn,
    setWay,
    chooseWay(next: Way | null): void {
      setPicked([]);
      setWay(next);
    },
    begin(...commands: EditCommand[]): void {
      if (edit(...commands)) {
        choose(FIRST);
      }
    },
    drop(tool: string): void {
      if (target) {
        add(tool, target);
      }
      setTarget(null);
    },
    aim: (next: Place | null): void => setTarget((before) => (same(before, next) ? before : next)),
    /** The keyboard goes there once what is shown is drawn again. */
    focusLater(): void {
      focusNext.current = true;
    },
    go({ path }: Problem): void {
      const place = reading.ok ? placeOf(reading, path) : ([reading.at, reading.at] as const);
      const of = owner(path, graph);
      setPicked(of ? [of] : []);
      setSought(of ? { id: of } : null);
      if (place) {
        host.reveal(place[0], place[1], true);
      }
    },
    /** The selected actions as they are written; '' where none is. */
    copied(): string {
      const nodes = graph.nodes.filter((node) => node.path && selected.includes(node.name));
      return nodes.length > 0 ? definitionText(data, graph.form, nodes) : '';
    },
    /** Whether a text is one that could be pasted. */
    paste(text: string): boolean {
      const pasted = read(text);
      if (!pasted.ok || fixed) {
        return false;
      }
      const commands = additions(pasted.data, graph);
      if (commands.length === 0) {
        host.say(graph.form === 'states' ? __('What was copied has no states.') : __('What was copied has no steps.'));
      } else if (edit(...commands)) {
        setPicked(commands.map(({ name }) => name));
        setSought(commands.map(({ name }) => ({ id: name })).at(-1) ?? null);
      }
      return true;
    },
  };
}

export type Edits = ReturnType<typeof useEdits>;

/** The action that a workflow begins with. */
export const FIRST = 'hello';

function same(one: Place | null, other: Place | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function prefix(graph: Graph, name: string): string {
  return `${graph.nodes.find((node) => node.name === name)?.path?.join('.') ?? ''}.`;
}

/** For whoever hears what became of it. */
function summary(command: EditCommand): string {
  switch (command.do) {
    case 'rename':
    case 'rename_variable':
      return __('%1 is called %2 now.', command.name, command.to);
    case 'add':
      return __('%1 is there.', command.name);
    case 'insert':
    case 'between':
      return __('%1 comes between %2 and %3.', command.name, command.from, command.to);
    case 'delete':
      return __('Deleted: %1.', command.names.join(', '));
    case 'connect':
      return __('%1 leads to %2.', command.from, command.to);
    case 'disconnect':
      return __('%1 does not lead to %2 any more.', command.from, command.to);
    default:
      return '';
  }
}
