PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# The text behind "##" is what "make help" prints.
.DEFAULT_GOAL := help
.PHONY: help run panel build generate test nightly check fuzz sanitize torture soak cost bench bench-report kernel-bench kernel-test web-test deb system-test install install-web install-link install-mqtt uninstall uninstall-web uninstall-link uninstall-mqtt stress-link stress-mqtt home-assistant fleet clean

help: ## Show this list
	@awk -F ': ##|:[^#]*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## Set up, build and start the daemon in the foreground as yourself; Ctrl-C ends it
	@Scripts/run

panel: ## Set up, build and start a daemon without hardware and the web program; prints the address; Ctrl-C ends both
	@Scripts/panel

build: ## Set up and build everything, for debugging
	@Scripts/setup
	$(SWIFT) build

generate: ## Write the generated sources: types of the interfaces, blocking methods
	@Scripts/setup
	@Scripts/generate

test: ## Set up and run all tests that need no special kernel
	@Scripts/setup --test
	$(SWIFT) build --build-tests
	@Scripts/test
	@Tests/Install/run --files
	@if [ -x /usr/bin/chromium ]; then Scripts/setup --web && Scripts/web-test --quick; \
	  else echo "note: without Chromium the panel is not tested; \"make web-test\" installs it"; fi

nightly: ## What takes too long for every change, some six hours: STEPS= names parts of it
	@Scripts/nightly $(STEPS)

check: ## Format, guard rails, scripts, Python, manuals, warnings as errors, tests
	@Scripts/setup --test
	@Scripts/check

fuzz: ## Look for inputs that break a part, TARGETS= (all) for SECONDS= (until Ctrl-C) or until the first one
	@Scripts/setup
	@Scripts/fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(TARGETS)

sanitize: ## Run the tests of what has threads, and of what reads others' bytes, with sanitizers
	@Scripts/setup --test
	@Scripts/sanitize thread
	@Scripts/sanitize address

bench: ## Measure latency, processor time, memory and more beside a plain C program, in a release build
	@Scripts/setup
	@Scripts/bench

kernel-bench: ## Measure on a real kernel's input devices in a guest, beside plain C, inputlirc and triggerhappy
	@Scripts/setup --kernel-bench
	@Scripts/kernel-bench

bench-report: ## Render Documentation/performance.md from the results of the last whole runs
	@Scripts/bench --report $(wildcard .build/bench/results*.json)

soak: ## Ten million events and a million calls of each method in a release build; nothing may grow
	@Scripts/setup
	@Scripts/build-release
	@Scripts/soak

cost: ## Count allocations, system calls and instructions of an event in a release build; no more than the baseline
	@Scripts/setup --test
	@Scripts/build-release
	@Scripts/cost --self-test
	@Scripts/cost

torture: ## Fail each system call with each error, and kill and stop a thousand times at random moments; values must survive
	@Scripts/setup --test
	$(SWIFT) build --build-tests
	STEPPERD_SWEEP=1 $(SWIFT) test --skip-build --filter FaultTests
	@Scripts/torture --program .build/debug/stepperd
	@Tests/Stress/stops.py --program .build/debug/stepperd
	@Tests/Stress/ends.py link --seeds 200
	@.build/python/bin/python Tests/Stress/ends.py mqtt --seeds 100

kernel-test: ## Test on real kernel drivers in a guest; the first time it builds the guest's kernel
	@Scripts/setup --test
	@Scripts/kernel-test

web-test: ## Test the web panel in Debian's Chromium, with the real programs
	@Scripts/setup --web
	@Scripts/web-test

deb: ## Build the Debian package and check it with lintian; WEB=1: that of the web program, too
	@Scripts/setup --package
	@Scripts/deb $(if $(WEB),--web)

system-test: ## Test the installed package in guests with systemd; the first time it makes their Debian
	@Scripts/setup --system
	@Scripts/system-test

install: ## Build for release and install; DESTDIR= and PREFIX= (/usr/local) say where
	@Scripts/setup
	@Scripts/install --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

install-web: ## Build the web program and its panel for release and install them; DESTDIR= and PREFIX= as for install
	@Scripts/setup
	@Scripts/install --web --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

uninstall-web: ## Remove what "make install-web" put there
	@Scripts/install --web --uninstall --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

install-link: ## Build the program of the links for release and install it; DESTDIR= and PREFIX= as for install
	@Scripts/setup
	@Scripts/install --link --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

uninstall-link: ## Remove what "make install-link" put there
	@Scripts/install --link --uninstall --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

stress-link: ## Move a control and a real sound server's volume in turn, 1,000 times, with restarts of every program
	@Scripts/setup --test
	@Scripts/stress-link

fleet: ## Take 10,000 simulated boards through storms and losses at real brokers; half an hour
	@Scripts/setup --test
	@Scripts/fleet

stress-mqtt: ## Lose broker, daemon, bridge and network in turn under turning, 200 times; nothing that was seen may be lost
	@Scripts/setup --test
	@Scripts/stress-mqtt

home-assistant: ## Test the bridge to MQTT with the real Home Assistant, as root; the first time it makes its folder
	@Scripts/setup --home-assistant
	@Tests/HomeAssistant/run

install-mqtt: ## Build the bridge to MQTT for release and install it; DESTDIR= and PREFIX= as for install
	@Scripts/setup
	@Scripts/install --mqtt --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

uninstall-mqtt: ## Remove what "make install-mqtt" put there
	@Scripts/install --mqtt --uninstall --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

uninstall: ## Remove what "make install" put there, but no configuration and no values
	@Scripts/install --uninstall --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

clean: ## Remove everything that was built
	rm -rf .build .build-fuzz .build-thread .build-address .build-web-test Benchmarks/.build
