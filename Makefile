# demo and test set everything up by themselves; the other targets do the same for what they need.
PYTHON ?= python3
# What a target needs, and the checks of lint, are made on both cores.
MAKEFLAGS += --jobs=2
BIN := .venv/bin
INSTALL = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt
SCHEMA = @$(BIN)/check-jsonschema --quiet --builtin-schema vendor
PYTEST = $(BIN)/python -m pytest -q -n 2 --dist worksteal
# The kernels of the package, once for demo, tests, benchmarks and docs; only what is missing is compiled.
COMPILE = $(BIN)/python -m dendrometry._kernels.build
# Compiled loops check their indices, with a folder of their own for the code.
CHECKED = NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.venv/checked
# Modules are compiled once for all processes, also where Python is told not to keep what it compiles.
export PYTHONDONTWRITEBYTECODE =
# The tests of loops run once more without compilation.
LOOPS = tests/cluster tests/cut tests/quality tests/generate tests/io/formats/test_newick.py tests/io/formats/test_json.py tests/io/test_parents.py tests/levels \
  tests/measures/trees tests/measures/_shared/test_matching.py tests/plot/_layout \
  tests/text/test_duplicates.py tests/text/test_first_stories.py tests/tree_pair tests/trust/fuzz/test_files.py::test_newick tests/test_hierarchy.py tests/test_overlap.py

# What lint checks; each is a target of its own, and pre-commit calls the same targets.
CHECKS := ruff-check ruff-format mypy imports codespell workflows repo-review

.PHONY: demo test test-all test-slow test-gpu lint $(CHECKS) bench speed docs compiled wheel dev clean chromium java extensions
.DELETE_ON_ERROR:

demo: .venv/installed
	$(BIN)/dendrometry demo --force

test: .venv/installed-test chromium
	$(COMPILE)
	$(PYTEST) tests

# All tests with more examples, in loops that check their indices; then the tests of loops without compilation.
test-all: .venv/installed-test chromium
	$(COMPILE)
	$(CHECKED) $(PYTEST) --all --durations=25
	NUMBA_DISABLE_JIT=1 HYPOTHESIS_PROFILE=few $(PYTEST) --all -m "not slow and not compiled" --ignore=tests/cluster/gpu $(LOOPS)

test-slow: .venv/installed-slow chromium java extensions
	$(COMPILE)
	$(PYTEST) --all -m slow
	HYPOTHESIS_PROFILE=thorough $(PYTEST) --all

# Needs an NVIDIA GPU, and PyTorch, which is not installed here as it brings gigabytes: pip install 'dendrometry[gpu]'
test-gpu: .venv/installed-test
	$(PYTEST) -n 0 --all tests/cluster/gpu
	$(BIN)/python benchmarks/gpu.py check

lint: $(CHECKS)
$(CHECKS): .venv/installed-lint

ruff-check:
	$(BIN)/ruff check .

ruff-format:
	$(BIN)/ruff format --check .

mypy:
	$(BIN)/mypy

codespell:
	git ls-files -z | xargs -0 $(BIN)/codespell

imports:
	$(BIN)/lint-imports

# actionlint would also check expressions and shell lines, but its package on PyPI downloads a program when it is built.
workflows:
	$(SCHEMA).github-workflows .github/workflows/*.yml
	$(SCHEMA).dependabot .github/dependabot.yml
	$(SCHEMA).github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(SCHEMA).github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/feature.yml
	$(SCHEMA).citation-file-format CITATION.cff
	$(BIN)/zizmor --quiet --offline .github

repo-review:
	$(BIN)/repo-review --show err .

bench: .venv/installed-bench
	$(COMPILE)
	for file in $(filter-out benchmarks/gpu.py benchmarks/speed.py,$(wildcard benchmarks/*.py)); do $(BIN)/python $$file || exit 1; done

# The table of speed, and the pages that print it, for which nothing else should run.
speed: .venv/installed-bench
	$(COMPILE)
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python docs/_make/speed.py

docs: .venv/installed-docs
	$(COMPILE)
	$(BIN)/mkdocs build --strict

compiled: .venv/installed-test
	$(COMPILE)

# A wheel with the compiled kernels, for this version of Python and this kind of system.
wheel: compiled
	rm -rf dist
	$(BIN)/python -m hatchling build --target wheel

# Everything for development, and the checks before each commit.
dev: .venv/installed-dev
	$(BIN)/pre-commit install

# The reports are tested in a browser; where none can be had, those tests are skipped.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	  || echo "No chromium: tests of reports in a browser are skipped. Install it with: apt-get install chromium"

# Spark runs on Java; where none can be had, its tests are skipped.
java: | chromium
	@command -v java >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless >/dev/null; } \
	  || echo "No Java: tests of Spark are skipped. Install it with: apt-get install openjdk-17-jre-headless"

# DuckDB reads SQLite and Postgres by extensions from its own server; where that cannot be reached, they are not tested.
extensions: .venv/installed-slow
	@$(BIN)/python -c "import duckdb; duckdb.sql('INSTALL sqlite'); duckdb.sql('INSTALL postgres')" 2>/dev/null \
	  || echo "No extensions of DuckDB: tests of tables in SQLite and Postgres are skipped."

clean:
	rm -rf .venv site demo dist src/dendrometry/_kernels/compiled

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

.venv/installed: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) --editable ".[cli,plot,report]"
	touch $@

.venv/installed-%: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) --editable ".[all]" --group $*
	touch $@
