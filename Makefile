# What a person sets: make install PREFIX=/usr PROGRAMS="stepperd stepperd-mqtt".
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS ?= stepperd
ARCHITECTURES ?=
ARCH ?=
HOST_ARCH = $(shell dpkg --print-architecture 2>/dev/null)
SWIFT ?= swift

# The text behind "##" is what "make help" prints.
.DEFAULT_GOAL := help
.PHONY: help run panel build generate test check nightly fuzz cost bench kernel-test web-test system-test deb debian-swift release install uninstall clean

help: ## Show this list
	@awk -F ': ##|:[^#]*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## Set up, build and start the daemon in the foreground as yourself; Ctrl-C ends it
	@Scripts/run

panel: ## Set up, build and start a daemon without hardware and the web program; prints the address; Ctrl-C ends both
	@Scripts/panel

build: ## Set up and build everything, for debugging
	@Scripts/setup
	@SWIFT="$(SWIFT)" Scripts/build/debug

generate: ## Write the generated sources: types of the interfaces, blocking methods
	@Scripts/setup
	@Scripts/generate

test: ## Set up and run all tests that need no special kernel
	@Scripts/setup --test
	@SWIFT="$(SWIFT)" Scripts/build/debug --build-tests
	@Scripts/test
	@Tests/Install/run --files
	@if [ -x /usr/bin/chromium ]; then Scripts/setup --web && Scripts/suites/web --no-build --quick; \
	  else echo "note: without Chromium the panel is not tested; \"make web-test\" installs it"; fi

nightly: ## What takes too long for every change, some six hours; STEPS= names parts of it, such as torture or fleet
	@Scripts/nightly $(STEPS)

check: ## Format, guard rails, scripts, Python, manuals, warnings as errors, tests
	@Scripts/setup --test
	@Scripts/check

fuzz: ## Look for inputs that break a part, TARGETS= (all) for SECONDS= (until Ctrl-C) or until the first one
	@Scripts/setup
	@Scripts/stress/fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(TARGETS)

bench: ## Measure latency, processor time, memory and more beside a plain C program, in a release build
	@Scripts/setup
	@Scripts/measure/bench

cost: ## Count allocations, system calls and instructions of an event in a release build; no more than the baseline
	@Scripts/setup --test
	@Scripts/build/programs
	@Scripts/measure/cost --self-test
	@Scripts/measure/cost

kernel-test: ## Test on real kernel drivers in a guest; the first time it builds the guest's kernel; ARCH=arm64: a board's
	@Scripts/setup $(if $(filter arm64,$(ARCH)),--arm64,--test)
	@Scripts/suites/kernel $(if $(ARCH),--arch $(ARCH))

web-test: ## Test the web panel in Debian's Chromium, with the real programs
	@Scripts/setup --web
	@Scripts/suites/web

deb: ## Build the Debian packages and check them with lintian; ARCH=arm64: a board's; WEB=1: that of the web program, too
	@Scripts/setup $(if $(filter-out $(HOST_ARCH),$(filter arm64,$(ARCH))),--arm64,--package)
	@Scripts/build/deb $(if $(ARCH),--arch $(ARCH)) $(if $(WEB),--web)

debian-swift: ## Build and test with Debian's own Swift, in a folder with Debian's development release
	@Scripts/setup --debian-swift
	@Scripts/suites/debian-swift

release: ## Make the files of a release: source, packages for ARCHITECTURES= (this machine's), checksums, SBOM, notes
	@Scripts/setup --package
	@Scripts/release/files $(ARCHITECTURES)

system-test: ## Test the installed package in guests with systemd; the first time it makes their Debian; ARCH=arm64: a board's
	@Scripts/setup --system
	@$(if $(filter arm64,$(ARCH)),Scripts/setup --arm64)
	@Scripts/suites/system $(if $(ARCH),--arch $(ARCH) --release trixie)

install: ## Build for release and install PROGRAMS= (stepperd, or all); DESTDIR= and PREFIX= (/usr/local) say where
	@Scripts/setup
	@Scripts/build/install --destdir "$(DESTDIR)" --prefix "$(PREFIX)" $(PROGRAMS)

uninstall: ## Remove what "make install" with the same PROGRAMS= put there, but no configuration and no values
	@Scripts/build/install --uninstall --destdir "$(DESTDIR)" --prefix "$(PREFIX)" $(PROGRAMS)

clean: ## Remove everything that was built
	rm -rf .build .build-fuzz .build-thread .build-address .build-web-test Benchmarks/.build
