"""Names in the library: which can be one, which are taken, what a rename keeps."""

import json
import os
from dataclasses import replace

import pytest

from wfnb.errors import BadValue, WorkflowExists, WorkflowUnknown

from .shelves import save, workflow


def test_an_unknown_name_is_refused_with_those_there_are(library):
    save(library, "a", "1")
    save(library, "b", "2")

    with pytest.raises(WorkflowUnknown) as refused:
        library.load("zzz")

    assert str(refused.value) == "Workflow 'zzz' not found. Available: a, b"


def test_the_names_that_are_near_an_unknown_one_come_first(library):
    for name in ("stage", "test", "deploy_all", "deploy"):
        save(library, name, name)

    with pytest.raises(WorkflowUnknown) as refused:
        library.load("depoly")

    assert str(refused.value) == (
        "Workflow 'depoly' not found. Did you mean 'deploy'? "
        "Available: deploy, stage, test, deploy_all"
    )
    many = WorkflowUnknown("x", tuple(f"w{n:02}" for n in range(30)))
    assert str(many).endswith("w10, w11, … (30 in all)")


def test_a_name_that_other_content_has_is_refused_and_replaced_when_told(library):
    save(library, "deploy", "1")

    with pytest.raises(WorkflowExists) as refused:
        save(library, "deploy", "2")
    assert str(refused.value) == (
        "Workflow 'deploy' exists, with other content. `--overwrite` replaces it; "
        "another name keeps both."
    )
    assert library.load("deploy")["steps"] == workflow("1")["steps"]

    assert save(library, "deploy", "2", overwrite=True) == "deploy"
    assert library.load("deploy")["steps"] == workflow("2")["steps"]
    (saved,) = library.list().workflows
    assert (saved.created, saved.changed, saved.success_count) == ("t00", "t03", 1)


def test_a_name_that_differs_in_capitals_only_is_refused_on_every_disk(library, folder):
    save(library, "Deploy", "1")
    save(library, "other", "2")

    for ask in (
        lambda: save(library, "deploy", "3"),
        lambda: save(library, "DEPLOY", "3", overwrite=True),
        lambda: library.rename("other", "deploy"),
    ):
        with pytest.raises(WorkflowExists, match=r"Workflow 'Deploy' exists, and '(?i:deploy)' "):
            ask()
    with pytest.raises(WorkflowUnknown):
        library.load("deploy")
    assert library.names() == ("Deploy", "other")


@pytest.mark.parametrize(
    ("name", "other"),
    [("Größe", "GRÖSSE"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("Проверка", "проверка"), ("ᏣᎳᎩ", "ꮳꮃꭹ")],
)
def test_capitals_of_every_script_are_taken_for_the_same(library, name, other):
    save(library, name, "1")

    with pytest.raises(WorkflowExists, match=f"'{name}' exists, and '{other}' "):
        save(library, other, "2", overwrite=True)
    assert library.load(name)["name"] == name


def test_a_file_whose_accents_stand_apart_is_named_with_its_normal_form(library, folder):
    save(library, "deploy", "1")
    (folder / "gro\u0308ße.json").write_bytes((folder / "deploy.json").read_bytes())

    (warning,) = library.list().warnings
    assert warning == (
        "gro\u0308ße.json is passed over: its name cannot be a workflow's, which needs its normal "
        "form (NFKC), which may look the same: 'größe'."
    )
    with pytest.raises(WorkflowExists):  # some disks would write into that file
        save(library, "größe", "2", overwrite=True)


def test_the_longest_name_leaves_room_for_what_is_put_after_it(library, folder):
    name = "库" * 64
    save(library, name, "1")
    save(library, name, "2", overwrite=True)
    (version,) = library.versions(name)
    for _ in range(12):
        (folder / f"{name}.json").write_text("no JSON")
        save(library, name, "3", overwrite=True)

    assert library.load(f"{name}@{version.hash}")["steps"] == workflow("1")["steps"]
    assert (folder / f"{name}.json.broken-12").exists()


BAD_NAMES = [
    "../x",
    "a/b",
    "",
    ".",
    "..",
    "a.b",
    "1a",
    "-a",
    "_a",
    "a b",
    "a\n",
    "a\x00",
    "a→",
    "ａ",
]


@pytest.mark.parametrize("name", [*BAD_NAMES, "a" * 65, "/etc/passwd", "index", "INDEX", "C:x"])
def test_what_cannot_be_a_name_is_refused_before_there_is_a_path(library, tmp_path, name):
    for ask in (
        library.load,
        library.count_success,
        library.delete,
        lambda name: save(library, name, "1"),
        lambda name: library.rename("deploy", name),
        lambda name: library.rename(name, "deploy"),
        lambda name: library.export(name, tmp_path / "x.json"),
    ):
        with pytest.raises(BadValue, match="workflow_name is"):
            ask(name)

    assert os.listdir(tmp_path) == []


def test_a_renamed_workflow_keeps_all_but_its_name(library, folder):
    save(library, "deploy", "1", description="Say one")
    library.count_success("deploy")
    (before,) = library.list().workflows

    library.rename("deploy", "ship")

    assert library.list().workflows == (replace(before, name="ship"),)
    assert library.load("ship") == {"name": "ship", **workflow("1", description="Say one")}
    assert json.loads((folder / "ship.json").read_text())["definition"]["name"] == "ship"
    assert not (folder / "deploy.json").exists()


def test_a_rename_may_change_capitals_and_overwrites_nothing(library):
    save(library, "deploy", "1")
    save(library, "test", "2")

    library.rename("deploy", "Deploy")
    for new in ("test", "Deploy"):
        with pytest.raises(WorkflowExists):
            library.rename("Deploy", new)

    assert library.names() == ("Deploy", "test")
    assert library.load("test")["steps"] == workflow("2")["steps"]
