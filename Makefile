# corpusbot: `make demo` and `make test` are all that a newcomer needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DATA ?= ../shared/bench
SITE ?= elpais
READY := $(VENV)/.ready
PEERS_READY := $(VENV)/.peers-ready
PYWB_READY := $(VENV)/.pywb-ready
# Peers whose requirements contradict ours, or that may have to be built: each is left out where it cannot be had.
PEERS := readability-lxml newspaper4k rs-trafilatura
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help install programs test test-crash check demo crawl eval eval-extract eval-nodes eval-kinds eval-metadata eval-sites eval-ablation train bench bench-crawl bench-line bench-extract bench-duplicates bench-clusters bench-dedup bench-freshness bench-store bench-documents docs deploy scrapyd clean

help:  ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'

install: $(READY)  ## set up .venv with everything that is needed

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "corpusbot needs Python 3.11 or later; say which: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv is missing: trying Debian's package python3-venv"; apt-get update -qq && apt-get install -y -qq python3-venv; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) -e '.[dev]'
	@touch $@

$(PEERS_READY): $(READY)
	$(PIP_INSTALL) -e '.[eval]'
	@for peer in $(PEERS); do $(PIP_INSTALL) --no-deps $$peer 2>/dev/null || echo "$$peer cannot be installed here: it is left out"; done
	@touch $@

# pywb asks for modules that stand in the way of ours, so it has a place of its own; only tests ask for it.
$(PYWB_READY): $(READY)
	$(PYTHON) -m venv $(VENV)/pywb
	@$(VENV)/pywb/bin/python -m pip install --quiet --disable-pip-version-check 'pywb==2.10.0' || echo "pywb cannot be installed here: its test is left out"
	@touch $@

# Programs that tests start: a PostgreSQL on a socket in a temporary folder, a clock that is wrong.
programs:  ## programs for the tests, from Debian's packages; tests of what cannot be had are skipped
	@missing=; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v faketime >/dev/null || missing="$$missing faketime"; \
	test -z "$$missing" || { echo "Missing for some tests:$$missing; trying Debian's packages"; apt-get update -qq && apt-get install -y -qq $$missing; } || echo "They cannot be installed here: their tests are skipped"

test: $(READY) $(PYWB_READY) check programs  ## set up, check the code, pass all tests
	$(BIN)/python -m pytest

test-crash: $(READY)  ## kill crawls of the sample newspapers 200 times (KILLS=50: so often) and compare
	CORPUSBOT_KILLS=$(or $(KILLS),200) $(BIN)/python -m pytest tests/test_crash_sample.py

check: $(READY)  ## style, types and the house's one rule
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

demo: $(READY)  ## crawl the bundled sample newspapers and show the corpus
	$(BIN)/python -m tests.demo

crawl: $(READY)  ## crawl a newspaper: make crawl SITE=elpais
	$(BIN)/scrapy crawl $(SITE)

eval: eval-extract eval-kinds eval-metadata eval-sites  ## all quality measurements: make eval DATA=../shared/bench

eval-extract: $(PEERS_READY)  ## all extractors and their peers on real pages; report in data/eval (LIMIT=20: so many pages a set)
	$(BIN)/python -m bench.eval_extract --data $(DATA) $(if $(LIMIT),--limit $(LIMIT)) $(MORE)

eval-nodes: $(READY)  ## CNR and its kin node by node
	$(BIN)/python -m bench.nodes --data $(DATA)

eval-kinds: $(PEERS_READY)  ## what pages are: articles, lists, galleries, walls
	$(BIN)/python -m bench.eval_kinds --data $(DATA)

eval-metadata: $(PEERS_READY)  ## titles, authors and dates without rules, beside others' readers
	$(BIN)/python -m bench.eval_metadata --data $(DATA)

eval-sites: $(READY)  ## the site files on real pages of their newspapers
	$(BIN)/python -m bench.eval_sites --data $(DATA)

eval-ablation: $(PEERS_READY)  ## what each group of gist's features is worth: learns anew without it (an hour)
	$(BIN)/python -m bench.eval_extract --data $(DATA) --ablation $(if $(LIMIT),--limit $(LIMIT)) $(MORE)

train: $(PEERS_READY)  ## make the models of gist and of page kinds again, from DATA
	$(BIN)/python -m bench.train --data $(DATA)
	@test ! -f bench/train_kinds.py || $(BIN)/python -m bench.train_kinds --data $(DATA)

bench: bench-crawl bench-line bench-extract  ## all speed measurements

bench-extract: $(PEERS_READY)  ## documents a second, median and p99 ms, memory: ours beside their peers, in one run
	$(BIN)/python -m bench.extract --data $(DATA)

bench-duplicates: $(READY)  ## how well copies of articles are found, alone and among their pages' boilerplate
	$(BIN)/python -m bench.duplicates --data $(DATA)

bench-dedup: $(PEERS_READY)  ## duplicates: documents a second beside others', the whole stage, and as the index grows (SIZE=10000000)
	$(BIN)/python -m bench.dedup --data $(DATA) $(if $(SIZE),--size $(SIZE)) $(MORE)

bench-documents: $(READY)  ## keeping documents: to write, read again and export them (DOCUMENTS=1000000)
	$(BIN)/python -m bench.documents $(if $(DOCUMENTS),--documents $(DOCUMENTS))

bench-clusters: $(READY)  ## time and memory of comparing all documents with one another
	$(BIN)/python -m bench.clusters

bench-freshness: $(READY)  ## how old a corpus is by three ways to spend the same requests: a simulation
	$(BIN)/python -m bench.freshness

bench-store: $(READY)  ## raw pages: pages/s in and out, KB a page, cold and warm reads, beside warcio
	$(BIN)/python -m bench.store --data $(DATA)

bench-crawl: $(READY)  ## CPU time a page of the crawl, beside plain Scrapy and others, in one run
	$(BIN)/python -m bench.crawl

bench-line: $(READY)  ## the whole line at full speed: pages a second, busy cores, each stage's share, memory
	$(BIN)/python -m bench.line

docs: $(READY)  ## write the generated reference anew
	$(BIN)/corpusbot schema --write docs/reference
	{ echo '# Commands'; for command in '' $$($(BIN)/python -c 'from corpusbot.commands import COMMANDS; print(*(name.strip("_").replace("_", "-") for name in COMMANDS))'); do \
	  printf '\n## corpusbot %s\n\n```\n' "$$command"; COLUMNS=100 $(BIN)/corpusbot $$command --help; echo '```'; \
	done; } > docs/reference/commands.md

# Scrapyd's own folder: outside of the project, whose scrapy.cfg it would otherwise read as its configuration.
SCRAPYD ?= $(or $(XDG_STATE_HOME),$(HOME)/.local/state)/corpusbot/scrapyd
# `local` is the Scrapyd of `make scrapyd`; others are named in ~/.scrapy.cfg.
TARGET ?= local

scrapyd: $(READY)  ## start a Scrapyd on loopback with safe settings
	$(BIN)/python -m corpusbot.scrapyd --folder "$(SCRAPYD)"

# Scrapyd answers 200 to an egg that does not load, and scrapyd-deploy then ends with 0: look at the answer.
deploy: $(READY)  ## build the egg and give it to Scrapyd
	@test "$(TARGET)" != local -o -f "$(SCRAPYD)/scrapy.cfg" || { echo "No Scrapyd is set up in $(SCRAPYD): first, in another terminal, make scrapyd"; exit 1; }
	XDG_CONFIG_HOME="$(SCRAPYD)" $(BIN)/scrapyd-deploy $(TARGET) | awk '{ print } /"status": "ok"/ { ok = 1 } END { exit !ok }'
	@rm -rf build

clean:  ## remove what can be made again (never data/)
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
