# The developer's interface. `make run` and `make test` do all the set-up themselves.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test quick lint fuzz bench pictures venv clean

venv: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade "pip>=25"
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev,sandbox]"
	@touch $@

run: venv
	@$(BIN)/python -m bot

test: lint
	$(BIN)/python -m pytest -n auto

quick: venv
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m pytest -n auto -m "not slow"

lint: venv
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary

fuzz: venv
	$(BIN)/python -m engine selfplay struggle_of_empires --edition first --seats 0 --games 200 --seed 0

bench: venv
	$(BIN)/python -m bench engine

pictures: venv
	$(BIN)/python -m renderer

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
