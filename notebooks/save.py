"""the example notebooks -> the same files with the outputs they have today.

Wanted after a change of what steps show; `make docs` calls it. Read the difference before you
commit it.
"""

import os
import tempfile

import nbformat
from headless import NOTEBOOKS, executed


def main() -> None:
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as home:
            os.environ["WFNB_HOME"] = home
            nbformat.write(executed(path.name), path)
            print(f"run and saved  {path.relative_to(NOTEBOOKS.parent)}")


if __name__ == "__main__":
    main()
