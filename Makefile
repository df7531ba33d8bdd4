# The commands of a contributor; `make` alone lists them.
#
# Two virtual environments: .venv has the sources as they are (editable, interpreted) and every tool; .venv-compiled has
# the wheel a user would install, its model compiled.

PYTHON ?= python3
BENCH ?=
PREFIX ?= /usr/local
WHEEL ?=
IN ?= .venv
FUZZ_SECONDS ?= 60
ADVISORIES ?=
BILL ?=
TESTS ?= tests/scenarios tests/clients tests/examples tests/sim tests/daemon tests/typing tests/fuzz tests/habits
PART_TESTS ?= tests/sim tests/daemon tests/typing tests/fuzz tests/habits tests/bench
COMPILED_TESTS ?= tests/compiled tests/scenarios/test_demo.py tests/scenarios/test_scenario_files.py tests/sim tests/typing
PROGRAM_TESTS ?= tests/packaging tests/scenarios tests/clients tests/examples
SOAK_MINUTES ?= 60
# Releases of Debian, and versions of which this machine has an interpreter: no release has 3.12.
SUITES ?= 3.12 trixie sid
COMPILED_THERE ?=
SAMPLE ?= 40
SEED ?= 1
ROOMS ?=
VENV := .venv
COMPILED := .venv-compiled
CYCLES := .venv-cycles
LABGRID := .venv-labgrid
FMI := .venv-fmi
XCP := .venv-xcp
MCP := .venv-mcp
OPENHTF := .venv-openhtf
JUMPSTARTER := .venv-jumpstarter
VSS := .venv-vss
LABGRID_VERSIONS := 'labgrid>=26,<27'
FMI_VERSIONS := 'fmpy>=0.3.32,<0.4'
XCP_VERSIONS := 'pyxcp>=0.29,<0.30' 'pya2ldb>=1.0.355,<2'
MCP_VERSIONS := 'mcp>=2.3,<3'
OPENHTF_VERSIONS := 'openhtf>=1.6,<2'
JUMPSTARTER_VERSIONS := 'jumpstarter-cli>=0.9,<0.10' 'jumpstarter-driver-composite>=0.9,<0.10'
# vss-tools 6.1 refuses the units of VSS 6.0
VSS_VERSIONS := 'kuksa-client>=0.6,<0.7' 'vss-tools>=6,<6.1'

# The tests of a file share what it starts, and files begin in the order in which they are named: long ones first.
BY_FILE := --dist loadfile --no-loadscope-reorder
# Programs in real time wait more than they work, and so do tests that start programs.
ONE_MORE_THAN_PROCESSORS := $$(($$(nproc) + 1))

# The pins belong to Python 3.11, CI's; any other version takes what the ranges of pyproject.toml allow.
ifeq ($(shell $(PYTHON) -c 'import sys; print(sys.version_info[:2] == (3, 11))' 2>/dev/null),True)
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
endif
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The tests start the program often; without byte code each start would compile all of its modules anew.
unexport PYTHONDONTWRITEBYTECODE

WHEEL_SOURCES := pyproject.toml hatch_build.py README.md LICENSE $(shell find daemon sim config dbc systemd -type f -not -name '*.pyc' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help check coverage hooks run install uninstall deb test test-all test-parts test-program test-compiled test-cycles test-labgrid test-fmi test-xcp test-mcp test-openhtf test-jumpstarter test-vss test-odx wheel wheels test-wheel test-versions test-dependencies test-arm fuzz docs lint licences audit sbom format browser pictures web test-web lab lab-can lab-systemd benchmark floods soak mutation release constraints clean

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

run: $(VENV)/.run ## start a bench: the packaged demo, or BENCH=file.yaml
	@exec $(VENV)/bin/hilbridge run $(BENCH)

install: ## as root: program and service below PREFIX=/usr/local; WHEEL=file takes one that is built (systemd/README.md)
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' PYTHON='$(PYTHON)' systemd/install $(WHEEL)

uninstall: ## remove what install has made; configuration and stored state stay
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' systemd/install --remove

deb: build/deb/.built ## a Debian package in build/deb, with a virtual environment of its own; WHEEL=file takes one that is built
	@echo build/deb/*.deb

check: lint ## before a commit: lint, and the tests of what has changed
	@$(VENV)/bin/python -m pytest -q -n auto $$($(VENV)/bin/python -m tests.changed)

hooks: ## let git run `make lint` before a commit, and check the message
	@git config core.hooksPath .githooks

# Tests are left out by their marks (pyproject.toml): what .ci/nightly alone runs, and what starts programs or drives cars,
# but for one start of the program for each way out of its process.
test: export HILBRIDGE_TESTS := merge
test: export HYPOTHESIS_PROFILE := ci
test: $(VENV)/.dev ## a contributor's and a newcomer's tests: the modules, and a start of the program for each way out
	@$(VENV)/bin/python -m tests.again -q -n auto $(BY_FILE) -m 'not long' $(TESTS)

test-all: test-parts test-program ## every test that needs no special kernel, on the interpreted model

test-parts: $(VENV)/.dev ## of these, the modules by themselves, on all processors
	@$(VENV)/bin/python -m tests.again -q -n auto $(PART_TESTS) --ignore tests/bench/test_ratios.py

test-program: $(VENV)/.dev ## of these, the whole program, also with real clients
	@tests/clients/install-packages
	@$(VENV)/bin/python -m tests.again -q -n $(ONE_MORE_THAN_PROCESSORS) $(BY_FILE) $(PROGRAM_TESTS)

# The tracer makes tests three to four times slower, and does not see lines that are compiled: the daemon's source files
# drive the compiled model, the model is measured by itself without whole cars, and few examples of each property must do.
coverage: export HYPOTHESIS_PROFILE := few
coverage: $(COMPILED)/.installed ## lines that the tests of the modules reach in their own process, and the floor of pyproject.toml
	@PYTHONPATH='$(CURDIR)/daemon' COVERAGE_FILE=build/coverage.daemon $(COMPILED)/bin/python -m pytest -q -n auto --cov=hilbridge --cov-report= --cov-fail-under=0 tests/daemon tests/typing
	@COVERAGE_FILE=build/coverage.sim $(VENV)/bin/python -m pytest -q -n auto --cov=vehiclesim --cov-report= --cov-fail-under=0 -m 'not long' tests/sim
	@$(VENV)/bin/coverage combine --quiet build/coverage.daemon build/coverage.sim
	@$(VENV)/bin/coverage report --skip-covered

test-compiled: $(COMPILED)/.installed ## the model's tests on the compiled wheel, and compiled against interpreted
	@$(COMPILED)/bin/python -m tests.again -q -n $(ONE_MORE_THAN_PROCESSORS) $(BY_FILE) $(COMPILED_TESTS)

test-cycles: $(CYCLES)/.installed ## every shipped vehicle on the published cycles, tables from the extra `cycles`
	@$(CYCLES)/bin/python -m pytest -q tests/cycles

test-labgrid: $(LABGRID)/.installed ## a bench as a resource of labgrid, with its coordinator, exporter and client (Debian: openssh-client)
	@$(LABGRID)/bin/python -m tests.again -q tests/labgrid

test-fmi: $(FMI)/.installed ## vehicles as units of FMI, judged by FMPy and by an importer in C without Python, and FMUs in a bench
	@$(FMI)/bin/python -m tests.again -q tests/fmi

test-xcp: $(XCP)/.installed ## a bench measured and calibrated by pyxcp, its A2L file read by pya2ldb
	@$(XCP)/bin/python -m tests.again -q tests/xcp

test-mcp: $(MCP)/.installed ## a running bench for an assistant, by the official client of the Model Context Protocol
	@$(MCP)/bin/python -m tests.again -q tests/mcp

test-openhtf: $(OPENHTF)/.installed ## a bench in OpenHTF: the guide's test, and one on a bench that runs
	@$(OPENHTF)/bin/python -m tests.again -q tests/openhtf

test-jumpstarter: $(JUMPSTARTER)/.installed ## a bench in Jumpstarter: the guide's lease, a bench that runs, an exporter that listens
	@$(JUMPSTARTER)/bin/python -m tests.again -q tests/jumpstarter

test-vss: $(VSS)/.installed ## the table of VSS by vss-tools, and its provider by the client of Eclipse KUKSA, at a stub of a databroker
	@$(VSS)/bin/python -m tests.again -q tests/vss

test-odx: build/odxtools/examples/somersault.pdx $(VENV)/.dev ## the example of odxtools' source archive as a control unit, and written as PDX again
	@$(VENV)/bin/python -m tests.corpora odx build/odxtools

wheel: build/wheel/.built ## the wheel, its model compiled, in build/wheel

wheels: ## a compiled wheel for CPython 3.11 on x86-64, in build/wheels (Docker or Podman; ARCHS=aarch64: untried)
	@$(PYTHON) -m venv build/cibuildwheel
	@env -u PIP_CONSTRAINT build/cibuildwheel/bin/python -m pip install -qq 'cibuildwheel>=3.2,<5'
	@env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT build/cibuildwheel/bin/cibuildwheel --platform linux $(if $(ARCHS),--archs $(ARCHS)) --output-dir build/wheels

test-wheel: build/wheel/.built build/pure/.built ## the wheels, compiled and pure, in an environment of their own, run from another folder; and by pipx and uv as README.md says it
	@tests/packaging/test-wheels build/wheel/*.whl build/pure/*.whl
	@env -u PIP_CONSTRAINT tests/packaging/test-install build/pure/*.whl

test-versions: build/pure/.built ## as root: the pure wheel on Python 3.12 of this machine, 3.13 and 3.14 of Debian (SUITES="3.12 trixie sid"); COMPILED_THERE=1: compiled too, and all tests of the daemon
	@tests/packaging/test-versions $(if $(COMPILED_THERE),--compiled) build/pure/*.whl $(SUITES)

test-dependencies: build/wheel/.built build/uv/bin/uv ## the wheel with the lowest and with the newest dependencies that pyproject.toml allows
	@env -u PIP_CONSTRAINT tests/packaging/test-dependencies build/uv/bin/uv build/wheel/*.whl

test-arm: build/uv/bin/uv ## has all that the package needs wheels for ARM, 64 and 32 bit? resolved for Debian 12 and 13, not installed
	@env -u PIP_CONSTRAINT tests/packaging/test-arm build/uv/bin/uv

docs: $(VENV)/.dev ## the documentation site in build/docs; warnings are errors, and so are links and anchors that lead nowhere, and words that the search must find
	@$(VENV)/bin/sphinx-build --quiet --fail-on-warning --keep-going --doctree-dir build/docs-cache --conf-dir docs . build/docs
	@$(VENV)/bin/python -m tests.search_words build/docs
	@grep -rhoE 'href="https?://[^"#]+' --include='*.html' build/docs | cut -c 7- | sort -u >build/docs-external-links.txt
	@echo "build/docs/index.html; links to the outside are not tried: build/docs-external-links.txt"

fuzz: $(VENV)/.fuzz ## what comes in from outside, by coverage; FUZZ_SECONDS=60 for each target
	@$(VENV)/bin/python tests/fuzz/fuzz.py --seconds $(FUZZ_SECONDS)

sbom: $(VENV)/.dev ## a bill of materials of .venv (CycloneDX) in build/sbom.cdx.json; wheels and packages have their own
	@mkdir -p build
	@$(VENV)/bin/python systemd/sbom.py >build/sbom.cdx.json
	@echo build/sbom.cdx.json

licences: $(VENV)/.dev ## are the licences of all that is installed ones that go with ours? part of `make lint`
	@$(VENV)/bin/python -m tests.packaging.licences

audit: $(VENV)/.dev ## what is installed against ADVISORIES=FILE, in the format of OSV, without a network; BILL=FILE: what that lists
	@test -n '$(ADVISORIES)' || { echo "make audit ADVISORIES=FILE: one JSON file or a zip of them, as tests/packaging/audit.py says" >&2; exit 2; }
	@$(VENV)/bin/python -m tests.packaging.audit '$(ADVISORIES)' $(BILL)

lint: licences ## ruff, mypy, the rooms of the house, words, and licences
	@$(VENV)/bin/python -m tests.rooms
	@$(VENV)/bin/python -m tests.doors
	@$(VENV)/bin/python -m tests.words
	@$(VENV)/bin/ruff check --quiet .
	@$(VENV)/bin/ruff format --check --quiet . || { echo "these files are not formatted; 'make format' does it:" >&2; $(VENV)/bin/ruff format --check . >&2; exit 1; }
	@$(VENV)/bin/mypy

format: $(VENV)/.dev ## format the sources, and mend what ruff can mend
	@$(VENV)/bin/ruff check --fix --quiet . || true
	@$(VENV)/bin/ruff format --quiet .

browser: $(VENV)/.dev ## the cockpit and the workshop in a real browser (Debian: chromium, npm); IN=.venv-compiled: of the wheel there
	@tests/browser/install-packages
	@$(IN)/bin/python -m tests.again -q tests/browser

web: $(VENV)/.dev ## a folder for any web server, build/web: the cockpit with a bench in the page itself (Debian: nodejs, npm)
	@tests/web/install-packages
	@$(VENV)/bin/python web/build.py build/web

test-web: web ## that page in a real browser, and its frames beside the daemon's (Debian: chromium)
	@tests/browser/install-packages
	@$(VENV)/bin/python -m tests.again -q tests/web

pictures: $(VENV)/.dev ## those of README.md and docs/model.md anew, from the running program (Debian: chromium, npm)
	@tests/browser/install-packages
	@$(VENV)/bin/python -m tests.browser.pictures
	@$(VENV)/bin/python -m tests.sim.model_pictures

lab: lab-can lab-systemd ## the tests that need kernels of their own

lab-can: $(VENV)/.dev ## of these, SocketCAN in a user-mode kernel, and CAN controllers in an emulated machine; 2 minutes
	@tests/lab/install-packages
	@tests/lab/socketcan-lab $(VENV)/bin/python -m tests.again -q -p no:cacheprovider tests/lab --ignore tests/lab/controllers --ignore tests/lab/systemd
	@tests/lab/controller-lab $(VENV)/bin/python -m tests.again -q -p no:cacheprovider tests/lab/controllers

lab-systemd: $(VENV)/.dev ## of these, the Debian package and `make install` under a real systemd
	@tests/lab/install-packages mmdebstrap lintian systemd
	@systemd/debian/install-packages
	@$(MAKE) --no-print-directory --jobs=2 build/deb/.built build/systemd-lab/disk
	@systemd-analyze security --no-pager --offline=true systemd/hilbridge.service | tail -n 1
	@$(VENV)/bin/python -m tests.again -q -n 2 --dist loadscope --timeout=1200 -p no:cacheprovider tests/lab/systemd

floods: $(COMPILED)/.installed ## missed ticks under every flood of every door, beside cyclictest; six minutes (Debian: rt-tests)
	@tests/bench/install-packages
	@$(COMPILED)/bin/python -m tests.bench.floods

benchmark: $(COMPILED)/.installed ## speed and lateness on this machine, and the ratios that must hold (Debian: rt-tests)
	@tests/bench/install-packages
	@$(COMPILED)/bin/hilbridge benchmark
	@$(COMPILED)/bin/python -m tests.bench
	@$(COMPILED)/bin/python -m pytest -q tests/bench/test_ratios.py

soak: $(COMPILED)/.installed ## what months ask for, in an hour; SOAK_MINUTES=2 is a short version (Debian: rt-tests)
	@tests/bench/install-packages
	@$(COMPILED)/bin/python -m tests.soak --minutes $(SOAK_MINUTES) --report build/soak.json

mutation: $(VENV)/.dev ## do the tests notice when the code is wrong? SAMPLE=40 mutants of each room, SEED=1, ROOMS="codec uds" for some
	@$(VENV)/bin/python -m tests.mutation $(ROOMS) --sample $(SAMPLE) --seed $(SEED) --jobs $$(nproc)

release: $(VENV)/.dev ## the pure wheel, the source archive and their sums in build/release, from a clean commit (docs/releasing.md)
	@test -z "$$(git status --porcelain)" || { echo "make release: the work tree has changes" >&2; git status --short >&2; exit 1; }
	@rm -rf build/release
	@env -u SOURCE_DATE_EPOCH HILBRIDGE_PURE=1 $(VENV)/bin/hatchling build --target sdist --target wheel --directory build/release >/dev/null
	@cd build/release && sha256sum -- *.whl *.tar.gz | tee SHA256SUMS

constraints: ## write constraints.txt anew: the versions that the ranges of pyproject.toml allow today
	@rm -rf build/pins && $(PYTHON) -m venv build/pins
	@env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT HILBRIDGE_PURE=1 build/pins/bin/python -m pip install -qq --editable '.[dev]' $(LABGRID_VERSIONS) $(FMI_VERSIONS)
	@{ echo "# What continuous integration installs, on Python 3.11. Written by: make constraints"; \
	   build/pins/bin/python -m pip freeze --all --exclude-editable --exclude pip; } >constraints.txt

clean: ## remove everything that make has made
	rm -rf $(VENV) $(COMPILED) $(CYCLES) $(LABGRID) $(FMI) $(XCP) $(MCP) $(OPENHTF) $(JUMPSTARTER) $(VSS) build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# -- virtual environments ----------------------------------------------------------------------------------------

$(VENV)/bin/python $(COMPILED)/bin/python $(CYCLES)/bin/python $(LABGRID)/bin/python $(FMI)/bin/python $(XCP)/bin/python $(MCP)/bin/python $(OPENHTF)/bin/python $(JUMPSTARTER)/bin/python $(VSS)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' || { echo "hilbridge needs Python 3.11 to 3.14; choose one with: make PYTHON=python3.13 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(@:/bin/python=)

# Editable installs are never compiled: HILBRIDGE_PURE keeps mypy out of their build.
$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	@mkdir -p build
	@echo "installing hilbridge into $(VENV): a minute or two, once; what pip says is in build/install.log"
	@HILBRIDGE_PURE=1 $(VENV)/bin/python -m pip install --editable '.[cockpit]' >build/install.log 2>&1 || { tail -n 20 build/install.log >&2; exit 1; }
	@touch $@

# Byte code is written when a module is first imported, which most of these never are.
$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "installing hilbridge and the tools into $(VENV)"
	@HILBRIDGE_PURE=1 $(VENV)/bin/python -m pip install -qq --no-compile --editable '.[dev]'
	@touch $(VENV)/.run $@

$(VENV)/.fuzz: $(VENV)/.dev
	@HILBRIDGE_PURE=1 $(VENV)/bin/python -m pip install -qq --no-compile --editable '.[dev,fuzz]'
	@touch $@

# With tools of its own, so that the compiler can begin while pip still fills .venv.
build/wheel-tools/bin/hatchling: constraints.txt
	@$(PYTHON) -m venv build/wheel-tools
	@build/wheel-tools/bin/python -m pip install -qq hatchling

# By way of the source distribution, so that this too is known to build.
build/wheel/.built: $(WHEEL_SOURCES) | build/wheel-tools/bin/hatchling
	@echo "building the wheel"
	@rm -rf build/sdist build/wheel
	@build/wheel-tools/bin/hatchling build --target sdist --directory build/sdist >/dev/null
	@build/wheel-tools/bin/python -m pip wheel -qq --no-deps --wheel-dir build/wheel build/sdist/*.tar.gz
	@cd build/wheel && echo *.whl
	@touch $@

# Without a compiler, and so pure, by the way of whoever has none.
build/pure/.built: $(WHEEL_SOURCES) | build/wheel-tools/bin/hatchling
	@echo "building the pure wheel"
	@rm -rf build/pure && mkdir -p build/pure
	@CC=no-such-compiler build/wheel-tools/bin/python -m pip wheel --verbose --no-deps --wheel-dir build/pure . >build/pure/log 2>&1 || { cat build/pure/log; exit 1; }
	@grep 'model and tick are not compiled' build/pure/log
	@touch $@

# The last source archive with the example, which no wheel has; pip is the only one who knows where it is.
build/odxtools/examples/somersault.pdx:
	@$(PYTHON) -m venv build/odxtools/venv
	@env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT build/odxtools/venv/bin/python -m pip download -qq --no-deps --no-binary :all: --dest build/odxtools odxtools==5.0.4
	@tar --extract --file build/odxtools/odxtools-5.0.4.tar.gz --directory build/odxtools --strip-components=1 --touch odxtools-5.0.4/examples/somersault.pdx

build/uv/bin/uv:
	@$(PYTHON) -m venv build/uv
	@env -u PIP_CONSTRAINT build/uv/bin/python -m pip install -qq 'uv>=0.9,<1'

build/deb/.built: $(WHEEL_SOURCES) constraints.txt
	@echo "building the package"
	@systemd/debian/build-package $(WHEEL)
	@touch $@

build/systemd-lab/disk: tests/lab/systemd-disk tests/lab/systemd/shell tests/lab/systemd/lab-shell.service $(wildcard systemd/networkd/*vcan0*)
	@tests/lab/systemd-disk $@

# Everything but hilbridge is that of .venv. A .pth file in there, as that of the editable hilbridge, does not count.
SITE := import sysconfig; print(sysconfig.get_path("purelib"))
define beside_venv # an environment, what is installed into it, and how pip is called for what others have made
	@echo "installing the compiled wheel$(if $2, and $2) into $1"
	@$1/bin/python -m pip install -qq --no-deps --force-reinstall build/wheel/*.whl
	@$(VENV)/bin/python -c '$(SITE)' >"$$($1/bin/python -c '$(SITE)')/packages-of-venv.pth"
	$(if $3,@$4 $1/bin/python -m pip install -qq $3)
	@touch $@
endef
WITHOUT_PINS := env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT

$(COMPILED)/.installed: build/wheel/.built $(VENV)/.dev | $(COMPILED)/bin/python
	$(call beside_venv,$(COMPILED))

# Without the pins: fastsim, which carries the tables, wants an older numpy.
$(CYCLES)/.installed: build/wheel/.built | $(CYCLES)/bin/python
	@echo "installing the compiled wheel and the cycles into $(CYCLES)"
	@env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT $(CYCLES)/bin/python -m pip install -qq "$$(echo build/wheel/*.whl)[test,cycles]"
	@touch $@

# Of its own, because labgrid's fork of pyserial takes the place of pyserial; what both want is that of .venv.
$(LABGRID)/.installed: build/wheel/.built $(VENV)/.dev | $(LABGRID)/bin/python
	$(call beside_venv,$(LABGRID),labgrid,$(LABGRID_VERSIONS))

$(FMI)/.installed: build/wheel/.built $(VENV)/.dev | $(FMI)/bin/python
	$(call beside_venv,$(FMI),FMPy,$(FMI_VERSIONS))

# Of its own, for both are LGPL and GPL, and no dependency; they talk to hilbridge by a socket and a file alone.
$(XCP)/.installed: build/wheel/.built $(VENV)/.dev | $(XCP)/bin/python
	$(call beside_venv,$(XCP),pyxcp with pya2ldb,$(XCP_VERSIONS),$(WITHOUT_PINS))

$(MCP)/.installed: build/wheel/.built $(VENV)/.dev | $(MCP)/bin/python
	$(call beside_venv,$(MCP),the client of MCP,$(MCP_VERSIONS),$(WITHOUT_PINS))

$(OPENHTF)/.installed: build/wheel/.built $(VENV)/.dev | $(OPENHTF)/bin/python
	$(call beside_venv,$(OPENHTF),OpenHTF,$(OPENHTF_VERSIONS),$(WITHOUT_PINS))

$(JUMPSTARTER)/.installed: build/wheel/.built $(VENV)/.dev | $(JUMPSTARTER)/bin/python
	$(call beside_venv,$(JUMPSTARTER),Jumpstarter,$(JUMPSTARTER_VERSIONS),$(WITHOUT_PINS))

# kuksa-client 0.6.0 installs its own tests as a package of the name of ours.
$(VSS)/.installed: build/wheel/.built $(VENV)/.dev | $(VSS)/bin/python
	$(call beside_venv,$(VSS),kuksa-client with vss-tools,$(VSS_VERSIONS),$(WITHOUT_PINS))
	@rm -rf "$$($(VSS)/bin/python -c '$(SITE)')/tests"
