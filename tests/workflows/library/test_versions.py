"""What is edited where it was written replaces itself; what it was is kept, and found again."""

import json
from contextlib import nullcontext

import pytest

from wfnb.errors import BadValue, WorkflowExists, WorkflowUnknown
from wfnb.workflows.definition.reader import content_hash, parse
from wfnb.workflows.library.saved_workflow import is_library_name

from .shelves import no_room, save, workflow

HERE, ELSEWHERE = ("drift", "cell-1"), ("drift", "cell-2")


def written(library, says, origin=HERE, name="deploy", **more):
    definition = workflow(says, **more)
    return library.save(definition, name, content_hash(parse(definition)), 1, origin=origin)


def said(library, name="deploy"):
    return library.load(name)["steps"][0]["args"]["command"].removeprefix("echo ")


def versions(library, name="deploy"):
    return [said(library, f"{name}@{kept.hash}") for kept in library.versions(name)]


def test_an_edited_workflow_replaces_what_was_saved_from_the_same_place(library):
    for says in ("1", "2", "3"):
        assert written(library, says) == "deploy"

    assert (said(library), versions(library)) == ("3", ["1", "2"])
    (saved,) = library.list().workflows
    assert (saved.created, saved.success_count) == ("t00", 1)


def test_an_edit_that_is_taken_back_replaces_too(library):
    for says in ("1", "2", "1"):
        assert written(library, says) == "deploy"

    assert said(library) == "1"
    assert versions(library) == ["1", "2"]


def test_an_edit_that_another_workflow_says_already_replaces_all_the_same(library):
    written(library, "1")
    written(library, "2", ELSEWHERE, name="other")

    assert written(library, "2") == "deploy"

    assert said(library) == "2"


def test_other_words_replace_and_are_no_version(library):
    written(library, "1")

    assert written(library, "1", description="Say one") == "deploy"
    assert written(library, "1", description="Say one") is None

    assert library.list().workflows[0].description == "Say one"
    assert versions(library) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (HERE, ELSEWHERE),
        (HERE, ("other", "cell-1")),
        (HERE, ()),
        ((), HERE),
        ((), ()),
        (("drift",), ("other",)),
    ],
)
def test_a_name_that_was_taken_elsewhere_is_refused(library, first, second):
    written(library, "1", first)

    with pytest.raises(WorkflowExists):
        written(library, "2", second)

    assert (said(library), versions(library)) == ("1", [])


@pytest.mark.parametrize(
    ("first", "second"), [(("drift",), HERE), (HERE, ("drift",)), (("drift",), ("drift",))]
)
def test_where_the_cell_is_not_known_the_session_is_the_place(library, first, second):
    written(library, "1", first)

    assert written(library, "2", second) == "deploy"


def test_what_was_changed_by_hand_is_not_replaced(library, folder):
    written(library, "1")
    file = folder / "deploy.json"
    file.write_text(file.read_text().replace("echo 1", "echo by hand"))

    with pytest.raises(WorkflowExists):
        written(library, "2")

    assert said(library) == "by hand"


def test_a_place_is_known_after_the_index_is_lost(library, folder):
    written(library, "1")
    (folder / "index.json").unlink()

    assert written(library, "2") == "deploy"
    assert json.loads((folder / "deploy.json").read_text())["metadata"]["origin"] == [*HERE]


def test_a_success_leaves_the_place_as_it_is(library):
    written(library, "1")
    library.count_success("deploy")

    assert written(library, "2") == "deploy"


@pytest.mark.parametrize("ask", ["save", "import"])
def test_what_is_overwritten_is_kept_and_from_elsewhere_then(library, tmp_path, ask):
    written(library, "1")
    file = tmp_path / "deploy.json"
    file.write_text(json.dumps(workflow("2")))

    if ask == "save":
        save(library, "deploy", "2", overwrite=True)
    else:
        library.import_file(file, overwrite=True)

    assert versions(library) == ["1"]
    with pytest.raises(WorkflowExists):
        written(library, "3")


def test_a_version_is_called_by_the_first_digits_that_are_its_own(library):
    written(library, "1")
    written(library, "2")
    (kept,) = library.versions("deploy")

    assert said(library, f"deploy@{kept.hash[:4]}") == "1"
    assert library.load(f"deploy@{kept.hash}")["name"] == "deploy"
    for name in ("deploy@", "deploy@zz", f"deploy@{kept.hash}0"):
        with pytest.raises(WorkflowUnknown) as refused:
            library.load(name)
        assert f"deploy@{kept.hash}" in str(refused.value)
    for name in ("../deploy@0", "@0", "deploy@../x"):
        with pytest.raises((BadValue, WorkflowUnknown)):
            library.load(name)


def test_versions_go_with_the_name_and_end_with_it(library, folder):
    written(library, "1")
    written(library, "2")

    library.rename("deploy", "ship")
    assert (versions(library, "ship"), versions(library)) == (["1"], [])
    library.rename("ship", "Ship")
    assert versions(library, "Ship") == ["1"]
    library.delete("Ship")

    assert library.versions("Ship") == ()
    assert library.names() == ()


def test_a_version_that_does_not_read_is_passed_over(library, folder):
    for says in ("1", "2", "3"):
        written(library, says)
    (folder / "versions" / "deploy" / f"{library.versions('deploy')[0].hash}.json").write_text("{")

    assert versions(library) == ["2"]


def test_versions_keep_out_of_git(library, folder):
    written(library, "1")
    assert not (folder / "versions").exists()
    written(library, "2")

    assert (folder / "versions" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("deploy", True),
        ("deploy@0a", True),
        ("deploy@prod.yaml", False),
        ("deploy@", False),
        ("库存@0a", True),
    ],
)
def test_a_word_is_a_workflow_or_a_version_of_one(word, is_one):
    assert is_library_name(word) == is_one


@pytest.mark.parametrize("room", [nullcontext, no_room])
def test_what_is_put_back_is_no_version_of_itself_and_needs_no_room(library, room):
    for says in ("1", "2"):
        written(library, says)
    before = library.text("deploy")
    written(library, "3")

    with room():
        library.put_back("deploy", before, library.text("deploy"))

    assert (said(library), versions(library)) == ("2", ["1"])
