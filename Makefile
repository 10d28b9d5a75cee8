# Everything that a person or a machine does with this project. Each target sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
TRAINS := .venv/.trains
PAGE := src/canter/studio/page/index.html
MODULES := web/node_modules/.ready
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"

.PHONY: run page wheel test browser chromium fuzz soak bench gallery figures shots format clean
.DEFAULT_GOAL := run

$(READY): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,fbx]"
	@touch $@

# PyTorch and MuJoCo, only to train networks, to simulate, and to test that; running networks needs neither.
$(TRAINS): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[train,physics]"
	@touch $@

run: page ## drive a horse in the browser; ARGS="fox.glb" drives yours
	@$(BIN)/canter studio $(ARGS)

page: $(PAGE) ## the studio's page, out of web/

# Node comes from PyPI with the other tools, so that nothing but Python has to be there.
$(MODULES): web/package-lock.json | $(READY)
	@cd web && $(NODE) npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(MODULES) $(shell find web/src -type f) web/index.html web/package.json web/tsconfig.json web/vite.config.ts web/size.mjs
	@cd web && $(NODE) npm run --silent build
	@touch $@

wheel: page ## dist/canter-*.whl, the page in it
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w dist .

test: $(TRAINS) chromium ## everything CI checks, the page in a real browser included
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory $(MODULES) || echo "npm did not answer: without the page the browser tests are skipped"
	@test ! -e $(MODULES) || $(MAKE) --no-print-directory page
	@test ! -e $(MODULES) || (cd web && $(NODE) npm test --silent)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal --durations=10

browser: page chromium ## only the studio's page in a real browser
	@$(BIN)/python -m pytest tests/studio -m browser

# Debian's browser, where it is missing and may be installed; the tests that need it skip themselves otherwise.
chromium:
	@command -v chromium >/dev/null || { \
		if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
			echo "installing chromium for the tests of the page"; \
			export DEBIAN_FRONTEND=noninteractive; \
			timeout 60 apt-get update -qq >/dev/null 2>&1; \
			timeout 240 apt-get install -qq -y --no-install-recommends chromium >/dev/null 2>&1; \
		fi; \
		command -v chromium >/dev/null; \
	} || echo "no chromium here and none could be installed: the browser tests are skipped"

fuzz: $(READY) ## 10,000 broken files
	@CANTER_FUZZ=10000 $(BIN)/python -m pytest -n 2 tests/formats/test_fuzz.py tests/formats/test_fbx.py

soak: $(READY) ## crowds and single animals ordered about for as long as they should last
	@CANTER_SOAK=1 $(BIN)/python -m pytest -n 2 tests/cycles/test_soak.py

bench: $(TRAINS) ## timings, as ratios against a peer in the same run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/run.py

gallery: $(READY) ## docs/gallery.md and its pictures: every clip of every animal that canter ships
	@$(BIN)/python docs/drawing/gallery.py docs

figures: $(READY) ## the pictures that explain the pages on cycles and architecture, from the code as it is now
	@$(BIN)/python docs/drawing/figures.py docs
	@$(BIN)/python docs/drawing/neural.py docs
	@$(BIN)/python docs/drawing/mazes.py docs
	@$(BIN)/python docs/drawing/architecture.py docs

shots: page chromium ## the pictures of the page on the studio, taken by a browser
	@$(BIN)/python docs/drawing/shots.py docs

format: $(READY)
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

clean:
	rm -rf .venv build dist web/node_modules src/canter/studio/page *.egg-info src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
