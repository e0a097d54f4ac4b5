"""Each recipe is one definition that is read at a glance."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text("utf-8")
DEFINITIONS = re.findall(r"^```python\n%%(?:run_)?workflow (.*?)^```$", PAGE, re.M | re.S)


def test_the_page_has_as_many_recipes_as_it_says():
    assert PAGE.count("\n## ") == 12
    assert "\nTwelve things" in PAGE


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda text: text.split()[0])
def test_a_recipe_is_a_definition_of_25_lines_at_most(definition: str):
    assert len(definition.splitlines()) <= 25
