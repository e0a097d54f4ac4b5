"""The tree of errors: as it is drawn, and through a pipe between processes."""

import pickle
import re
from importlib import import_module
from inspect import get_annotations
from pkgutil import iter_modules

import pytest

from wfnb import errors

FACTS = {
    "bool": True,
    "int": 3,
    "float": 1.5,
    "tuple[object, ...]": ("a problem",),
    "tuple[tuple[str, str], ...]": (("deploy-1", "notebook"),),
    "str": "alt",
    "tuple[int, ...]": (1, 2),
    "tuple[str, ...]": ("main", "beta"),
}


def every(error):
    return [error, *(below for child in error.__subclasses__() for below in every(child))]


def example(error):
    """An error of this class with some facts."""
    return error(*(FACTS[kind] for kind in get_annotations(error).values()))


def classes(module):
    """The names of the errors of one file, in its order."""
    found = vars(import_module(module)).values()
    return [x.__name__ for x in found if isinstance(x, type) and x.__module__ == module]


@pytest.mark.parametrize("error", every(errors.WfnbError))
def test_an_error_is_the_same_after_a_way_through_a_pipe(error):
    first = example(error)

    second = pickle.loads(pickle.dumps(first))

    assert type(second) is error
    assert str(second) == str(first)
    assert vars(second) == vars(first)


@pytest.mark.parametrize("error", every(errors.WfnbError))
def test_an_error_is_said_in_one_line(error):
    assert str(example(error)).isprintable()


@pytest.mark.parametrize("error", every(errors.WfnbError))
def test_an_error_has_room_for_where_it_was_raised(error):
    cause = ValueError()

    with pytest.raises(error) as raised:
        raise example(error) from cause

    assert raised.value.__cause__ is cause


def test_the_tree_that_is_drawn_is_the_tree_there_is():
    drawn, path = {}, []
    for line in errors.__doc__.splitlines():
        found = re.match(r"^( {4}[│ ]*(?:[├└]── )?)(\w+)(?:  |$)", line)
        if found and ("──" in line or "WfnbError" in line):
            depth = len(found[1]) // 4 - 1
            path = [*path[:depth], found[2]]
            drawn[found[2]] = path[depth - 1] if depth else "Exception"

    there = {error.__name__: error.__base__.__name__ for error in every(errors.WfnbError)}

    assert drawn == there


def test_the_tree_is_in_the_order_of_the_files():
    drawn, file = {"base": ["WfnbError"]}, "base"
    for heading, name in re.findall(r"│ in (\w+)\.py\n|[├└]── (\w+)", errors.__doc__):
        file = heading or file
        drawn.setdefault(file, []).extend([name] if name else [])

    there = {
        path.name: classes(f"wfnb.errors.{path.name}") for path in iter_modules(errors.__path__)
    }

    assert drawn == {file: names for file, names in there.items() if names}


def test_every_error_is_a_name_of_the_package():
    named = vars(errors)

    assert [
        error for error in every(errors.WfnbError) if named.get(error.__name__) is not error
    ] == []


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ((), "none"),
        (("a",), "a"),
        ((1, 2), "1, 2"),
        (range(12), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        (range(40), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … (40 in all)"),
    ],
)
def test_a_listing_is_cut_after_twelve(names, says):
    assert errors.listing(names, "none") == says


@pytest.mark.parametrize(
    ("process", "says"),
    [
        ("vm:4026531836 29173 b6d411ec 3170718", "in process 29173 on vm."),
        ("lab 4711 5b1d92ae", "in process 4711 on lab."),
        ("another process", "in another process."),
    ],
)
def test_of_a_process_its_number_is_told_and_where_that_holds(process, says):
    assert says in str(errors.RunAlive(process))


def test_a_name_that_nothing_has_is_told_with_the_nearest_run_or_workflow():
    said = [
        str(errors.NothingCalled("deplyo", ("work-1",), ("deploy",))),
        str(errors.NothingCalled("x", (), ())),
    ]

    assert said == [
        "No run and no saved workflow is called 'deplyo'. Did you mean 'deploy'? "
        "Runs: work-1. Workflows: deploy.",
        "No run and no saved workflow is called 'x'. Runs: none yet. Workflows: none.",
    ]


def test_the_nearest_name_is_proposed_where_one_is_near():
    assert errors.nearest("rect", ("react", "rewoo")) == "Did you mean 'react'? "
    assert errors.nearest("xyz", ("react", "rewoo")) == ""
