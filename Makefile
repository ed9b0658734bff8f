# corpusbot: `make demo` and `make test` are all that a newcomer needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DATA ?= ../shared/bench
SITE ?= elpais
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help install test check demo crawl eval eval-sites eval-extract train bench bench-crawl bench-line docs deploy scrapyd clean

help:  ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

install: $(READY)  ## set up .venv with everything that is needed

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "corpusbot needs Python 3.11 or later; say which: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv is missing: trying Debian's package python3-venv"; apt-get update -qq && apt-get install -y -qq python3-venv; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

test: $(READY) check  ## set up, check the code, pass all tests
	$(BIN)/python -m pytest

check: $(READY)  ## style, types and the house's one rule
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

demo: $(READY)  ## crawl the bundled sample newspapers and show the corpus
	$(BIN)/python -m tests.demo

crawl: $(READY)  ## crawl a newspaper: make crawl SITE=elpais
	$(BIN)/scrapy crawl $(SITE)

eval: eval-sites  ## all quality measurements

eval-sites: $(READY)  ## the site files on real pages: make eval-sites DATA=../shared/bench
	$(BIN)/python -m bench.eval_sites --data $(DATA)

eval-extract: $(READY)  ## all extractors on real pages with gold text: make eval-extract DATA=../shared/bench
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train]'
	$(BIN)/python -m bench.eval_extract --data $(DATA)

train: $(READY)  ## make the model of the extractor gist again
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train]'
	$(BIN)/python -m bench.train --data $(DATA)

bench: bench-crawl bench-line  ## all speed measurements

bench-crawl: $(READY)  ## CPU time a page of the crawl, beside plain Scrapy and others, in one run
	$(BIN)/python -m bench.crawl

bench-line: $(READY)  ## the whole line at full speed: pages a second, busy cores, each stage's share, memory
	$(BIN)/python -m bench.line

docs: $(READY)  ## write the generated reference anew
	$(BIN)/corpusbot schema --write docs/reference
	{ echo '# Commands'; for command in '' explain try check import-webreader schema; do \
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
