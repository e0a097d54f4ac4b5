import json
from dataclasses import replace

import pytest

from tests.core.story import answered, done
from tests.views.graphs import HOSTILE
from wfnb.render.message import Json, Message, Table
from wfnb.render.text import escape

TEXTS = pytest.mark.parametrize("text", HOSTILE)


@TEXTS
@pytest.mark.parametrize("form", ["text/plain", "text/html"])
def test_what_a_cell_shows_steers_no_terminal_and_no_page(text, form):
    answer = replace(answered(done()), error=text)
    for shown in (Message(text, None), Message(text, None, block=True), Json({text: text}), answer):
        said = shown._repr_mimebundle_().get(form, "")

        assert escape.printable(said) == said


@TEXTS
def test_a_table_is_shown_in_rows_of_one_line(text):
    table = Table(("", text), [("name", text)], None)

    assert len(repr(table).splitlines()) == 2
    assert escape.printable(repr(table)) == repr(table)


@TEXTS
def test_json_that_is_shown_is_the_data(text):
    answer = replace(answered(done()), error=text)

    assert json.loads(repr(Json({text: text}))) == {text: text}
    assert json.loads(answer.to_json()) == answer.to_dict()
