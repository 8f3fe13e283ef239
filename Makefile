# What people run: `make demo` and `make test` set everything up by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SOURCES := $(shell find core bindings -name '*.cpp' -o -name '*.hpp')
CPP := $(shell find core bindings -name '*.cpp' -o -name '*.hpp')

.PHONY: demo test lint format bench golden asan wheel stubs clean

demo: $(INSTALLED)
	$(BIN)/deckatlas demo

test: $(INSTALLED)
	$(BIN)/pytest -q

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(CPP)

format: $(INSTALLED)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

bench: $(INSTALLED)
	$(BIN)/deckatlas bench

# The golden game of every agent; a commit that changes one says why.
golden: $(INSTALLED)
	$(BIN)/python tests/helpers/locm_agents.py

# The core under address and undefined-behaviour sanitizers: a million random games and the parsers' fuzz.
asan: $(INSTALLED)
	$(BIN)/cmake -S . -B build/asan -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_BUILD_TYPE=Debug \
	  -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g" -DDECKATLAS_MODULE=OFF -DDECKATLAS_TESTS=ON -DDECKATLAS_WERROR=ON \
	  -DDECKATLAS_SANITIZE=address,undefined
	$(BIN)/cmake --build build/asan
	$(BIN)/ctest --test-dir build/asan --output-on-failure

wheel: $(INSTALLED)
	rm -rf dist
	$(BIN)/python -m build --wheel --outdir dist

# The type stubs of the extension, kept in the repository; a test holds them to what the extension really has.
stubs: $(INSTALLED)
	$(BIN)/python -m nanobind.stubgen -q -r -m deckatlas._core -O src/deckatlas

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"

$(VENV)/.tools: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q --group dev
	touch $@

# An editable install: Python files are used where they stand, the core is rebuilt when its sources change.
$(INSTALLED): $(VENV)/.tools pyproject.toml CMakeLists.txt $(SOURCES)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install -q --no-build-isolation \
	  -Ccmake.define.DECKATLAS_WERROR=ON -e .
	touch $@

clean:
	rm -rf $(VENV) build dist
