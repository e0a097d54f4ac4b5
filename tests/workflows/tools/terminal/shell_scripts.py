"""Random scripts that are typed at a shell's prompt at once: what is awaited is what they print.

A script has here-documents and functions of up to 60 lines, and lines that are longer than the
screen is high. What it prints is often what was typed, line by line. The shell edits lines itself
and says so, or does not say so, or leaves it to the terminal, with an echo or without.
"""

import random
from dataclasses import dataclass

from wcwidth import wcswidth

from tests.workflows.tools.terminal.typist import Typist

LAST = "end of 42"
SHELLS = {
    "tells": "bash",
    "does not tell": "bash",
    "echo": "bash --norc --noprofile --noediting +H",
    "no echo": "bash --norc --noprofile --noediting +H",
}
WORDS = ["echo", "FAILED", "x" * 30, "|| exit 1", "日本", "né", "a", "#", "done", "> x", "$", "1"]


@dataclass
class Script:
    """Lines to type, and those that they print."""

    shell: str
    size: tuple[int, int]
    typed: list[str]
    printed: list[str]

    @property
    def text(self) -> str:
        return text_of("\n".join([*self.printed, LAST]))


def random_script(chances: random.Random, shell: str) -> Script:
    size = chances.choice([(30, 120), (30, 120), (24, 80), (10, 40), (3, 20), (4, 11), (2, 7)])
    typed, printed = [], []
    for _ in range(chances.choice([1, 1, 2, 3])):
        lines = [_line(chances, size, shell) for _ in range(chances.choice([1, 5, 20, 40, 60]))]
        match chances.choice(["silent", "printed", "function", "comments"]):
            case "silent":
                typed += ["cat >/dev/null <<'E'", *lines, "E"]
            case "printed":
                typed += ["cat <<'E'", *lines, "E"]
                printed += lines
            case "function":
                quoted = [f"echo '{line}'" for line in lines]
                typed += ["f() {", *quoted, "}", "f"]
                printed += lines
            case "comments":
                typed += [f": {line.translate(str.maketrans('', '', '|>$#'))}" for line in lines]
    typed.append("echo end of $((6*7))")
    if any(_is_misdrawn(line, size, shell) for line in typed) or len("\n".join(typed)) >= 9_999:
        return random_script(chances, shell)
    return Script(shell, size, typed, printed)


def _is_misdrawn(line: str, size: tuple[int, int], shell: str) -> bool:
    """Readline draws the end of a full row once more when it is entered; where the line is taller
    than the screen, it does so in another row."""
    (rows, columns), cells = size, wcswidth(line) + len("$ ")
    return cells % columns == 0 and (shell == "does not tell" or cells >= rows * columns)


def _line(chances: random.Random, size: tuple[int, int], shell: str) -> str:
    words = [f"typed {chances.randint(0, 99)}"]
    words += chances.choices(WORDS, k=chances.choice([0, 2, 5]))
    if chances.random() < 0.05:
        most = 300 if "echo" in shell else 1500
        words.append("long " * (min(size[0] * size[1] + 60, most) // 5))
    return " ".join(words).strip()


async def seen(typist: Typist, script: Script) -> str:
    """What a person sees of what came after the script was typed, as `text_of` has it."""
    (typist.context.folder / "inputrc").write_text("set enable-bracketed-paste off\n")
    rows, columns = script.size
    environment = {"PS1": "$ ", "PS2": "> "}
    if script.shell == "does not tell":
        environment["INPUTRC"] = "inputrc"
    await typist.open(SHELLS[script.shell], rows=rows, columns=columns, environment=environment)
    await typist.sees(r"\$ $")
    if script.shell == "no echo":
        await typist.types("stty -echo; echo of$((1))f\n")
        await typist.sees(r"(?m)^of1f\n\$ $")
    await typist.types("\n".join(script.typed) + "\n")
    said = await typist.awaits(rf"(?ms)\A.*^(?:[$>] *)*{LAST}$")
    await typist.call("exit_terminal", session_id=typist.session)
    return text_of(said["match_text"] or said["screen_content"])


def text_of(said: str) -> str:
    """What was said, without prompts, blanks and ends of lines: where a line is typed while another
    is printed, the end of its echo is seen."""
    return "".join(said.translate(str.maketrans("", "", "$>")).split())
