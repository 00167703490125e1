# The developer's interface. `make run` and `make test` do all the set-up themselves.
PYTHON ?= python3
BIN := .venv/bin
EXTRAS := dev,sandbox
GAMES ?= struggle_of_empires attack imperial_struggle
SECONDS ?= 120
# What is compiled is kept even where the environment says otherwise: compiling is most of a short run.
export PYTHONDONTWRITEBYTECODE =
# Half a minute: the files that notice most for their time; of them, what is marked `slow` or `edge` is left out.
tests = $(wildcard $(patsubst %,tests/$(1)/test_%.py,$(2)))
QUICK = $(call tests,.,architecture fences outside platform_rules promises readme sentences wording) \
	$(call tests,engine,catalog components earlier_games kernel notation options orders record replay rule_search selfplay text) \
	$(call tests,bot,buttons config consent in_a_name letters lookups store takeback undo) \
	$(call tests,games/*,golden_* rules_by_number options refusals obstacles who_may_answer alliances attack battles build_and_move \
	movement production raids trade turns war_end words)

.PHONY: run test pytest quick lint types lock texts fuzz bench pictures browser venv clean

TRANSLATED := $(patsubst %,%/messages.mo,$(wildcard data/languages/*))

venv: .venv/ready $(TRANSLATED)

# pip brings uv, and uv the rest in a tenth of pip's time; where uv finds no index, pip does it. Both check the locked hashes.
install = $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) || $(BIN)/python -m pip install --quiet --no-compile $(1)

.venv/ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) can't make an environment: install its venv module" \
		"(on Debian and Ubuntu: apt install python3-venv)." >&2; exit 1; }
	@echo "Making the environment in .venv; this takes about half a minute, once."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --no-compile $$(sed -n 's/^ *"\(uv==[0-9.]*\)".*/\1/p' pyproject.toml)
	@$(call install,--require-hashes -r requirements.lock)
	@$(call install,-e ".[$(EXTRAS)]")
	@touch $@

# A language is compiled when one of its files has changed, never by the bot.
.SECONDEXPANSION:
$(TRANSLATED): %/messages.mo: $$(wildcard $$*/*.po) | .venv/ready
	@$(BIN)/python -m tools.texts compile

# The memory of a picture goes back to the system as soon as it is drawn (docs/operating.md).
run: export MALLOC_ARENA_MAX = 2
run: export MALLOC_MMAP_THRESHOLD_ = 131072
run: export MALLOC_TRIM_THRESHOLD_ = 131072
run: venv
	@$(BIN)/python -m bot

# The tests begin beside the type checker, which takes what they leave of both cores; either of them fails the whole. In a clean
# clone it keeps nothing for the next time, which is a tenth of its work; `make lint` does.
test: export CHECKED = $(if $(wildcard .mypy_cache),,--no-incremental)
test: venv
	$(BIN)/ruff check --quiet .
	@$(MAKE) --no-print-directory --jobs=2 types pytest

quick: venv
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not edge" $(QUICK)

lint: venv
	$(BIN)/ruff check --quiet .
	@$(MAKE) --no-print-directory types

types:
	nice $(BIN)/mypy --no-error-summary $(CHECKED)
	@$(BIN)/uv pip check --quiet --python $(BIN)/python

pytest:
	$(BIN)/python -m pytest -n auto --dist worksteal

lock: venv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		pyproject.toml --output-file requirements.lock

texts: venv
	@$(BIN)/python -m tools.texts

fuzz: venv
	@for game in $(GAMES); do $(BIN)/python -m bench fuzz $$game --seconds $(SECONDS) || exit 1; done

bench: venv
	$(BIN)/python -m bench engine

pictures: venv
	$(BIN)/python -m tools.gallery

# The sandbox's page in the Chromium of this machine; what it looks like, into build/browser/.
browser: EXTRAS := $(EXTRAS),browser
browser: venv
	@$(BIN)/python -c 'import playwright' 2>/dev/null || { $(call install,-e ".[$(EXTRAS)]"); }
	@$(BIN)/python -m tools.browser

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
