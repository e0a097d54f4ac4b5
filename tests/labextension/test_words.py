"""The words of each language: complete, filled as the English are, and read by JupyterLab."""

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from jupyterlab_server.translation_utils import get_installed_packages_locale

from tests.test_release import script
from wfnb.jupyter.panel.comms import UNLOADED
from wfnb.jupyter.panel.followed_session import nothing
from wfnb.jupyter.panel.publisher import _MANY
from wfnb.server.notebook_histories import NOTHING
from wfnb.views.step_words import came_to

ROOT = Path(__file__).parents[2]
catalogues = script("catalogues")
LANGUAGES = {catalogues.language(path): path for path in catalogues.translations()}
languages = pytest.mark.parametrize("language", LANGUAGES)


def texts(language: str) -> Iterator[Message]:
    yield from filter(lambda message: message.id, catalogues.read(LANGUAGES[language]))


def text(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else message.id


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else message.string


def places(said: str) -> list[str]:
    return sorted(re.findall(r"%\d", said))


def test_chinese_is_one_of_them():
    assert "zh_CN" in LANGUAGES


@languages
def test_a_language_has_the_texts_that_there_are_and_no_others(language: str):
    template = [message.id for message in catalogues.read(catalogues.TEMPLATE) if message.id]

    assert [message.id for message in texts(language)] == template


def test_chinese_lacks_nothing():
    assert [message.id for message in texts("zh_CN") if not all(forms(message))] == []


@languages
def test_a_translation_has_the_places_of_its_text(language: str):
    differ = [
        (said, form)
        for message in texts(language)
        for form in filter(None, forms(message))
        if places(form) != places(said := text(message)[-1])
    ]

    assert differ == []


def test_chinese_is_set_as_chinese_is():
    """A space beside Latin letters and numbers, none beside its own signs; no sign of English."""
    wrong = re.compile(
        r"[\u4e00-\u9fff][%A-Za-z0-9]|[\d%A-Za-z][\u4e00-\u9fff]|[\u4e00-\u9fff][,:;!?()]"
        r"| [\uff0c\uff1a\uff1b\u3002\uff08\uff09]|[\uff0c\uff1a\uff1b\u3002\uff08\uff09] "
    )

    assert [
        form for message in texts("zh_CN") for form in forms(message) if wrong.search(form)
    ] == []


@languages
def test_jupyterlab_reads_what_translators_wrote(language: str):
    path = LANGUAGES[language]

    made = catalogues.as_json(catalogues.read(path), language)

    assert path.with_suffix(".json").read_text("utf-8") == made, "make words"
    assert json.loads(made)[""]["language"] == language.replace("_", "-")


@languages
def test_the_server_of_jupyterlab_finds_the_language(language: str):
    found, _ = get_installed_packages_locale(language)

    assert found["wfnb"] == json.loads(LANGUAGES[language].with_suffix(".json").read_text("utf-8"))


def clauses(says: str) -> Iterator[str]:
    """As a catalogue has them: code and numbers are places, parts between ` · ` stand alone."""
    for part in says.split(" · "):
        numbers = count(1)
        yield re.sub(r"`[^`]*`|\d+(?:,\d{3})*", lambda _, at=numbers: f"%{next(at)}", part)


def heads() -> Iterator[str]:
    """The sentences of all golden sessions, at every moment."""
    for path in (ROOT / "tests" / "golden").glob("*.json"):
        golden = json.loads(path.read_text("utf-8"))
        for told in (golden["picture"], *golden["told"]):
            yield from filter(None, [told.get("head", {}).get("says")])


@pytest.mark.parametrize(
    "says",
    [
        NOTHING,
        UNLOADED,
        _MANY,
        nothing([]),
        nothing(["drift"]),
        came_to(True, False, ()),
        came_to(False, False, ["a finding"]),
        *sorted({*heads()}),
    ],
)
def test_what_the_kernel_says_most_is_in_the_catalogue(says: str):
    """Its names of stages are no code: clauses that have one stay English."""
    known = {message.id for message in catalogues.read(catalogues.TEMPLATE)}

    lacks = {clause for clause in clauses(says) if not re.search(" comes |stands at ", clause)}

    assert lacks <= known
