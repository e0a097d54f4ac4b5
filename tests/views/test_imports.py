import sys
from subprocess import run

import pytest

from wfnb import views
from wfnb.render import drawing

LOADED = "import sys, {}; print(*sorted(n for n in sys.modules if n.startswith('wfnb.')))"


def loaded(module: str) -> set[str]:
    command = [sys.executable, "-c", LOADED.format(module)]
    return set(run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("module", ["wfnb.views.graphs", "wfnb.views.export"])
def test_no_renderer_and_no_report_is_loaded_before_it_is_asked_for(module):
    found = loaded(module)

    assert {name for name in found if name.startswith("wfnb.render.drawing.")} == {
        "wfnb.render.drawing.graph"
    }
    assert "wfnb.views.report" not in found


@pytest.mark.parametrize("package", [views, drawing])
def test_what_is_loaded_when_asked_for_is_there_and_nothing_else(package):
    for name in package.__all__:
        assert getattr(package, name).__name__ == f"{package.__name__}.{name}"
    with pytest.raises(AttributeError, match="has no attribute 'other'"):
        _ = package.other
