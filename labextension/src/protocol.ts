/** What the kernel tells and what may be asked of it: the one contract between Python and TypeScript.
 *
 *  Python's half is wfnb/panel/; `tests/golden/*.json` is read by the tests of both. Every text is plain
 *  text and hostile (a user's, a tool's, a file's), but `html`, which Python has sanitised and `safe_html.ts` again.
 *  Times are seconds; `at` are seconds since 1970.
 */

export const PROTOCOL = 1;

export type Outcome = 'ok' | 'failed' | 'interrupted' | 'unknown' | 'running' | 'none';

/** One step as a line of the timeline. `index` is its place in the order of creation, from 0; `key` names it
 *  for ever, while numbers repeat from branch to branch. `title` has at most 160 characters. */
export interface Row {
  index: number;
  key: number;
  number: number;
  branch: string;
  title: string;
  outcome: Outcome;
  stale: boolean;
  withdrawn?: boolean;
  /** Whether the kernel that tells it ran the step: its values are there. Of the journal alone: false. */
  here?: boolean;
  stage: string | null;
  /** The branch that it selected, if it did. */
  selects?: string;
  revises: number | null;
  /** With its line, where that is another: "alt:3". */
  revised_by: number | string | null;
  attempts: number;
  versions: number;
  cell_id: string | null;
  /** Which step of its cell it is, from 0. */
  part: number;
  /** The name of the file in which its cell was, where that is known. */
  notebook?: string;
  /** How many values it kept that can be restored. */
  kept: number;
  duration: number | null;
  /** Names of the runs that it started. */
  runs: string[];
  confidence: string | null;
  /** Of the source that it ran last, as `lab/cell_digest.ts` makes it; left out where there is none, or it was too long. */
  digest?: string;
  /** Absent where there are none. */
  tags?: string[];
  /** Names of the pictures and tables it showed that are kept, another one for other bytes; absent where there are none. */
  figures?: string[];
  /** Who recorded it, where that was not the notebook: a program, or the panel. */
  by?: string;
  /** Absent where it is shown. */
  hidden?: boolean;
}

/** A line of steps: `main`, or a branch. `lane` is its column; it is drawn from row `from` (the step it left; null
 *  for main) over its own rows `first`..`last` (null while it has none) to row `joins` where it was merged. */
export interface Line {
  id: string;
  lane: number;
  parent: string | null;
  from: number | null;
  first: number | null;
  last: number | null;
  joins: number | null;
  state: 'open' | 'selected' | 'merged' | 'abandoned';
  open: boolean;
  /** It was decided against: another one that left the same step was selected. */
  over: boolean;
  score: number | null;
  reason: string | null;
  steps: number;
}

/** All small facts of the session. `says` is a sentence: "5 steps on 2 lines · 1 stale · not solved yet: main has no last step". */
export interface Head {
  session: string;
  position: number;
  says: string;
  steps: number;
  total: number | null;
  stale: number;
  /** How many more steps there are, which are hidden. */
  hidden: number;
  solved: boolean;
  /** The line on which the next step comes, its stage, and the stages that may follow. */
  line: string;
  stage: string | null;
  next_stages: string[];
  /** Of those that do not follow the line's own last step: why they may come, a sentence by stage. */
  next_why: Record<string, string>;
  strategy: string | null;
  kind: string | null;
  /** Key of the step that new ones follow on that line; null before the first. */
  current: number | null;
  /** What can be filtered by: the strategy's stages and others that occur; the outcomes that occur. */
  stages: string[];
  outcomes: Outcome[];
  can_undo: boolean;
  can_redo: boolean;
  /** Whether there is a stale step that can be run again: one with code, of a line that was not decided against. */
  can_run_stale: boolean;
  /** Whether each plain cell of the notebook is a step. */
  recording: boolean;
}

/** What the strategy keeps of a line's steps, a table: its cells are texts, the first names its row. `lacks` are clauses: "question 2 is open". */
export interface Ledger {
  title: string;
  heads: string[];
  rows: string[][];
  lacks: string[];
}

/** A drawing laid out by Python: boxes and ways in pixels, origin top left. `state` is a word of the house
 *  ("ok", "failed", "running", "current", "not yet", "stale", "skipped", "undone", "cancelled", "timed out"). A
 *  `label` has the lines of its box, parted by \n; the sign stands before the first. */
export interface Drawing {
  title: string;
  width: number;
  height: number;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

export interface DrawnNode {
  id: string;
  label: string;
  sign: string;
  state: string;
  note: string;
  tooltip: string;
  /** Of a stage: what to do in it, and what it asks for. */
  guide?: string;
  x: number;
  y: number;
  width: number;
  height: number;
  end: boolean;
}

/** `path` is an SVG path made of numbers and the letters M, C, L alone. `taken`: how often, 0 for never. */
export interface DrawnEdge {
  tail: string;
  head: string;
  label: string;
  taken: number;
  path: string;
  label_x: number | null;
  label_y: number | null;
}

/** A run of a workflow in a line. `asks` are the open questions, its own and those of runs that it called; `here`: whether this kernel performs it, so that it
 *  can be cancelled and answered at once; `resumable`: whether it ended in a way from which it can go on. */
export interface RunHead {
  name: string;
  workflow: string;
  status: string;
  sign: string;
  step: number | null;
  done: number;
  total: number | null;
  now: string[];
  started: number | null;
  ended: number | null;
  error: string | null;
  asks: OpenQuestion[];
  here: boolean;
  resumable: boolean;
}

/** `run` is the run that asks, `call` the number of its call: by both it is answered, and by nothing else. The same
 *  action may ask again, in another call. */
export interface OpenQuestion {
  run: string;
  call: number;
  action: string;
  question: string;
  choices: string[];
  default: string | null;
  secret: boolean;
  otherwise: string;
}

/** A run that was opened: its states, its actions in order, the last of the `upto` lines that it printed; the runs that
 *  actions of it called, as far as they were asked for. */
export interface RunDetail {
  run: RunHead;
  drawing: Drawing | null;
  actions: PerformedAction[];
  tail: { who: string; text: string }[];
  upto: number;
  nested: { path: string[]; run: string; actions: PerformedAction[] }[];
}

/** `undo` is what became of it in a rollback: `undone`, `being undone`, `not undone: …`, else ''. */
export interface PerformedAction {
  action: string;
  sign: string;
  state: string;
  tool: string;
  attempts: number;
  seconds: number | null;
  undo: string;
  note: string;
}

export interface Inquiry {
  kind: string;
  status: string | null;
  says: string;
  /** Why it ended, or what is missing to end; '' while nobody has asked. */
  end: string;
  /** `place` is that of the level in `levels`, -1 for one on another scale. Each list has its last 100. */
  confidence: { step: string; level: string; place: number; state: string }[];
  levels: string[];
  /** Without a `box` nothing can show that it was done. */
  checklist: { text: string; done: boolean; by: string | null; box: boolean }[];
  /** The last ones; `found` is how many there are that count. */
  findings: { step: string; text: string; state: string }[];
  found: number;
  issues: { severity: string; text: string; steps: string[]; state: string }[];
  /** `why` is who gave the verdict on it, and the reason. */
  hypotheses: { number: number; step: string; text: string; fate: string; why: string }[];
  files: string[];
}

/** Of the notebook that is told it. `note` is a sentence where the history is that of another one; `others` are the names
 *  of the notebooks beside it in which the session has steps. */
export interface Beside {
  note?: string;
  others?: string[];
}

/** `version`, and what is `Beside`, come from the journal alone, and is another one after each change. `now` is the kernel's clock as this was told: running times are counted by it. Absent: it is the page's own. */
export interface Snapshot extends Beside {
  kind: 'snapshot';
  protocol: number;
  seq: number;
  now?: number;
  version?: string;
  head: Head;
  lines: Line[];
  count: number;
  rows: Row[];
  stages: Drawing | null;
  runs: RunHead[];
  inquiry: Inquiry | null;
  /** What the strategy keeps of the chosen line's steps; null: nothing, or not yet. */
  ledger: Ledger | null;
}

/** What changed since `seq - 1`: only that which is named. `head` and `inquiry` have the facts that differ, and
 *  of a list of the `inquiry` how it became what it is; an `inquiry` that was null before comes whole; so for the `ledger`. `rows` are new or changed ones, whole. `lines` and `runs` are new
 *  ones, whole, and of changed ones what differs, by `id` and by `name`. `stages` comes when the strategy is another;
 *  `marks` are the boxes and ways of it that look otherwise now: their places stay. Where much changed at once, a
 *  new snapshot comes in the place of a delta, with the next `seq`. The last `seq` alone is told again for whoever missed it. */
export interface Delta {
  kind: 'delta';
  seq: number;
  now?: number;
  head?: Partial<Head>;
  lines?: (Partial<Line> & { id: string })[];
  count?: number;
  rows?: Row[];
  stages?: Drawing | null;
  marks?: Marks;
  runs?: (Partial<RunHead> & { name: string })[];
  inquiry?: Inquiry | Changed<Inquiry> | null;
  ledger?: Ledger | Changed<Ledger> | null;
  tails?: Printed[];
}

/** New lines of output of a run that was opened, the last of `upto` that it printed: where a RunDetail came with as
 *  many, it has them already.
 */
export interface Printed {
  run: string;
  lines: { who: string; text: string }[];
  upto: number;
}

export type Changed<T> = { [K in keyof T]?: T[K] extends (infer E)[] ? Splice<E>[] : T[K] };

/** In turn, each on the list as those before it left it: from place `at`, `gone` entries make room for those that
 *  `came`; or the entry there has other `facts`, an object.
 */
export type Splice<E> = [at: number, gone: number, ...came: E[]] | [at: number, facts: Partial<E>];

/** Boxes by id, ways by their ends. */
export interface Marks {
  nodes: { id: string; sign: string; state: string }[];
  edges: { tail: string; head: string; label: string; taken: number }[];
}

/** There is no session to show. `over`: nothing more comes (wfnb was unloaded, or there are too many to tell).
 *  `empty`: there is none yet, and one can be begun. */
export interface Gone {
  kind: 'gone';
  says: string;
  over?: boolean;
  empty?: boolean;
}

export type News = Snapshot | Delta | Gone;

/** What a step showed: a picture as its bytes in base64, or a table as the texts of its cells, which `says` how large the
 *  whole is. The server reads it from beside the journal. */
export type Figure =
  | { form: 'image/png' | 'image/jpeg' | 'image/svg+xml'; data: string }
  | { form: 'table'; heads: string[]; rows: string[][]; says: string };

/** One step opened. `html` is its description from Markdown, sanitised. */
export interface Card {
  key: number;
  /** When its last attempt ended, or the one that runs began. */
  at?: number;
  index: number;
  number: number;
  branch: string;
  /** Whole, where that of the row is cut. */
  title: string;
  says: string;
  html: string;
  facts: { name: string; value: string }[];
  error: string | null;
  result: string | null;
  values: { name: string; value: string }[];
  /** What it kept, each with its type or with why it was not kept; `more` are not listed. Null: nothing was asked. */
  kept: { says: string; values: { name: string; value: string }[]; more: number } | null;
  findings: string[];
  /** The newest first. `changed` are lines that begin with -, + or a space: what it has otherwise than the one before. */
  versions: { version: number; says: string; source: string | null; changed?: string }[];
  cell_id: string | null;
  part: number;
  /** The name of the notebook's file that its cell is in, where that is known. */
  notebook: string | null;
  /** Title and reason as they were written; null where they are too long to be edited here. */
  description: string | null;
}

/** Branches side by side. `best` are the columns whose cell is the best of its row. */
/** What has figures, and how the host finds them. */
export type Showing = Pick<Row, 'key' | 'number' | 'figures'>;

export interface Comparison {
  /** `shown`: the last step of the line that showed something; absent where none did. */
  lines: { id: string; head: string; state: string; open: boolean; shown?: Showing }[];
  rows: { name: string; cells: string[]; best: number[] }[];
}

/** Two lines, step by step: `diff` has lines that begin with -, + or a space; '' where none differs, and `says` why. */
export interface CodeComparison {
  says: string;
  steps: { steps: string; title: string; says: string; diff: string }[];
}

/** A step or a run that words mean. `step` is its place (`3`, `alt:3`), `says` the line in which the words are where the
 *  title has none, `notebook` the name of the file that it was written in. */
export interface Hit {
  step: string | null;
  key: number | null;
  title: string;
  says?: string;
  by?: string;
  run?: string;
  cell_id?: string;
  part?: number;
  notebook?: string;
}

/** What was found in a session: of `count` the newest. `notebooks` are those that the server has, by their paths there.
 *  `fault`: why it could not be read. */
export interface FoundSession {
  session: string;
  notebooks: string[];
  archived: boolean;
  count: number;
  hits: Hit[];
  fault?: string;
}

/** `next` is where another page begins. */
export interface FoundPage {
  sessions: FoundSession[];
  next: number | null;
}

export interface Filter {
  branch?: string;
  stage?: string;
  outcome?: Outcome | 'stale';
  /** Words that all occur in what a step says, found, or is tagged with, in any case; `tag:slow` is a tag, `by:name` who
   *  recorded it, `code:merge` what is in its code. */
  text?: string;
  /** Of the hidden steps, which are in no other list. */
  hidden?: boolean;
}

/** Rows `first`.. of those that the filter lets pass; `count` is how many these are in all. */
export interface RowsPage {
  first: number;
  count: number;
  rows: Row[];
}

export interface SavedWorkflow {
  name: string;
  description: string;
  variables: { name: string; default: string | null; secret: boolean; description: string }[];
}

/** What is wrong with a definition, what is odd about it, each at the place of its `path`; what it has to be given. The
 *  server tells the `tools` that it knows, too. */
export interface Checked {
  problems: { path: string; says: string }[];
  warnings: { path: string; says: string }[];
  variables: SavedWorkflow['variables'];
  /** The actions that the run had otherwise; null where the text is no definition. */
  changed?: string[] | null;
  tools?: Tool[];
  /** What placeholders of the action that was asked of may name, the nearest first; null where the text is no definition. */
  names?: KnownName[] | null;
  /** Each action that runs a workflow; null where the text is no definition. */
  nested?: NestedDefinition[] | null;
}

/** A workflow that an action runs: the names of the actions that lead to it. Of one that was asked for: its definition, or
 *  what it `says` of why there is none; the `file` beside the text that has it, and whether that is the `same`. */
export interface NestedDefinition {
  path: string[];
  name: string;
  definition?: Record<string, unknown> | null;
  says?: string;
  file?: string | null;
  same?: boolean;
}

/** What of a text is asked for beside its problems. */
export type CheckedOf = {
  run?: string;
  /** '': what comes after all of them. */
  action?: string;
  /** Paths of actions that run a workflow. */
  opened?: string[][];
};

export interface PastDefinition {
  definition: Record<string, unknown>;
  nested: NestedDefinition[];
  /** `action` is null for what stands beside the actions. */
  differs: { action: string | null; says: string }[];
}

/** `kind`: `item` is known in what is done for each item, `gave` once the action itself has ended. */
export interface KnownName {
  name: string;
  kind: 'variable' | 'item' | 'field' | 'capture' | 'gave';
  action: string | null;
  says: string;
}

/** What an action may call: `parameters` is a JSON Schema, `results` names the fields that it gives, if they are known. */
export interface Tool {
  name: string;
  says: string;
  parameters: Schema;
  results: string[] | null;
}

/** What is used of JSON Schema. */
export interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  $ref?: string;
  default?: unknown;
  format?: string;
  'x-verbatim'?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
}

/** What may be asked: the word, what it takes, what it answers. */
/** A session from outside. `notebook` is the path of its file, relative to the folder that holds `.wfnb` where that is
 *  possible. */
export interface SessionHead {
  name: string;
  notebook: string | null;
  steps: number;
  changed: number;
  in_use: boolean;
}

/** The step whose cell is to run now, so that the stale step of the key `target` is fresh in the end: that one, or one
 *  that it rests on. `place` is its number, with its branch where that is not main; `digest` as in a row. */
export interface NextStale {
  target: number;
  key: number;
  place: string;
  cell_id: string | null;
  part: number;
  digest: string | null;
}

/** What becomes of a call of which nobody knows whether it was done, or which stands after what was undone: by its name,
 *  with the run's before it where another one called that ("deploy-2/send").
 */
export type Lost = Record<string, 'again' | 'done'>;

export interface Asks {
  snapshot: [Record<string, never>, Snapshot];
  rows: [{ first: number; count: number; filter?: Filter }, RowsPage];
  card: [{ key: number }, Card];
  compare: [{ lines?: string[] }, Comparison];
  compare_code: [{ lines: string[] }, CodeComparison];
  /** `opened`: paths of actions that run a workflow. */
  run: [{ run: string; opened?: string[][] }, RunDetail];
  close_run: [{ run: string }, null];
  workflows: [Record<string, never>, SavedWorkflow[]];
  /** The session of the notebook is in use from here on; where there was none, it begins. */
  open: [Record<string, never>, null];
  /** `action`: that of the text alone, with what `run` knew as far as nothing else is given. */
  start: [{ workflow: string; text?: string; action?: string; run?: string; variables: Record<string, string> }, RunHead];
  /** What an action has to be given to run alone; the defaults are those of `run`. */
  inputs: [{ text: string; file: string; action: string; run?: string }, SavedWorkflow['variables']];
  /** What a run knows of its variables: a resume may give it others. */
  variables: [{ run: string }, SavedWorkflow['variables']];
  /** What a run that has ended came to, by type, as its cell would show it. */
  ended: [{ run: string }, Record<string, string | object>];
  /** A definition as it is written in a file: what keeps it from running, what is odd, what it has to be given. */
  check: [{ text: string; file: string } & CheckedOf, Checked];
  /** The definition that a run had, and what differs in a text. */
  ran: [{ run: string; text: string; file: string; opened?: string[][] }, PastDefinition];
  tools: [Record<string, never>, Tool[]];
  /** A sentence where it had ended before it could be cancelled. */
  cancel: [{ run: string; at_once?: boolean }, string | null];
  /** `lost` answers for the calls that a refusal named. */
  resume: [
    { run: string; lost?: Lost; text?: string; file?: string; start?: string; variables?: Record<string, string> },
    RunHead,
  ];
  answer: [{ run: string; call: number; answer: string }, null];
  switch: [{ branch: string }, null];
  select: [{ branch: string; reason?: string }, null];
  abandon: [{ branch: string; reason?: string }, null];
  merge: [{ branch: string; reason?: string }, null];
  score: [{ branch: string; score: number; reason?: string }, null];
  /** Without `key` all that are stale. */
  confirm: [{ key?: number }, null];
  /** What came back, and what did not. */
  restore: [{ key: number }, string];
  /** Of the step `key`, else of all that are stale; `done` are those that were run. Null: none is left. */
  next_stale: [{ key?: number; done: number[] }, NextStale | null];
  judge: [{ hypothesis: number; verdict: 'confirmed' | 'refuted' }, string];
  /** Which code cells there are, in order, how many steps each opens, and by id the headings right above them. */
  cells: [{ ids: string[]; steps: number[]; headings: Record<string, string> }, null];
  record: [{ on: boolean }, null];
  /** What a step's cell had for it, and the code alone; null where that is not known. */
  source: [{ key: number; version?: number }, { source: string; code: string } | null];
  hide: [{ key: number }, null];
  show: [{ key: number }, null];
  /** What is not said stays; an empty reason takes it away. */
  describe: [{ key: number; title?: string; reason?: string }, null];
  /** All the tags that it has from here on. */
  tag: [{ key: number; tags: string[] }, null];
  /** The last change; or the work of an author, from the step of that key on. */
  undo: [{ work?: { by: string; key: number } }, string];
  redo: [Record<string, never>, string];
  /** Where the notebook is, below the `root` of its server, and the session that its metadata name; the answer is the
   *  one in use, to be written there; null where there is none, or it is in memory only. */
  notebook: [{ path: string; root: string; session: string | null }, { session: string | null } & Beside];
  sessions: [Record<string, never>, SessionHead[]];
  open_session: [{ session: string }, string];
  report: [{ form: 'md' | 'html' | 'json' }, { name: string; text: string }];
}

export type Ask = keyof Asks;

/** On the control comm, from the front end: `{id, ask, ...}`; back: `{id, answer}` or `{id, error, says}`; `calls` as in
 *  `Refused`. */
export interface Request {
  id: number;
  ask: Ask;
  [name: string]: unknown;
}

export type Reply = { id: number; answer: unknown } | { id: number; error: string; says: string; calls?: string[] };
