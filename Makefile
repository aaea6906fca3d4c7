# Two commands: `make play` and `make test`. Both set up .venv first; python3, python3-venv, make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CATALOGUES := companion/say/locale companion/games/*/locale
SOURCES := pyproject.toml companion/say/locale/build.py \
	$(wildcard $(CATALOGUES:=/*/LC_MESSAGES/*.po))

.PHONY: play test bench rig sounds goldens clean

play: $(VENV)/play
	@$(BIN)/companion play

test: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

bench: $(VENV)/test
	$(BIN)/python -m tests.bench

# The box on a pretend Pi: tests/rig/README.md. Needs root, qemu and half an hour.
rig: $(VENV)/test
	$(BIN)/python -m tests.rig check

sounds: $(VENV)/test
	$(BIN)/python -m sounds.compose

# Draws the golden frames again, and fails, so that nobody does it by accident.
goldens: $(VENV)/test
	$(BIN)/pytest tests/draw --draw-goldens

$(VENV)/play: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[terminal]'
	@touch $@

$(VENV)/test: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/play

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache $(CATALOGUES:=/*/LC_MESSAGES/*.mo)
