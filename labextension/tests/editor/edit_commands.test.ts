/** What each command makes of a text, and what it refuses. */

import { describe, expect, test } from 'vitest';
import { applied } from '../../src/editor/data_operations';
import { mentions, operationsOf } from '../../src/editor/edit_command_operations';
import { Refusal } from '../../src/editor/refusal';
import type { Data } from '../../src/editor/definition_data';
import type { EditCommand } from '../../src/editor/edit_commands';
import { edit, spliced } from '../../src/editor/text_edit';
import { read } from '../../src/editor/definition_text_reader';

function edited(text: string, ...commands: EditCommand[]): string {
  return spliced(text, edit(text, commands));
}

function refusal(text: string, command: EditCommand): string {
  try {
    edit(text, command);
  } catch (error) {
    if (error instanceof Refusal) {
      return error.message;
    }
    throw error;
  }
  return '';
}

const SHOP = `# Deploys the shop.
name: shop   # as it is saved
initial_state: look

states:
  # first we look
  look:
    action: {tool: shell, params: {command: "grep -c x f"}}
    transitions:
      - {condition: {success: false}, next_state: missing}   # nothing there
      - {condition: "rows > 1", next_state: found}

  # then we tell
  found:
    action:
      tool: shell
      params:
        command: |
          echo {look.stdout!q}   # no comment
          echo two
    on_timeout: missing

  missing:
    action: {tool: shell, params: {command: echo nothing found}}
`;

const CHAIN = `steps:
  - id: count
    tool: shell
    args: {command: "ls"}   # how many
  - id: say
    tool: shell
    args: {command: "echo {count.stdout!q}"}
  - tool: shell
    args: {command: echo end}
`;

describe('states', () => {
  test('a name is changed wherever it is mentioned, and nothing else is', () => {
    expect(edited(SHOP, { do: 'rename', name: 'look', to: 'seek' })).toBe(
      SHOP.replace('initial_state: look', 'initial_state: seek').replace('  look:', '  seek:').replace('{look.', '{seek.'),
    );
  });

  test('a new state stands after another one, and looks like its neighbours', () => {
    const action = { action: { tool: 'ask', params: { text: 'Go on?\nReally?\n' } } };

    expect(edited(SHOP, { do: 'insert', name: 'mid', action, from: 'look', to: 'missing' })).toBe(
      SHOP.replace('next_state: missing}   #', 'next_state: mid}   #').replace(
        '  # then we tell',
        `  mid:
    action:
      tool: ask
      params:
        text: |
          Go on?
          Really?
    transitions:
      - {condition: {success: true}, next_state: missing}

  # then we tell`,
      ),
    );
  });

  test('with a state goes what led to it, and its comments', () => {
    expect(edited(SHOP, { do: 'delete', names: ['look', 'missing'] })).toBe(`# Deploys the shop.
name: shop   # as it is saved
initial_state: found

states:
  # then we tell
  found:
    action:
      tool: shell
      params:
        command: |
          echo {look.stdout!q}   # no comment
          echo two
`);
  });

  test('an edge is a transition', () => {
    const connected = edited(SHOP, { do: 'connect', from: 'missing', to: 'look', condition: 'exit_code > 3' });

    expect(connected).toBe(`${SHOP}    transitions:\n      - {condition: "exit_code > 3", next_state: look}\n`);
    expect(edited(connected, { do: 'disconnect', from: 'missing', to: 'look' })).toBe(SHOP);
  });

  test('what a state does on its failure is connected after what it does on its success', () => {
    const once = edited(SHOP, { do: 'connect', from: 'missing', to: 'look' });
    const twice = edited(once, { do: 'connect', from: 'missing', to: 'found' });

    expect(once).toBe(`${SHOP}    transitions:\n      - {condition: {success: true}, next_state: look}\n`);
    expect(twice).toBe(`${once}      - {condition: {success: false}, next_state: found}\n`);
  });

  test('what points to a state is listed', () => {
    const reading = read(SHOP);

    expect(reading.ok && mentions(reading.data, 'look')).toEqual([
      ['initial_state'],
      ['states', 'found', 'action', 'params', 'command'],
    ]);
  });

  test.each<[EditCommand, string]>([
    [{ do: 'rename', name: 'look', to: 'found' }, "There is a state 'found' already."],
    [{ do: 'rename', name: 'lok', to: 'a' }, "There is no state 'lok'."],
    [{ do: 'add', name: 'a-b', action: {} }, "A state cannot be called 'a-b': a name has letters, digits and _, beginning with a letter or _."],
    [{ do: 'connect', from: 'look', to: 'look' }, "State 'look' cannot be connected to itself here: write the transition in the text."],
    [{ do: 'disconnect', from: 'found', to: 'look' }, "State 'found' does not go to 'look'."],
    [{ do: 'delete', names: ['look', 'found', 'missing'] }, 'A workflow needs a state: the last one cannot be deleted.'],
    [{ do: 'set', path: ['states', 'look', 'transitions', 7], value: 1 }, 'states.look.transitions has 2 entries: the next one is 2.'],
  ])('%j is refused', (command, says) => {
    expect(refusal(SHOP, command)).toBe(says);
  });
});

const GREETING = `# says hello
variables:
  who: {description: whom}   # {who} is no placeholder here
  most: 3
steps:
  - id: who_is
    tool: shell
    args: {command: "echo {who!q} {who.name} {{who}} {steps.who} \${who}", who: "{who_is.stdout}"}
    when: who != 'who' and steps.who_is.who and who.age > most
  - id: each
    tool: run_workflow
    args:
      workflow_definition: {variables: {who: 1}, steps: [{id: a, tool: shell, args: {command: "echo {who}"}}]}
      initial_variables: {who: "{who}"}
outputs: {who: "who_is.stdout", last: who}
`;

describe('variables', () => {
  test('a variable gets another name wherever it is meant, and nothing else does', () => {
    expect(edited(GREETING, { do: 'rename_variable', name: 'who', to: 'guest' })).toBe(
      GREETING.replace('  who: {desc', '  guest: {desc')
        .replace('{who!q} {who.name}', '{guest!q} {guest.name}')
        .replace("when: who != 'who'", "when: guest != 'who'")
        .replace('and who.age', 'and guest.age')
        .replace('initial_variables: {who: "{who}"', 'initial_variables: {who: "{guest}"')
        .replace('last: who}', 'last: guest}'),
    );
  });

  test.each<[string, string, string]>([
    ['whom', 'a', "There is no variable 'whom'."],
    ['who', 'most', "There is a variable 'most' already."],
    ['who', '1st', "A variable cannot be called '1st': a name has letters, digits, _ and -, beginning with a letter or _."],
    ['who', 'stdout', "A variable cannot be called 'stdout' here: results have that name."],
    ['who', 'who_is', "'who_is' is something else already in steps.0.args.who."],
    ['who', 'the-guest', "No expression can have the name 'the-guest', and steps.0.when has 'who'."],
  ])('%s is not called %s', (name, to, says) => {
    expect(refusal(GREETING, { do: 'rename_variable', name, to })).toBe(says);
  });

  test('a variable that is called as a field of results is left to whoever wrote it', () => {
    expect(refusal('variables: {stdout: 1}\nsteps: [{tool: shell}]\n', { do: 'rename_variable', name: 'stdout', to: 'a' })).toContain(
      "Results have a 'stdout', too",
    );
  });
});

describe('steps', () => {
  test('in a sequence their order says it all', () => {
    const action = { tool: 'sleep', args: { seconds: 1 } };

    expect(edited(CHAIN, { do: 'insert', name: 'rest', action, from: 'count', to: 'say' })).toBe(
      CHAIN.replace('  - id: say', '  - id: rest\n    tool: sleep\n    args: {seconds: 1}\n  - id: say'),
    );
    expect(edited(CHAIN, { do: 'move', name: 'step_3', before: 'count' })).toBe(
      `steps:\n  - tool: shell\n    args: {command: echo end}\n${CHAIN.slice(7, CHAIN.indexOf('  - tool'))}`,
    );
  });

  test('another edge writes the order out', () => {
    expect(edited(CHAIN, { do: 'connect', from: 'count', to: 'step_3' })).toBe(
      CHAIN.replace('{count.stdout!q}"}\n', '{count.stdout!q}"}\n    needs: [count]\n') + '    needs: [say, count]\n',
    );
  });

  test('without their last need they still are done side by side', () => {
    const text = 'steps:\n  - {id: a, tool: t}\n  - {id: b, tool: t, needs: [a]}\n';

    expect(edited(text, { do: 'disconnect', from: 'a', to: 'b' })).toBe(
      'mode: parallel\nsteps:\n  - {id: a, tool: t}\n  - {id: b, tool: t}\n',
    );
  });

  test('a step that is called by its place keeps its name where that is mentioned', () => {
    const text = 'steps:\n- tool: a\n- tool: b\n- tool: c\n  when: step_2.success\n';

    expect(edited(text, { do: 'delete', names: ['step_1'] })).toBe(
      'steps:\n- id: step_2\n  tool: b\n- id: step_3\n  tool: c\n  when: step_2.success\n',
    );
  });

  test('steps that would wait for each other are refused', () => {
    const text = 'steps:\n  - {id: a, tool: t}\n  - {id: b, tool: t, needs: [a]}\n';

    expect(refusal(text, { do: 'connect', from: 'b', to: 'a' })).toBe(
      "Step 'b' waits for 'a': they cannot wait for each other.",
    );
  });
});

describe('names', () => {
  const renamed = (when: string, to: string, more: Data = {}): string => {
    const data = { ...more, steps: [{ id: 'look', tool: 't' }, { id: 'b', tool: 't', when }] };
    const after = applied(data, operationsOf(data, { do: 'rename', name: 'look', to }));
    return String((after.steps as Data[])[1]!.when);
  };

  test.each([
    ['look.stdout > 3', 'seek', 'seek.stdout > 3'],
    ['look_stdout > 3 and look_up > 1', 'a', 'a_stdout > 3 and a_up > 1'],
    ['steps["look"].x == "look.x"', 'a-b', 'steps["a-b"].x == "look.x"'],
    ['look.x == 1', 'a-b', 'steps["a-b"].x == 1'],
    ['steps.look.x', 'a-b', 'steps["a-b"].x'],
    ['look.x', 'if', 'steps["if"].x'],
    ['look.x', 'result', 'steps.result.x'],
    ['b.look and looks.x', 'a', 'b.look and looks.x'],
  ])('%s is, after a rename to %s, %s', (when, to, is) => {
    expect(renamed(when, to)).toBe(is);
  });

  test('what a variable of that name gives is another thing', () => {
    expect(renamed('look.x and steps.look.x', 'a', { variables: { look: 1 } })).toBe('look.x and steps.a.x');
  });

  test('a program has no placeholders', () => {
    const text = 'steps:\n- {id: a, tool: t}\n- {tool: python, args: {code: "f\'{a.x}\'", arguments: {n: "{a.x}"}}}\n';

    expect(edited(text, { do: 'rename', name: 'a', to: 'b' })).toBe(
      text.replace('id: a', 'id: b').replace('n: "{a.x}"', 'n: "{b.x}"'),
    );
  });
});

describe('fields', () => {
  test('a text keeps how it is written where it can', () => {
    const text = 'states:\r\n  a: {x: "1", y: \'2\', z: 3}   # note\r\n';

    expect(edited(text, { do: 'set', path: ['states', 'a', 'x'], value: 'no' })).toBe(text.replace('"1"', '"no"'));
    expect(edited(text, { do: 'set', path: ['states', 'a', 'y'], value: 'no' })).toBe(text.replace("'2'", "'no'"));
    expect(edited(text, { do: 'set', path: ['states', 'a', 'z'], value: 'no' })).toBe(text.replace('3', "'no'"));
    expect(edited(text, { do: 'unset', path: ['states', 'a', 'y'] })).toBe(text.replace(", y: '2'", ''));
  });

  test('what is filled that was empty is written as the rest is', () => {
    expect(edited('steps: []   # none yet', { do: 'add', name: 'c', action: { tool: 'ask' } })).toBe(
      'steps:   # none yet\n  - id: c\n    tool: ask',
    );
    expect(edited('{\n\t"steps": []\n}', { do: 'add', name: 'c', action: { tool: 'ask' } })).toBe(
      '{\n\t"steps": [\n\t\t{\n\t\t\t"id": "c",\n\t\t\t"tool": "ask"\n\t\t}\n\t]\n}',
    );
  });

  test('a text that cannot be read is left alone', () => {
    expect(refusal('steps: [\n', { do: 'unset', path: ['steps'] })).toMatch(
      /^The text cannot be read, so nothing is changed: line \d+, column \d+: .*\.$/,
    );
  });
});

test('places lead to the text, and back', () => {
  const reading = read(SHOP);
  const found = reading.ok ? reading.place(['states', 'found', 'action', 'tool']) : null;

  expect(SHOP.slice(...found!)).toBe('shell');
  expect(reading.ok && reading.pathAt(found![0])).toEqual(['states', 'found', 'action', 'tool']);
  expect(reading.ok && reading.pathAt(SHOP.indexOf('# then we'))).toEqual(['states', 'found']);
  expect(reading.ok && reading.place(['states', 'nowhere'])).toBe(null);
});

const LINE = `initial_state: a
states:
  a:
    action: {tool: shell}
    transitions: [{condition: {success: true}, next_state: b}]   # on
  b:
    action: {tool: shell}
    transitions:
      - {condition: "x > 1", next_state: c}
  c:
    action: {tool: shell}
`;

describe('an action that is there comes between two', () => {
  test('of states: each transition keeps its condition, and what led to it leads on', () => {
    const more = `${LINE.replace('  c:\n    action: {tool: shell}\n', '')}  c:
    action: {tool: shell}
    transitions: [{condition: {success: true}, next_state: d}]
  d:
    action: {tool: shell}
`;

    expect(edited(more, { do: 'between', name: 'b', from: 'c', to: 'd' })).toBe(
      more.replace('next_state: b}', 'next_state: c}').replace('"x > 1", next_state: c', '"x > 1", next_state: d')
        .replace('{success: true}, next_state: d', '{success: true}, next_state: b'),
    );
  });

  test('of states: the last one leads on where it succeeds, and what led to it ends', () => {
    expect(edited(LINE, { do: 'between', name: 'c', from: 'a', to: 'b' })).toBe(
      LINE.replace('next_state: b}', 'next_state: c}').replace('    transitions:\n      - {condition: "x > 1", next_state: c}\n', '')
        .concat('    transitions:\n      - {condition: {success: true}, next_state: b}\n'),
    );
  });

  test('of states: the first one gives its place to what came after it', () => {
    const data = read(edited(LINE, { do: 'between', name: 'a', from: 'b', to: 'c' }));
    expect(data.ok && data.data.initial_state).toBe('b');
  });

  test('of steps: in a sequence it is written there, else the needs are others', () => {
    expect(edited(CHAIN, { do: 'between', name: 'step_3', from: 'count', to: 'say' })).toBe(
      edited(CHAIN, { do: 'move', name: 'step_3', before: 'say' }),
    );
    const needs = 'steps:\n- {id: a, tool: t}\n- {id: b, tool: t, needs: [a]}\n- {id: c, tool: t, needs: [{id: b, even_if: failed}]}\n- {id: d, tool: t, needs: [c]}\n';
    expect(edited(needs, { do: 'between', name: 'b', from: 'c', to: 'd' })).toBe(
      needs.replace('needs: [a]', 'needs: [c]').replace('{id: b, even_if', '{id: a, even_if').replace('{id: d, tool: t, needs: [c]}', '{id: d, tool: t, needs: [b]}'),
    );
  });

  test('and is refused where nobody can say what is meant', () => {
    const several = LINE.replace('- {condition: "x > 1", next_state: c}', '- {condition: "x > 1", next_state: c}\n      - {condition: "x > 2", next_state: a}');
    expect(refusal(several, { do: 'between', name: 'b', from: 'a', to: 'c' })).toBe("State 'a' does not go to 'c'.");
    expect(refusal(LINE, { do: 'between', name: 'a', from: 'a', to: 'b' })).toBe("State 'a' is there already.");
  });
});
