"""how many times is enough for every test run -> that, or many more where there is time.

`TRIALS=all pytest …` tries all; `make chaos` does.
"""

import os


def times(enough: int, all: int) -> int:
    return all if os.environ.get("TRIALS") == "all" else enough
