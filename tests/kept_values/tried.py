"""kinds of value -> what was found of each: kept in one kernel, and restored in a fresh one."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from . import child
from .kinds import KINDS

HERE = [kind for kind in KINDS if not kind.needs or find_spec(kind.needs)]
"""Those whose library is installed."""
KEEP = """
    import json, pickle, sys
    from pathlib import Path
    from pydantic import TypeAdapter
    from wfnb.core.kept_values import KeptValues
    from wfnb.values import Keeper

    keeper = Keeper(Path(sys.argv[1]), Path(sys.argv[1]) / "own")
    said = {}
    for name, code in json.load(open(sys.argv[2])):
        before = set(globals())
        exec(code, globals())
        kept = keeper.keep({"value": value}, namespace=globals())
        said[name] = json.loads(TypeAdapter(KeptValues).dump_json(kept))
        for defined in set(globals()) - before - {"value"}:
            del globals()[defined]
        del value
    print(json.dumps(said))
    """
RESTORE = """
    import json, sys
    from pathlib import Path
    from pydantic import TypeAdapter
    from wfnb.core.kept_values import KeptValues
    from wfnb.values import Keeper

    keeper = Keeper(Path(sys.argv[1]), Path(sys.argv[1]) / "own")
    said = {}
    for name, check, kept in json.load(open(sys.argv[2])):
        space = {"__name__": "__main__", "__builtins__": __builtins__}
        restored = keeper.restore(TypeAdapter(KeptValues).validate_python(kept), namespace=space)
        space.update(restored.also | restored.values)
        restored.give_back()
        try:
            said[name] = [missing.why for missing in restored.missing] or bool(eval(check, space))
        except Exception as error:
            said[name] = repr(error)
    print(json.dumps(said))
    """


def tried(folder: Path) -> dict[str, object]:
    """By the name of its kind: why a value is not kept, or True where it came back as its check
    wants it, else what is wrong."""
    asked = folder / "asked.json"
    asked.write_text(json.dumps([(kind.name, kind.code) for kind in HERE]))
    kept = child.asked(KEEP, folder, asked)
    reasons = {name: one["values"][0]["why_not"] for name, one in kept.items()}
    back = [(kind.name, kind.check, kept[kind.name]) for kind in HERE if not reasons[kind.name]]
    asked.write_text(json.dumps(back))
    return {**reasons, **child.asked(RESTORE, folder, asked)}
