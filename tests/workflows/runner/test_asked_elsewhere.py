"""What workflows of other engines say, said here: each is run for real, and hands on what it found.

They are those of the scenario tests of an engine for agents (conditions, optional needs, loops,
outputs, functions) that need words of the language. Not said here: a loop within a text, and what a
run knows of itself, as when it began.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

from wfnb.workflows.runner.runner import Runner

from .place import runner_in

SCENARIOS: dict[str, tuple[str, dict[str, Any]]] = {
    "a condition on a variable": (
        """
        variables: {go: true}
        steps: [{id: a, when: go, tool: shell, args: {command: echo yes}},
                {id: b, when: not go, tool: shell, args: {command: echo no}}]
        outputs: {a: not a.skipped, b: not b.skipped}
        """,
        {"a": True, "b": False},
    ),
    "a condition on a success": (
        """
        steps: [{id: a, tool: shell, args: {command: echo fine}},
                {id: b, when: a.success, tool: shell, args: {command: echo so}}]
        outputs: {b: b.stdout}
        """,
        {"b": "so"},
    ),
    "a condition on a failure": (
        """
        mode: parallel
        steps: [{id: a, tool: shell, args: {command: exit 1}, on_failure: continue},
                {id: b, needs: [{id: a, only_if: failed}], tool: shell, args: {command: echo so}}]
        outputs: {a: a.success, b: b.stdout}
        """,
        {"a": False, "b": "so"},
    ),
    "both of two conditions": (
        """
        variables: {go: true}
        steps: [{id: a, tool: shell, args: {command: echo fine}},
                {id: b, when: go and a.success, tool: shell, args: {command: echo so}}]
        outputs: {b: not b.skipped}
        """,
        {"b": True},
    ),
    "one of two conditions": (
        """
        variables: {go: true}
        steps: [{id: a, tool: shell, args: {command: exit 1}, on_failure: continue},
                {id: b, when: go or a.success, tool: shell, args: {command: echo so}}]
        outputs: {b: not b.skipped}
        """,
        {"b": True},
    ),
    "the opposite of a condition": (
        """
        steps: [{id: a, tool: shell, args: {command: exit 1}, on_failure: continue},
                {id: b, when: not a.success, tool: shell, args: {command: echo so}}]
        outputs: {b: not b.skipped}
        """,
        {"b": True},
    ),
    "what was skipped can be asked for": (
        """
        variables: {skip: true}
        steps: [{id: a, when: not skip, tool: shell, args: {command: echo ran}},
                {id: b, when: a.skipped, tool: shell, args: {command: echo seen}}]
        outputs: {skipped: a.skipped, seen: b.stdout}
        """,
        {"skipped": True, "seen": "seen"},
    ),
    "needs that may have failed, beside those that may not": (
        """
        steps: [{id: good, tool: shell, args: {command: echo good}},
                {id: bad, tool: shell, args: {command: exit 1}, on_failure: continue},
                {id: one, needs: [{id: bad, even_if: failed}],
                 tool: shell, args: {command: echo 1}},
                {id: two, needs: [good, {id: bad, even_if: failed}],
                 tool: shell, args: {command: echo 2}},
                {id: all, needs: [{id: bad, even_if: failed}, {id: good, even_if: failed}],
                 tool: shell, args: {command: echo 3}}]
        outputs: {said: "[one.stdout, two.stdout, all.stdout]"}
        """,
        {"said": ["1", "2", "3"]},
    ),
    "each of a list, side by side, of which one may fail": (
        """
        variables: {files: [a.txt, b.txt, missing.txt]}
        steps: [{id: each, for_each: {items: files, max_parallel: 2, tolerate: 1},
                 tool: shell, args: {command: "test {item!q} != missing.txt"}}]
        outputs:
          {count: each.count, failed: each.failed,
           first: "each.results[0].success", last: "each.results[2].success"}
        """,
        {"count": 3, "failed": 1, "first": True, "last": False},
    ),
    "each of a mapping, with key and value": (
        """
        variables: {ports: {default: {api: {port: 8000}, worker: {port: 8001}}}}
        steps: [{id: each, for_each: ports, tool: shell,
                 args: {command: "echo {index} {item.key!q} {item.value.port}"}}]
        outputs: {said: "[each.results[0].stdout, each.results[1].stdout]"}
        """,
        {"said": ["0 api 8000", "1 worker 8001"]},
    ),
    "each, where one that fails ends it": (
        """
        steps: [{id: each, for_each: [1, 2, 3], tool: shell, on_failure: continue,
                 args: {command: "echo {item} >> done; test {item} -ne 2"}},
                {id: look, tool: shell, args: {command: cat done}}]
        outputs: {done: lines(look.stdout), failed: each.failed}
        """,
        {"done": ["1", "2"], "failed": 1},
    ),
    "an item of the results by a place that is computed": (
        """
        variables: {place: 1}
        steps: [{id: each, for_each: [a, b, c], tool: shell, args: {command: "echo {item}"}}]
        outputs: {one: "each.results[place].stdout", next: "each.results[place + 1].stdout"}
        """,
        {"one": "b", "next": "c"},
    ),
    "a field by a key that is computed": (
        """
        variables: {ports: {default: {api: 8000, worker: 8001}}, which: worker}
        steps: [{id: a, tool: shell, args: {command: echo so}}]
        outputs: {port: "ports[which]"}
        """,
        {"port": 8001},
    ),
    "each item asks a person": (
        """
        variables: {questions: {default: {name: Who is it, age: How old}}}
        steps: [{id: each, for_each: questions, tool: ask, args: {question: "{item.value}"}}]
        outputs: {said: "[each.results[0].answer, each.results[1].answer]"}
        """,
        {"said": ["yes", "yes"]},
    ),
    "items ask side by side": (
        """
        steps: [{id: each, for_each: {items: [a, b], max_parallel: 2}, tool: ask,
                 args: {question: "{item}?"}}]
        outputs: {said: "[each.results[0].answer, each.results[1].answer]"}
        """,
        {"said": ["yes", "yes"]},
    ),
    "a workflow for each item, which asks and decides": (
        """
        variables: {work: [{name: one}, {name: two}]}
        steps:
          - id: each
            for_each: work
            tool: run_workflow
            args:
              initial_variables: {name: "{item.name}"}
              workflow_definition:
                variables: {name: {}}
                steps: [{id: approval, tool: ask, args: {question: "{name}?"}},
                        {id: done, when: approval.answer == "yes",
                         tool: shell, args: {command: "echo {name!q}"}},
                        {id: denied, when: approval.answer == "no",
                         tool: shell, args: {command: echo no}}]
                outputs: {name: done.stdout, denied: not denied.skipped}
        outputs: {said: "[each.results[0].outputs.name, each.results[1].outputs.denied]"}
        """,
        {"said": ["one", False]},
    ),
    "outputs of a workflow within go on as what they are": (
        """
        steps:
          - id: times
            tool: run_workflow
            args:
              initial_variables: {a: 10, b: 5}
              workflow_definition:
                variables: {a: {type: number}, b: {type: number}}
                steps: [{id: c, tool: python, args: {code: a * b, arguments: {a: "{a}", b: "{b}"}}}]
                outputs: {result: {value: c.result, type: number}}
          - id: again
            tool: run_workflow
            args:
              initial_variables: {a: "{times.outputs.result}", b: 2}
              workflow_definition:
                variables: {a: {type: number}, b: {type: number}}
                steps: [{id: c, tool: python, args: {code: a * b, arguments: {a: "{a}", b: "{b}"}}}]
                outputs: {result: {value: c.result, type: number}}
        outputs: {first: times.outputs.result, second: again.outputs.result}
        """,
        {"first": 50, "second": 100},
    ),
    "an output has a type": (
        """
        steps: [{id: a, tool: shell, args: {command: "echo 42"}}]
        outputs: {text: {value: a.stdout, type: string}, number: {value: a.stdout, type: integer},
                  code: {value: a.exit_code, type: number},
                  went: {value: a.exit_code == 0, type: boolean}}
        """,
        {"text": "42", "number": 42, "code": 0, "went": True},
    ),
    "a file that a step wrote is a value": (
        """
        steps: [{id: make, tool: shell,
                 args: {command: "echo '[1, {}, 5]' > made.json; cat made.json"}},
                {id: twice, tool: python,
                 args: {code: "import json; json.loads(made)[2] * 2",
                        arguments: {made: "{make.stdout}"}}}]
        outputs: {made: json(make.stdout), last: "json(make.stdout)[2]", twice: twice.result}
        """,
        {"made": [1, {}, 5], "last": 5, "twice": 10},
    ),
    "functions of texts and numbers, one in another": (
        """
        variables: {text: HELLO WORLD, number: -42, nothing: null}
        steps: [{id: a, tool: shell, args: {command: echo so}}]
        outputs: {lower: lower(text), length: len(text(abs(number))),
                  other: 'text if nothing is null else nothing'}
        """,
        {"lower": "hello world", "length": 2, "other": "HELLO WORLD"},
    ),
    "its own name, and a folder of its own": (
        """
        name: said
        steps: [{id: folder, tool: shell, args: {command: mktemp -d},
                 compensation: {tool: shell, args: {command: "rm -r {folder.stdout!q}"}}},
                {id: write, tool: shell,
                 args: {command: "echo so > x; readlink -f x", cwd: "{folder.stdout}"}},
                {id: look, tool: read, args: {path: "{write.stdout}"}}]
        outputs: {said: look.text}
        """,
        {"said": "so"},
    ),
}


def names(runner: Runner) -> list[str]:
    """Of every run there is, those within others, too."""
    log = runner.session_log
    return [info.name for info in log.journal.runs(log.id)]


@pytest.mark.parametrize("name", SCENARIOS)
def test_it_is_said_and_does_so(name: str, tmp_path: Path):
    written, expected = SCENARIOS[name]
    runner = runner_in(tmp_path / "home")
    running = runner.start(yaml.safe_load(written), save=False)
    while not running.wait(0.01):
        for log in map(runner.log, names(runner)):
            for call in list(log.run.questions):
                runner.answer("yes", log.run.calls[call].action, log.name)
    assert running.run.error is None
    assert dict(running.run.outputs) == expected
