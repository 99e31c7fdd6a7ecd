# Every target sets up what it needs. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SECONDS ?= 60
NODE := tests/node/node_modules/.package-lock.json
NPM := $(shell command -v npm 2>/dev/null)
SUITES := .suites/.downloaded
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
# LOCKED=1 installs just what requirements/ pins, hashes included; else the newest that pyproject.toml allows
LOCKED ?=
PIN := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(UPGRADE)
SBOM = dist/evalschema-$(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' src/evalschema/__init__.py).cdx.json

.DEFAULT_GOAL := help
.PHONY: help demo test check lowest gen format security fuzz bench docs build sbom lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 10

demo: $(VENV)/.runtime ## check the example workspaces, one healthy and one broken, and show what is found
	@$(BIN)/python docs/demo/run.py

test: $(VENV)/.test $(SUITES) $(if $(NPM),$(NODE)) ## run all tests, on all cores
	$(BIN)/python -m pytest -q -n auto --dist worksteal

check: $(VENV)/.check $(if $(NPM),$(NODE)) ## lint, types, schemas, and that nothing generated has drifted
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright --project pyproject.toml
	$(BIN)/python -m codegen --check
	$(BIN)/python -m tests.node.schemas

lowest: .venv-lowest/.installed ## test with the oldest releases of the dependencies that pyproject.toml allows
	.venv-lowest/bin/python -m pytest -q -p no:cacheprovider tests/test_examples.py tests/test_reading.py tests/test_engines.py tests/test_cli_check.py \
	  -k "test_examples or test_reading or exit_status or fills_many or test_engines and not without_end and not changes_nothing"

gen: $(VENV)/.test $(if $(NPM),$(NODE)) ## make everything that follows from schemas, rules and examples
	$(BIN)/python -m codegen

format: $(VENV)/.check ## format the Python code
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

security: $(VENV)/.check $(SUITES) $(if $(NPM),$(NODE)) ## keep every promise of SECURITY.md, in the full dose, and list the figures
	EVALSCHEMA_DOSE=full EVALSCHEMA_NO_SKIP=1 EVALSCHEMA_FIGURES=$(VENV)/figures.json $(BIN)/python -m pytest -q -m promise -n auto --dist worksteal
	$(BIN)/python -m tests.promises $(VENV)/figures.json

fuzz: $(VENV)/.check ## fuzz our own code, SECONDS (60) for each target
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

bench: $(VENV)/.test ## measure, beside other tools as well, and put the ratios into docs/explanation/speed.md
	$(BIN)/python -m bench --write

docs: $(VENV)/.docs ## build the documentation into docs/_build
	$(BIN)/sphinx-build --fail-on-warning --keep-going -q docs docs/_build

build: $(VENV)/.release sbom ## build sdist, wheel and SBOM into dist/, the same bytes from the same tree each time
	$(BIN)/python -m build -q --no-isolation

sbom: $(VENV)/.release ## list what the package depends on, as CycloneDX, into dist/
	$(BIN)/python -m codegen.sbom $(SBOM)

lock: | $(VENV)/bin/python ## pin what development needs, with hashes, in requirements/ (UPGRADE=--upgrade: anew)
	$(PIP) --group lock
	$(PIN) --group check pyproject.toml -o requirements/check.txt
	$(PIN) --constraints requirements/check.txt pyproject.toml -o requirements/runtime.txt
	$(PIN) --constraints requirements/check.txt --group docs pyproject.toml -o requirements/docs.txt
	$(PIN) --constraints requirements/check.txt --group generate --group ends pyproject.toml -o requirements/newest.txt
	$(PIN) --resolution lowest-direct pyproject.toml -o $(VENV)/lowest.txt
	$(PIN) --constraints $(VENV)/lowest.txt --group ends pyproject.toml -o requirements/lowest.txt

clean: ## remove everything that was made or installed here
	rm -rf $(VENV) .venv-lowest .suites dist docs/_build tests/node/node_modules .demo .bench

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "evalschema needs Python 3.11 or newer, this is %d.%d: make PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade 'pip>=25.1'

ifeq ($(LOCKED),)
$(VENV)/.runtime: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.test $(VENV)/.check $(VENV)/.release: $(VENV)/.%: pyproject.toml | $(VENV)/.runtime
	$(PIP) --group $*
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/.check
	$(PIP) --group docs
	@touch $@
else
$(VENV)/.runtime: requirements/check.txt | $(VENV)/bin/python
	$(PIP) --require-hashes -r $<
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test $(VENV)/.check $(VENV)/.release: $(VENV)/.runtime
	@touch $@

$(VENV)/.docs: requirements/docs.txt | $(VENV)/.check
	$(PIP) --require-hashes -r $<
	@touch $@
endif

.venv-lowest/.installed: requirements/lowest.txt
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	.venv-lowest/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# the source is data here: nothing of it is installed
$(SUITES): tests/hostile/requirements.txt | $(VENV)/.runtime
	$(BIN)/python -m pip download -q --disable-pip-version-check --no-deps --no-binary jsonschema --dest $(@D) -r $<
	@touch $@

$(NODE): tests/node/package-lock.json
	npm ci --silent --no-audit --no-fund --prefix tests/node
	@touch $@
