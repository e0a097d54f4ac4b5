"""At a terminal: what is drawn while a run goes on, and interrupts from the keyboard."""

from .command import Desk, asks, ended, events, open_gate, seen, steps


def test_what_goes_on_is_drawn_and_in_the_end_replaced_by_what_it_came_to(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps("true", f"echo half way; cat {gate}"))

    with desk.terminal("run", file) as child:
        child.expect("│ half way")
        during = child.before + child.after
        open_gate(gate)
        code, rest = ended(child)

    assert code == 0
    assert seen(during) == [
        "a: ✓ ok",
        "████████████░░░░░░░░░░░░ work-1 · ▶ running · 1 of 2 steps · ▶ b (shell)",
        "  │ half way",
    ]
    *told, ending, heads, first, second = seen(during + rest)
    assert told == ["a: ✓ ok", "b: ✓ ok", "  │ half way", "  │ go"]
    assert ending.startswith("work-1 · ✓ success · 2 steps · took ")
    assert ending.endswith(" · saved as work")
    assert heads.split() == ["step", "status", "attempts", "took", "note"]
    assert [first.split()[:4], second.split()[:4]] == [["a", "✓", "ok", "1"], ["b", "✓", "ok", "1"]]


def test_long_lines_and_control_characters_of_a_tool_do_not_break_the_drawing(desk: Desk):
    gate = desk.gate()
    wide = "printf '\\033[2J\\033[Hwide %0200d end\\n' 7"
    file = desk.write(steps(f"{wide}; echo after; cat {gate}"))

    with desk.terminal("run", file, size=(10, 40)) as child:
        child.expect("│ after")
        during = child.before + child.after
        open_gate(gate)
        code, rest = ended(child)

    drawn = seen(during, 10, 40)
    assert [line[:9] for line in drawn] == ["work-1 · ", "  │ wide ", "  │ after"]
    assert max(map(len, drawn)) < 40
    assert seen(during + rest, 10, 40)[0] == "a: ✓ ok"
    assert code == 0


def test_without_a_terminal_that_can_be_drawn_on_there_are_lines_only(desk: Desk):
    file = desk.write(steps("true"))

    with Desk(desk.folder, {"TERM": "dumb"}).terminal("run", file) as child:
        code, wrote = ended(child)

    assert (code, events(wrote.splitlines())) == (
        0,
        ["work-1 started: 1 step", "▶ a (shell)", "a: ✓ ok", "work-1 ✓ success · saved as work"],
    )


def test_with_json_a_person_sees_the_run_on_stderr(desk: Desk):
    file = desk.write(asks(question="Go?"))
    out = desk.folder / "out.json"

    with desk.terminal_of_shell(f"run {file} --json > {out}") as child:
        child.expect_exact("? ask asks: Go? ")
        child.sendline("yes")
        code, _ = ended(child)

    assert code == 0
    assert '"status": "success"' in out.read_text("utf-8")


def test_a_terminal_that_becomes_narrower_and_wider_shows_what_goes_on_once(desk: Desk):
    gate = desk.gate()
    wide = "a line of output that needs most of a terminal of eighty columns"
    file = desk.write(steps(f"echo {wide}; cat {gate}"))

    with desk.terminal("run", file) as child:
        child.expect("eighty columns")
        child.setwinsize(24, 40)
        child.expect(r"\x1b\[4A\x1b\[J.*│ a line of output that needs most o…")
        open_gate(gate)
        code, _ = ended(child)

    assert code == 0


def test_an_interrupt_stops_the_run_and_undoes_where_the_workflow_says_so(desk: Desk):
    made, gate = desk.folder / "made", desk.gate()
    undo = {"tool": "shell", "args": {"command": f"rm {made}"}}
    definition = steps(f"touch {made}", f"echo waits; cat {gate}", rollback_on_cancel=True)
    definition["steps"][0]["compensation"] = undo
    file = desk.write(definition)

    with desk.terminal("run", file) as child:
        child.expect("│ waits")
        child.sendintr()
        code, wrote = ended(child)

    assert code == 130
    assert "stopping: it was interrupted · what succeeded is undone" in wrote
    assert "`wfnb resume work-1` goes on from there" in wrote
    assert not made.exists()


def test_a_second_interrupt_does_not_wait_for_what_is_undone(desk: Desk):
    gate, never = desk.gate(), desk.gate("never")
    definition = steps("true", f"echo waits; cat {gate}", rollback_on_cancel=True)
    undo = {"tool": "shell", "args": {"command": f"echo undoes; cat {never}"}}
    definition["steps"][0]["compensation"] = undo
    file = desk.write(definition)

    with desk.terminal("run", file) as child:
        child.expect("│ waits")
        child.sendintr()
        child.expect("undoes")
        child.sendintr()
        code, _ = ended(child)

    assert code == 130
    assert desk.wfnb("runs", "--json").data["runs"][0]["status"] == "cancelled"


def test_an_interrupt_is_heard_while_a_question_is_open(desk: Desk):
    file = desk.write(asks(question="Password", secret=True))

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Password ")
        child.sendintr()
        code, wrote = ended(child)

    assert code == 130
    assert "asking-1 · ⊘ cancelled" in wrote


def test_a_command_in_the_background_is_not_stopped_by_a_question(desk: Desk):
    file = desk.write(asks(question="Go?"))

    with desk.terminal_of_shell(f"run {file} & wait; true") as child:
        child.expect_exact("answer: wfnb answer TEXT --run asking-1 --to ask")
        desk.wfnb("answer", "yes")
        _, wrote = ended(child)

    assert "asking-1 · ✓ success" in wrote
