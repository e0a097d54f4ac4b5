"""Workflows in cells, for runs that ask, sleep, or call another that asks."""

ASKS = """\
%%run_workflow deploy
steps:
  - id: sure
    tool: ask
    args: {question: "Go on?", choices: [yes, no]}
  - id: say
    tool: shell
    args: {command: "echo said {sure.answer}"}
"""
NESTED = """\
%%run_workflow release --background --no-save
steps:
  - id: down
    tool: run_workflow
    args:
      save_on_success: false
      workflow_definition:
        name: checks
        steps:
          - id: sure
            tool: ask
            args: {question: "Go on?", choices: [yes]}
"""
AGAIN = """\
%%run_workflow again --background --no-save
initial_state: sure
states:
  sure:
    action: {tool: ask, params: {question: "Once more?", choices: [yes, no]}}
    transitions:
      - {condition: {field_equals: {answer: yes}}, next_state: sure}
"""
SLEEPS = """\
%%run_workflow {name}{options}
steps:
  - id: nap
    tool: sleep
    args: {{seconds: 600}}
"""
