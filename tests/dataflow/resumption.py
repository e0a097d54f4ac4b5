"""the cells of a notebook -> those that *Resume* runs, as a front end asks for them."""

import json
from collections.abc import Iterator, Mapping

from wfnb.jupyter.resume import ask


def cells_to_run(sources: Mapping[str, str]) -> Iterator[str]:
    """By their ids. Each is asked for when those before it have run; cells whose values did not all
    come back run before the one that needs them."""
    waiting: list[str] = []
    ask(json.dumps({"begin": True}))
    try:
        for id, source in sources.items():
            answer = ask(json.dumps({"ask": {"id": id, "source": source}}))
            if not answer["run"]:
                waiting.append(id)
                continue
            yield from (*(waiting if answer["back"] else ()), id)
            waiting = []
    finally:
        ask(json.dumps({"end": True}))
