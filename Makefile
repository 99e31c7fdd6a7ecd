# Every target sets up what it needs. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SECONDS ?= 60
NODE := tests/node/node_modules/.package-lock.json
NPM := $(shell command -v npm 2>/dev/null)
SUITES := .suites/.downloaded

.DEFAULT_GOAL := help
.PHONY: help demo test check gen format security fuzz bench docs build clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 10

demo: $(VENV)/.runtime ## check the example workspaces, one healthy and one broken, and show what is found
	@$(BIN)/python docs/demo/run.py

test: $(VENV)/.test $(SUITES) $(if $(NPM),$(NODE)) ## run all tests
	$(BIN)/python -m pytest -q

check: $(VENV)/.check $(if $(NPM),$(NODE)) ## lint, types, schemas, and that nothing generated has drifted
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright --project pyproject.toml
	$(BIN)/python -m codegen --check
	$(BIN)/python -m tests.node.schemas

gen: $(VENV)/.test $(if $(NPM),$(NODE)) ## make everything that follows from schemas, rules and examples
	$(BIN)/python -m codegen

format: $(VENV)/.check ## format the Python code
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

security: $(VENV)/.check $(SUITES) $(if $(NPM),$(NODE)) ## keep every promise of SECURITY.md, in the full dose, and list the figures
	EVALSCHEMA_DOSE=full EVALSCHEMA_NO_SKIP=1 $(BIN)/python -m pytest -q -m promise

fuzz: $(VENV)/.check ## fuzz our own code, SECONDS (60) for each target
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

bench: $(VENV)/.test ## measure, beside other tools as well, and put the ratios into docs/explanation/speed.md
	$(BIN)/python -m bench --write

docs: $(VENV)/.docs ## build the documentation into docs/_build
	$(BIN)/sphinx-build --fail-on-warning --keep-going -q docs docs/_build

build: $(VENV)/.test ## build sdist and wheel into dist/
	$(BIN)/python -m build -q

clean: ## remove everything that was made or installed here
	rm -rf $(VENV) .suites dist docs/_build tests/node/node_modules .demo .bench

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "evalschema needs Python 3.11 or newer, this is %d.%d: make PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --upgrade 'pip>=25.1'

$(VENV)/.runtime: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.runtime
	$(BIN)/python -m pip install -q --disable-pip-version-check --group test
	@touch $@

$(VENV)/.check: pyproject.toml | $(VENV)/.test
	$(BIN)/python -m pip install -q --disable-pip-version-check --group check
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/.check
	$(BIN)/python -m pip install -q --disable-pip-version-check --group docs
	@touch $@

# the source is data here: nothing of it is installed
$(SUITES): tests/hostile/requirements.txt | $(VENV)/.runtime
	$(BIN)/python -m pip download -q --disable-pip-version-check --no-deps --no-binary jsonschema --dest $(@D) -r $<
	@touch $@

$(NODE): tests/node/package-lock.json
	npm ci --silent --no-audit --no-fund --prefix tests/node
	@touch $@
