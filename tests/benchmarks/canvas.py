"""What a person waits for who has a workflow open as a diagram, in a real JupyterLab in a real
browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.lab import Lab, serving

from .figures import Figure, Measured, Times, told, within
from .panel import CLOSED, browsing

STATES, STEPS = 100, 1_000
DRAWN, TYPED, FRAMES = 0.3, 0.1, 55
LISTED, LARGE = 0.5, 2.0
TIMES, KEYS, DRAGS = 7, 20, 3
DRAGGING = 2_000
"""Milliseconds of dragging at a time."""
NODES, ROWS = ".react-flow__node b", ".wfnb-outline [role=treeitem]"
SEEN = """
const seen = holds => new Promise(done => {
    const look = () => holds() ? done(performance.now()) : requestAnimationFrame(look);
    look();
});
const shown = what => [...document.querySelectorAll(what)].filter(
    each => each.getBoundingClientRect().height > 0);
"""
OPENED = f"""{SEEN}
app.shell.collapseLeft();
// what was closed is put away before
await new Promise(done => requestIdleCallback(() => requestIdleCallback(done)));
const begun = performance.now();
void app.commands.execute('docmanager:open', {{path: values[0]}});
return (await seen(() => shown(values[1]).length === values[2]) - begun) / 1000;
"""
PRESSED = f"""{SEEN}
const begun = performance.now();
[...document.querySelectorAll('.wfnb-editor-bar button')].find(
    each => each.textContent === values[0]).click();
return (await seen(() => shown(values[1]).length === values[2]) - begun) / 1000;
"""
KEY = f"""{SEEN}
const shared = app.shell.currentWidget.context.model.sharedModel;
const at = shared.getSource().indexOf(values[0]) + values[0].length;
const begun = performance.now();
shared.updateSource(at, at, 'x');
const there = await seen(() => shown(values[1]).some(each => each.textContent === values[0] + 'x'));
return (there - begun) / 1000;
"""
DRAGGED = """
const node = document.querySelector('.react-flow__node');
const box = node.getBoundingClientRect();
const [x, y] = [box.x + box.width / 2, box.y + 8];
const event = (kind, dx, buttons) => new MouseEvent(kind, {
    view: window, bubbles: true, cancelable: true, button: 0, buttons,
    clientX: x + dx, clientY: y + dx});
const frames = [], work = [];
let begun = 0;
const drawn = new MessageChannel();
drawn.port1.onmessage = () => work.push((performance.now() - begun) / 1000);
if (values[0]) { node.dispatchEvent(event('mousedown', 0, 1)); }
await new Promise(done => {
    const frame = now => {
        begun = performance.now();
        drawn.port2.postMessage(null);
        frames.push(now);
        if (now - frames[0] > values[1]) { return done(); }
        if (values[0]) { window.dispatchEvent(event('mousemove', 2 * frames.length % 200, 1)); }
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
});
const moved = Math.abs(node.getBoundingClientRect().x - box.x);
if (values[0]) { window.dispatchEvent(event('mouseup', 0, 0)); }
return {frames: frames.slice(1).map((each, i) => (each - frames[i]) / 1000), work, moved};
"""


def measure() -> Iterator[Measured]:
    with TemporaryDirectory() as there:
        folder = Path(there)
        with serving(folder) as address, browsing() as page:
            lab = Lab(page=page, address=address, work=folder / "work")
            lab.start()
            yield from measure_in(lab)


def measure_in(lab: Lab) -> Iterator[Measured]:
    """In a JupyterLab where nothing is open."""
    files = [f"states_{number}.workflow.yaml" for number in range(TIMES + 1)]
    for number, name in enumerate(files):
        (lab.work / name).write_text(_states(STATES, further=7 + number))
    (lab.work / "steps.workflow.yaml").write_text(_steps(STEPS))
    first, *warm = (_opened(lab, name, NODES, STATES) for name in files)
    again = [_opened(lab, files[-1], NODES, STATES) for _ in range(TIMES)]
    yield within(f"a file of {STATES} states is drawn after it was opened", Times(warm), DRAWN)
    yield told("the same for the first time, which loads what draws it", Times([first]))
    yield told("and of the one that was open last, whose layout is remembered", Times(again))
    typed = [lab.run(KEY, "state_7" + "x" * number, NODES) for number in range(KEYS)]
    yield within("what a key wrote into its text is drawn", Times(typed), TYPED)
    yield from _dragged(lab)
    lab.run(CLOSED)
    listed = [_opened(lab, "steps.workflow.yaml", ROWS, STEPS) for _ in range(TIMES)]
    yield within(f"a file of {STEPS:,} steps is listed after it was opened", Times(listed), LISTED)
    large = []
    for _ in range(max(2, TIMES // 2)):
        large.append(lab.run(PRESSED, "Diagram", NODES, STEPS))
        lab.run(PRESSED, "Outline", ROWS, STEPS)
    yield within("and drawn, where that is asked for", Times(large[:1]), LARGE)
    yield told("and again, when its layout is remembered", Times(large[1:]))
    lab.run(CLOSED)


def _opened(lab: Lab, name: str, what: str, count: int) -> float:
    lab.run(CLOSED)
    return float(lab.run(OPENED, name, what, count))


def _dragged(lab: Lab) -> Iterator[Measured]:
    """In turn with the same frames and nothing dragged, which is as fast as the browser can be."""
    frames: dict[bool, list[float]] = {False: [], True: []}
    work: list[float] = []
    for _ in range(DRAGS):
        for drags in frames:
            one = lab.run(DRAGGED, drags, DRAGGING)
            frames[drags] += one["frames"]
            work += one["work"] if drags else []
            assert drags is (one["moved"] > 0)
    still, moving = (len(found) / sum(found) for found in frames.values())
    yield Figure("frames of the page when nothing is dragged", "", f"{still:.1f} a second")
    yield Figure(
        f"a box of {STATES} that is dragged",
        f"≥ {FRAMES} a second",
        f"{moving:.1f} a second",
        met=moving >= FRAMES,
    )
    yield told("what the page does in each of these frames", Times(work))


def _states(count: int, further: int) -> str:
    """Most lead to the next, some further on, and some back."""
    lines = ["name: large", "initial_state: state_1", "states:"]
    for number in range(1, count + 1):
        lines += [
            f"  state_{number}:",
            f"    action: {{tool: shell, params: {{command: echo {number}}}}}",
        ]
        others = {number + 1: "true", number + further if number % 5 == 0 else number - 9: "false"}
        ways = {to: holds for to, holds in others.items() if 0 < to <= count}
        for to, holds in ways.items():
            lines += ["    transitions:"] if to == next(iter(ways)) else []
            lines += [f"      - {{condition: {{success: {holds}}}, next_state: state_{to}}}"]
    return "\n".join(lines) + "\n"


def _steps(count: int) -> str:
    """Side by side by four, each after one of those before."""
    lines = ["name: larger", "steps:"]
    for number in range(1, count + 1):
        needs = f", needs: [step_{number - 4}]" if number > 4 else ""
        lines.append(f"  - {{id: step_{number}, tool: shell, args: {{command: ls}}{needs}}}")
    return "\n".join(lines) + "\n"
