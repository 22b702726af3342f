# What one does daily. `make` prints this list.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Test modules that are compiled once are read by seven processes, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := VENV=$(VENV) $(PYTHON) -m build_tools.install

# Tests of what is never compiled: once is enough; file by file, for they stop processes and watch clocks.
# They wait half of the time, so more of them run at once than there are cores.
NEVER_COMPILED := tests/arena tests/submission tests/tournaments tests/pages
# Those that take longest begin first, so that none runs alone at the end.
LONGEST := $(addprefix tests/,pages/test_in_browser.py pages/test_replay_page.py tournaments/test_program.py \
  submission/test_promise.py submission/test_outcome.py tournaments/test_stopping.py submission/test_void.py)
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) * 3)')
# What could differ where nothing is compiled: play, beside independent referees and records, and what Python
# code outside may do with objects. The rest runs once, compiled.
DIFFERS := tests/oracle tests/perft tests/compatibility tests/test_playthroughs.py tests/classics/test_recorded.py tests/classics/test_touching.py tests/bots \
  $(addprefix tests/surface/test_,$(addsuffix .py,bots_in_process carnival chance copies every_spec expansions help keys \
  positions random_action records steps strangers testing told_wrongly values))
MARKS := not long
RECURSE := $(MAKE) --no-print-directory# not spelt out in recipes, so that `make -n` runs none
INTERPRETED := $(DIFFERS)

.PHONY: help installed installed-for-tournaments test test-near style lint types unit test-all bench docs pictures site wheels tournament clean

help:
	@echo "make test        everything that must pass: ruff, mypy, pytest compiled, and interpreted where that differs"
	@echo "make test-near   the tests near what changed since main, on the sources as they are"
	@echo "make test-all    the same with what takes long: attacks at every level and as an ordinary user, killed clusters, all interpreted"
	@echo "make lint        ruff and mypy only"
	@echo "make unit        pytest only, on the sources as they are (interpreted)"
	@echo "make bench       speed, as carc bench prints it"
	@echo "make docs        the pages made by commands, and golden files: review the diff"
	@echo "make pictures    of these only the tile sheets and the positions of the pages of expansions"
	@echo "make site        the docs as pages, build/site: guide, rules, API from the docstrings"
	@echo "make wheels      the source distribution, a wheel made from it, and a first game with it where nothing else is"
	@echo "make tournament  a small rated round robin of the shipped bots"
	@echo "make league      all bots under every competitive spec, a board each, and one table of all (three quarters of an hour)"

# What is unchanged is not installed again; build_tools/install.py compares contents.
installed-for-tournaments:
	@$(INSTALL) tournament

installed:
	@$(INSTALL) dev

style: installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: installed
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini
	MYPYPATH=tests:tools $(BIN)/mypy --explicit-package-bases tools

lint: style types

unit: installed
	PYTHONPATH=$(CURDIR) $(BIN)/pytest -q

# What `make test` does besides: programs of the system first, a summary of all runs of pytest last.
test: export CARC_TESTED := $(CURDIR)/build/tested.jsonl
test:
	@$(PYTHON) tools/whole_test.py prepare & $(RECURSE) style; passed=$$?; wait; exit $$passed
	CARC_MODE=compiled $(BIN)/pytest -q -m "$(MARKS)" -n auto $(NEVER_COMPILED:%=--ignore=%)
	@# Types are checked while these tests wait. On a host that others use a clock runs out or a process stands still:
	@# what fails beside others once more, alone.
	nice -n 19 $(RECURSE) types > build/types.log 2>&1 & types=$$!; \
	CARC_MODE=compiled $(BIN)/pytest -q -m "$(MARKS)" -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
	  $(LONGEST) $(filter-out $(LONGEST),$(wildcard $(NEVER_COMPILED:%=%/test_*.py))) || \
	  CARC_MODE=compiled $(BIN)/pytest -q -m "$(MARKS)" --last-failed --last-failed-no-failures none $(NEVER_COMPILED); \
	tested=$$?; wait $$types; typed=$$?; cat build/types.log; exit $$((tested | typed))
	CARC_MODE=interpreted PYTHONPATH=$(CURDIR) $(BIN)/pytest -q -m "$(MARKS)" -n auto $(INTERPRETED)
	@$(PYTHON) tools/whole_test.py sum-up

test-near: installed
	@near=$$(PYTHONPATH=tests $(BIN)/python tools/tests_near.py); echo $$near; [ -z "$$near" ] || \
	  CARC_MODE=compiled $(BIN)/pytest -q -n auto $$near

test-all: MARKS :=
test-all: export CARC_ORACLE_GAMES := 4
test-all: INTERPRETED := $(NEVER_COMPILED:%=--ignore=%) --ignore=tests/learn
test-all: test

bench: installed
	$(BIN)/carc bench

docs: installed tournament
	PYTHONPATH=tests $(BIN)/python tools/make_docs.py
	PYTHONPATH=tests $(BIN)/python tools/make_perft.py
	PYTHONPATH=tests $(BIN)/python tools/make_pictures.py runs/shipped

pictures: installed
	PYTHONPATH=tests $(BIN)/python tools/make_pictures.py --drawn

site: installed
	PYTHONPATH=$(CURDIR) $(BIN)/sphinx-build -q -W -c docs/site docs build/site
	@echo "build/site/index.html"

wheels: installed
	$(BIN)/pip install -q build
	$(BIN)/python -m build --outdir build/dist
	$(PYTHON) -m venv --clear build/clean
	build/clean/bin/pip install -q build/dist/*.whl
	cd build && clean/bin/python ../tools/first_game.py

tournament: installed-for-tournaments
	@deals=6; out=runs/shipped; \
	if $(BIN)/python -I -c 'import sys, carc.base.cells as module; sys.exit(not module.__file__.endswith(".py"))'; then \
	  deals=1; out=runs/shipped-interpreted; echo "Interpreted, so 1 deal instead of 6."; \
	fi; \
	set -x; $(BIN)/carc tournament --rules base+ghosts --bots greedy,greedy-blind,random --tables 2,3 --deals $$deals --seed 1 --out $$out

LEAGUE := base base+ghosts base+ghosts+spellcircles $(foreach name,$(notdir $(patsubst %/__init__.py,%,$(wildcard carc/classics/*/__init__.py))),base+$(name))

league: installed
	for spec in $(LEAGUE); do $(BIN)/carc tournament --config tournaments/league.toml --rules $$spec --out runs/league/$$spec || exit; done
	$(BIN)/python tools/make_league.py runs/league

clean:
	rm -rf $(VENV) build *.egg-info
