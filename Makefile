# Two commands for people: `make run` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# Exactly the files that were pinned, and nothing that would be built by what is not.
PINNED := --require-hashes --only-binary :all:
PORT ?= 8050

.PHONY: run test lint types bench mutants pins clean

run: .venv/run.stamp
	@NHVIZ_BIND=$${NHVIZ_BIND:-127.0.0.1:$(PORT)} $(BIN)/nhviz serve

test: .venv/dev.stamp
	$(BIN)/python -m pytest

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings assets

types: .venv/dev.stamp
	$(BIN)/mypy

bench: .venv/dev.stamp
	$(BIN)/python -m benchmarks

mutants: .venv/dev.stamp
	$(BIN)/python -m tests.mutants

# Pins packages and images anew; CONTRIBUTING.md says when.
pins:
	requirements/renew

clean:
	rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; found = sys.version_info[:2]; sys.exit(not (3, 11) <= found < (3, 15) and \
	"nhviz needs Python 3.11 to 3.14, for which its packages have wheels, not %d.%d: name one as PYTHON=python3.14." % found)'
	$(PYTHON) -m venv .venv

# nhviz itself is installed as a link to this folder: .venv/bin/nhviz runs what is here now.
.venv/run.stamp: requirements.txt requirements/build.txt pyproject.toml | .venv/bin/python
	$(PIP) $(PINNED) -r requirements.txt -r requirements/build.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev.stamp: requirements-dev.txt pyproject.toml | .venv/bin/python
	$(PIP) $(PINNED) -r requirements-dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@ .venv/run.stamp
