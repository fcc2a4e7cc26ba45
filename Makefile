# Two commands for people: `make run` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8050

.PHONY: run test lint types bench clean

run: .venv/run.stamp
	@echo "nhviz compiles its inner loops on the first start (about a minute), then serves http://127.0.0.1:$(PORT)"
	NHVIZ_BIND=$${NHVIZ_BIND:-127.0.0.1:$(PORT)} $(BIN)/gunicorn

test: .venv/dev.stamp
	$(BIN)/python -m pytest

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev.stamp
	$(BIN)/mypy

bench: .venv/dev.stamp
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nhviz needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/dev.stamp: requirements.txt requirements-dev.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ .venv/run.stamp
