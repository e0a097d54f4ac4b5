"""`make demo` leaves a report behind, and says where."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.kernel
def test_the_demo_writes_its_report_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("WFNB_HOME", "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "notebooks"))
    main = runpy.run_path(str(ROOT / "notebooks" / "demo.py"))["main"]
    monkeypatch.setitem(main.__globals__, "DEMO", tmp_path / "demo")

    main()

    written = {file.name for file in (tmp_path / "demo").iterdir()}
    assert written >= {"01-steps.ipynb", "report.html", "report.md"}
    assert capsys.readouterr().out.splitlines()[-1] == "demo/report.html"
    assert "**Answer:**" in (tmp_path / "demo" / "report.md").read_text("utf-8")
