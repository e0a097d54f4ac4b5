"""The scenes, words for seconds, what definitions say -> the files beside this one, in `said/` and
`definitions/`, which the tests of Python and of TypeScript read.

Run `python -m tests.golden.write` after what front ends are told has changed on purpose.
"""

from __future__ import annotations

from pathlib import Path

from tests.golden.definitions import DEFINITIONS, definitions
from tests.golden.said import SAID, words
from tests.golden.scenes import SCENES, written
from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling

FOLDER = Path(__file__).parent


def main() -> None:
    use_spelling(MagicSpelling())  # a panel is beside a notebook
    for name, scene in SCENES.items():
        text = written(scene())
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}.json: {len(text):,} characters")
    SAID.write_text(words(), encoding="utf-8")
    print(f"{SAID.name}: {len(words()):,} characters")
    DEFINITIONS.write_text(definitions(), encoding="utf-8")
    print(f"{DEFINITIONS.name}: {len(definitions()):,} characters")


if __name__ == "__main__":
    main()
