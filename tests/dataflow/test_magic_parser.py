"""What IPython makes of magics, and the names in their texts."""

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from wfnb.dataflow.magic_parser import SHOWING, transform_magics
from wfnb.dataflow.observer import Observer
from wfnb.dataflow.source_effects import analyze
from wfnb.jupyter.verbs import VERBS

# cell -> reads, writes, opaque
CELLS = {
    "%time x = f(y)": ("f y", "x", ""),
    "%%time\nx = f(y)\nz = x": ("f y", "x z", ""),
    "%%time\n!ls {d}\n%matplotlib inline\nx = y": ("d y", "x", ""),
    "%timeit -n 10 -r3 x = f(y)": ("f y", "", ""),
    "%%timeit a = y\nb = a": ("y", "", ""),
    "%%capture out\nprint(x)": ("print x", "out", ""),
    "%%capture --no-stderr out\nx = 1": ("", "out x", ""),
    "%prun -l 5 x = f(y)": ("f y", "x", ""),
    "files = !ls {folder}/$name": ("folder name", "files", ""),
    "!echo $$ {{a}} {b + c} | awk '{print $1}'": ("b c", "", ""),
    "%cd {folder}": ("folder", "", ""),
    "%%bash --out text\necho $HOME {x}": ("", "text", ""),
    "%%writefile {path}\nx = y": ("path", "", ""),
    "%matplotlib inline\n%load_ext autoreload\n%pip install a\n%env A=1": ("", "", ""),
    "%run other.py": ("", "", "magic run"),
    "%%sql\nselect 1": ("", "", "magic sql"),
    "%step 3 Title": ("", "", ""),
    "%%html\n<b>{x}</b>": ("", "", ""),
    "frame?": ("frame", "", ""),
    "p = %pwd": ("", "p", ""),
    "%%time\nx = [": ("", "", "magic time"),
}


@pytest.mark.parametrize("cell", CELLS)
def test_a_magic_is_understood_or_named(cell):
    code = analyze(TransformerManager().transform_cell(cell))

    found = (code.reads, code.writes | code.may_write, code.opaque - {"magic"})
    reads, writes, opaque = CELLS[cell]
    assert found == (set(reads.split()), set(writes.split()), {opaque} - {""})


@pytest.mark.parametrize("cell", CELLS)
def test_magics_inside_a_text_are_transformed_as_ipython_does(cell):
    theirs = TransformerManager().transform_cell(cell + "\n")

    assert analyze(transform_magics(cell)).reads == analyze(theirs).reads


def test_a_shell_that_is_used_directly_is_named():
    assert analyze("get_ipython().user_ns['x'] = 1").reads == {"get_ipython"}
    assert analyze("get_ipython().run_cell('x = 1')").opaque == {"get_ipython"}
    assert analyze("get_ipython().run_line_magic(name, '')").opaque == {"magic ?"}


# cell -> whether it may have read and changed any object
OURS = {
    "%wfnb status": False,
    "%wfnb status --json\n%wfnb log": False,
    "%wfnb status\n%wfnb restore 1": True,
    "%wfnb": True,
    "%wfnb statuses": True,
    "%wfnb run-stale": True,
    "%%run_workflow probe\nsteps: []": True,
    "x = 1": False,
}


@pytest.mark.parametrize(("cell", "may_change"), OURS.items())
def test_our_magics_may_change_any_object_but_where_they_only_show(cell: str, may_change: bool):
    names: dict[str, object] = {}
    observer = Observer(names)
    made = observer.begin("parts = [1]")
    names["parts"] = [1]
    observer.end(made, 1, complete=True)

    segment = observer.begin(TransformerManager().transform_cell(cell))

    assert ("parts" in segment.perhaps) is may_change


def test_what_only_shows_is_a_verb():
    assert VERBS.keys() >= SHOWING
