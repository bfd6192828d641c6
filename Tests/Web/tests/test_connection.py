"""Checks 33 to 36: what goes and comes back, and what the page shows meanwhile."""

import os
import signal
import time

from waiting import eventually, pace

from bed import browser, wire
from bed.browser import pump
from bed.case import FAILED_REQUEST, PanelTest, document, quick, tag
from bed.nonsense import BETWEEN, NONSENSE, NonsenseDaemon
from bed.older import OlderDaemon
from bed.programs import configuration, control, suspend
from bed.proxy import Proxy


class Connection(PanelTest):
    """Checks 33 and 34."""

    tolerated = (FAILED_REQUEST,)
    tables = configuration(control("volume", "restore = true"), control("mute", 'kind = "toggle"', dial=False))

    def marked(self, panel):
        """Marks the page, so that a reload of it is noticed."""
        panel.js("window.mark = 'the same page'")

    @quick
    def test_33_daemon_killed_and_started(self):
        """Offline within a second, back within two, with the right value; nothing is loaded anew."""
        panel = self.show(tag("volume") + tag("mute"))
        volume = panel.control()
        self.marked(panel)
        self.bed.turn(5)
        volume.wait_for_text("5")
        begun = time.monotonic()
        self.bed.daemon.end()
        volume.wait_for_state("disconnected", timeout=1 - (time.monotonic() - begun) + 0.2)
        self.assertFalse(volume.js("host.connected"))
        self.assertEqual("true", volume.js("probe.parts(host, 'increment')[0].getAttribute('aria-disabled') "
                                           "?? host.shadowRoot.querySelector('[aria-disabled]')?.getAttribute('aria-disabled')"))
        self.assertTrue(volume.has_part("badge"))
        self.assertEqual("5", volume.text(), "the last value stays")
        self.bed.client.close()
        begun = time.monotonic()
        self.bed.start_daemon()
        listening = time.monotonic()
        self.bed.set(41)
        volume.wait_for_text("41", 2 + (listening - begun))
        volume.wait_for_state("disconnected", False)
        self.assertEqual("the same page", panel.js("window.mark"))
        volume.click("increment")
        self.bed.wait_for_value(42)

    def test_33_daemon_stopped(self):
        """SIGSTOP: it is noticed within three seconds, and forgotten when it goes on."""
        panel = self.show(tag("volume"))
        volume = panel.control()
        suspend(self.bed.daemon.pid)
        try:
            volume.wait_for_state("disconnected", timeout=3)
        finally:
            os.kill(self.bed.daemon.pid, signal.SIGCONT)
        volume.wait_for_state("disconnected", False, 3)
        self.bed.turn(2)
        volume.wait_for_text("2")

    def test_33_network_cut(self):
        """The cable is out: within six seconds; and in again."""
        proxy = Proxy(self.bed.web.port)
        self.addCleanup(proxy.close)
        self.bed.web.end()
        self.bed.web.options.append(f'hosts = ["127.0.0.1:{proxy.port}"]')
        self.bed.web.start()
        with open(f"{self.bed.web.pages}/cut.html", "w", encoding="utf-8") as file:
            file.write(document(tag()))
        panel = browser.Panel(f"http://127.0.0.1:{proxy.port}")
        self.addCleanup(self.leave, panel)
        volume = panel.goto("/pages/cut.html").ready().control()
        self.marked(panel)
        proxy.freeze()
        volume.wait_for_state("disconnected", timeout=6)
        proxy.thaw()
        self.bed.turn(9)
        volume.wait_for_text("9", 10)
        self.assertEqual("the same page", panel.js("window.mark"))

    @quick
    def test_34_web_program_restarted(self):
        """The stream resumes with what changed, not with everything; each sequence is shown once."""
        panel = self.show(tag("volume") + tag("mute"))
        volume = panel.control()
        panel.js("""() => { window.kinds = []; window.sequences = [];
          document.addEventListener('stepper-change', (event) => { if (event.detail.state.control === 'volume') sequences.push(event.detail.state.sequence); }); }""")
        self.bed.turn(3)
        volume.wait_for_text("3")
        panel.frames(3)
        self.bed.web.stop()
        volume.wait_for_state("disconnected")
        self.bed.turn(4)
        self.bed.web.start()
        volume.wait_for_text("7", 10)
        self.bed.turn(1)
        volume.wait_for_text("8")
        sequences = panel.js("sequences")
        self.assertEqual(sorted(set(sequences)), sequences, "each once, in order")

    @quick
    def test_34_resume_by_last_event_id(self):
        """A change with what is newer; another instance, or none: a snapshot."""
        port = self.bed.web.port
        with wire.Events(port) as stream:
            kind, identifier, snapshot = stream.next("snapshot")
            self.assertEqual({"volume", "mute"}, {entry["state"]["control"] for entry in snapshot["controls"]})
        instance, _, sequence = identifier.rpartition(":")
        self.assertEqual((snapshot["instance"], snapshot["sequence"]), (instance, int(sequence)))
        self.bed.turn(6)
        eventually(lambda: not self.bed.get()["editing"], "the knob rests")
        self.bed.web.stop()
        self.bed.web.start()
        with wire.Events(port, headers={"Last-Event-ID": identifier}) as stream:
            kind, newer, change = stream.next("change", "snapshot")
            self.assertEqual("change", kind)
            self.assertEqual([("volume", "6")], [(state["control"], state["text"]) for state in change["states"]])
        for unknown in [f"other:{sequence}", "x", "", f"{instance}:99999999999999999999", "\u00ff:1", ":", "a:b"]:
            with wire.Events(port, headers={"Last-Event-ID": unknown}) as stream:
                self.assertEqual("snapshot", stream.next("change", "snapshot")[0], repr(unknown))
        with wire.Events(port, headers={"Last-Event-ID": newer}) as stream:
            kind, _, again = stream.next("tick", "change", "snapshot")
            self.assertTrue(kind == "tick" or not again.get("states") and kind == "change", "nothing is sent again")

    def test_34_ticks(self):
        """Something comes every two seconds."""
        with wire.Events(self.bed.web.port, timeout=4) as stream:
            self.assertEqual("text/event-stream", stream.opened.header("content-type").split(";")[0])
            self.assertEqual("no", stream.opened.header("x-accel-buffering"))
            stream.next("tick")
            begun = time.monotonic()
            stream.next("tick")
            self.assertTrue(1.5 < time.monotonic() - begun < 2.8)

    def test_34_match_interval_and_slow_reader(self):
        """`match` chooses, `interval` slows down, and what comes is the latest."""
        port = self.bed.web.port
        with wire.Events(port, "?match=mu*") as stream:
            self.assertEqual(["mute"], [entry["state"]["control"] for entry in stream.next("snapshot")[2]["controls"]])
        with wire.Events(port, "?match=volume&interval=500") as stream:
            stream.next("snapshot")
            begun, events = time.monotonic(), []
            for _ in range(60):
                self.bed.turn(1)
                pace(0.02)
            while not events or events[-1]["states"][0]["text"] != "60":
                events.append(stream.next("change")[2])
            self.assertLessEqual(len(events), (time.monotonic() - begun) / 0.5 + 2)
            self.assertGreater(sum(event["coalesced"] for event in events), 20)


class Reload(PanelTest):
    """Check 35."""

    tables = configuration(control("volume", "maximum = 10"), control("mute", 'kind = "toggle"', dial=False))

    @quick
    def test_35_reload_that_removes_and_adds(self):
        """`missing`, then alive; a panel follows in the configuration's order."""
        panel = self.show(tag("volume") + tag("mute") + tag("bass") + "<stepper-panel></stepper-panel>")
        volume, mute, bass = (panel.control(f'main > [name="{name}"]') for name in ["volume", "mute", "bass"])
        names = ("(() => { const p = document.querySelector('stepper-panel');"
                 " return [...(p.shadowRoot ?? p).querySelectorAll('stepper-control'), ...p.querySelectorAll(':scope stepper-control')]"
                 ".map((e) => e.getAttribute('name')).filter((name, index, all) => all.indexOf(name) === index); })()")
        bass.wait_for_state("missing")
        panel.until(f"{names}.join() === 'volume,mute'")
        self.assertRegex(bass.js("host.shadowRoot.textContent"), "bass")
        self.bed.reload(configuration(control("bass", 'title = "Bass"'), control("mute", 'kind = "toggle"', dial=False)))
        volume.wait_for_state("missing")
        bass.wait_for_state("missing", False)
        panel.until(f"{names}.join() === 'bass,mute'", names)
        self.bed.turn(2)
        bass.wait_for_text("2")
        mute.click("switch")
        self.bed.wait_for_value(1, "mute")
        self.bed.reload(self.tables)
        volume.wait_for_state("missing", False)
        self.bed.turn(1)
        volume.wait_for_text("1")

    @quick
    def test_35_no_change_is_told(self):
        """A snapshot that says the same again is none: of another page's controls, of a web program that comes again, of a reload. A press is one."""
        self.tolerate(FAILED_REQUEST)
        panel = self.show(tag("volume"))
        self.bed.turn(1)
        volume = panel.control()
        volume.wait_for_text("1")
        panel.until("!document.querySelector('stepper-control').editing", "the knob rests")
        panel.js("() => { window.told = []; document.addEventListener('stepper-change', ({ detail }) => told.push(detail.state.sequence));"
                 " window.links = 0; document.addEventListener('stepper-connection', () => { links += 1; }); }")
        with open(f"{self.bed.web.pages}/mute.html", "w", encoding="utf-8") as file:
            file.write(document(tag("mute")))
        other = panel.context.new_page()
        other.goto(f"{self.bed.web.origin}/pages/mute.html")
        pump(other, lambda: other.evaluate("probe.ready()"), "the other page is ready")
        self.bed.web.stop()
        self.bed.web.start()
        panel.until("links >= 2 && document.querySelector('stepper-control').connected", "it is connected again", 10)
        self.bed.reload(self.tables.replace("[control.volume]", '[control.volume]\ntitle = "Loud"'))
        panel.until("document.querySelector('stepper-control').description.title === 'Loud'", "the page has the new title")
        panel.frames(6)
        self.assertEqual([], panel.js("told"))
        volume.click("increment")
        self.bed.wait_for_value(2)
        volume.wait_for_text("2")
        panel.until("!document.querySelector('stepper-control').editing", "it is released")
        self.bed.turn(1)
        volume.wait_for_text("3")
        panel.frames(6)
        told = panel.js("told")
        self.assertTrue(told)
        self.assertEqual(sorted(set(told)), told, "each is told once")

    @quick
    def test_35_panel_of_several_patterns(self):
        """`match` is a list with commas, as it is for the server."""
        tables = configuration(*(control(name, dial=False) for name in ["volume", "light", "bass", "lights"]))
        self.bed.reload(tables)
        panel = self.show('<stepper-panel match="vol*,l?ght"></stepper-panel>')
        names = "[...document.querySelectorAll('stepper-panel stepper-control')].map((one) => one.getAttribute('name')).join()"
        panel.until(f"{names} === 'volume,light'", names)
        self.bed.set(3, "light")
        panel.control('[name="light"]').wait_for_text("3")

    @quick
    def test_35_panel_of_one_name(self):
        """The name alone is a pattern too: its control is told of each change and moment."""
        panel = self.show('<stepper-panel match="volume"></stepper-panel>')
        panel.js("() => { window.moments = []; document.addEventListener('stepper-moment', ({ detail }) => moments.push(detail.moment)); }")
        panel.until("document.querySelector('stepper-panel stepper-control')?.state")
        volume = panel.ready().control("stepper-panel stepper-control")
        for text in ("1", "2"):
            self.bed.turn(1)
            volume.wait_for_text(text)
        volume.click("increment")
        volume.wait_for_text("3")
        panel.until("moments.includes('press')")

    @quick
    def test_33_answer_that_comes_too_late(self):
        """Nobody knows whether the value was set, and so nobody says that it was refused."""
        self.tolerate(FAILED_REQUEST)
        panel = self.show(tag("mute"))
        mute = panel.control()
        panel.page.route("**/set", lambda route: route.fulfill(status=504, json={"title": "Gateway Timeout", "detail": "it is unknown"}))
        mute.click("switch")
        pump(panel.page, lambda: mute.has_part("error"), "the error is shown")
        self.assertEqual("The controls do not answer", mute.js("part('error').innerText"))

    @quick
    def test_33_refusal_that_the_page_says_itself(self):
        """A menu shows what is so, also where the page hides the text."""
        bed = self.make_bed(configuration(control("source", 'choices = ["radio", "disc", "tape"]', dial=False)))
        panel = self.show(tag("source", as_="menu"), bed)
        source, shown = panel.control(), "(host.shadowRoot.querySelector('select').selectedOptions[0].text)"
        panel.js("document.addEventListener('stepper-error', (event) => event.preventDefault())")
        self.tolerate(FAILED_REQUEST)
        panel.page.route("**/set", lambda route: route.fulfill(status=403, json={"error": "org.stepperd.control.NotWritable"}))
        source.js("host.focus()")
        panel.page.keyboard.type("t")
        pump(panel.page, lambda: any(answer.status == 403 for answer in panel.answers), "it is refused")
        pump(panel.page, lambda: source.js(shown) == "radio", lambda: source.js(shown))
        self.assertFalse(source.has_part("error"))

    @quick
    def test_33_menu_without_a_connection(self):
        """What is chosen then is not shown as if it were so."""
        self.tolerate(FAILED_REQUEST)
        bed = self.make_bed(configuration(control("source", 'choices = ["radio", "disc", "tape"]', dial=False)))
        panel = self.show(tag("source", as_="menu"), bed)
        source, shown = panel.control(), "(host.shadowRoot.querySelector('select').selectedOptions[0].text)"
        bed.web.end()
        source.wait_for_state("disconnected", timeout=8)
        source.js("host.focus()")
        panel.page.keyboard.type("t")
        pump(panel.page, lambda: source.js(shown) == "radio", lambda: source.js(shown))
        self.assertEqual("radio", source.text())

    def test_35_draft_of_a_control_that_goes(self):
        """It is refused in words, and nothing is printed."""
        self.tolerate(FAILED_REQUEST)
        panel = self.show(tag("volume", look="gtk") + "<button>Elsewhere</button>")
        volume = panel.control()
        volume.click("input")
        panel.page.keyboard.type("-")
        self.bed.reload(configuration(control("mute", 'kind = "toggle"', dial=False)))
        volume.wait_for_state("missing")
        panel.page.locator("button", has_text="Elsewhere").focus()
        panel.frames(10)

    def test_35_language_that_is_none(self):
        """The page has that of the browser."""
        panel = self.show(lang="en US")
        self.bed.turn(1)
        panel.control().wait_for_text("1")

    def test_35_adjust(self):
        """The ends and the limit on screen, also in the middle of a hold, which goes on."""
        panel = self.show(tag("volume", look="gtk"))
        volume = panel.control()
        self.bed.set(10)
        volume.wait_for_state("at-maximum")
        self.bed.adjust(maximum=20)
        volume.wait_for_state("at-maximum", False)
        pump(panel.page, lambda: volume.js("part('input').ariaValueMax ?? part('input').getAttribute('aria-valuemax')") == "20", "the new end")
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        self.bed.adjust(maximum=1000)
        volume.press("increment")
        eventually(lambda: self.bed.value() > 11, "it repeats")
        self.bed.adjust(maximum=2000)
        before = self.bed.value()
        eventually(lambda: self.bed.value() > before + 1, "it goes on")
        self.assertTrue(volume.state("pressed-increment"))
        volume.release()
        eventually(lambda: not self.bed.get()["editing"], "it is released")


class Stopping(PanelTest):
    """Of the web program itself."""

    tolerated = (FAILED_REQUEST,)

    @quick
    def test_34_signals_end_it_in_order(self):
        """SIGTERM and SIGINT, also while a page follows: status 0, and soon."""
        for number in (signal.SIGTERM, signal.SIGINT):
            panel = self.show()
            panel.control().wait_for_text("0")
            begun = time.monotonic()
            self.assertEqual(0, self.bed.web.stop(number))
            self.assertLess(time.monotonic() - begun, 5)
            panel.close()
            self.bed.web.start()


class Nonsense(PanelTest):
    """Check 33, with a daemon that answers what none of ours does."""

    tolerated = (FAILED_REQUEST,)
    tables = configuration(control("volume", "minimum = 0", "maximum = 1000"))
    #: Of one connection, at least this long apart: so many in a second, with those that begin together.
    MOST_CONNECTIONS, MOST_AT_ONCE = 20, 20
    #: Bytes: on each of its connections a reply may have 16 MiB.
    MOST_MEMORY = 6 * 16 << 20

    def check(self, panel, what, connections):
        """The page is offline and says so; the web program says why, and does not spin."""
        web, volume = self.bed.web, panel.control()
        volume.wait_for_state("disconnected", timeout=6)
        self.assertTrue(volume.has_part("badge"), what)
        before, begun, used = connections(), time.monotonic(), web.processor_time()
        pace(1)
        spent, made = time.monotonic() - begun, connections() - before
        self.assertLessEqual(made, self.MOST_AT_ONCE + self.MOST_CONNECTIONS * spent, what)
        self.assertLess(web.processor_time() - used, 0.8 * spent, what)
        self.assertLess(web.memory() - self.memory, self.MOST_MEMORY, what)
        status = wire.get(web.port, "/status").json()
        self.assertFalse(status["daemonReachable"], what)
        self.assertRegex("\n".join(status["problems"]), "not connected to stepperd: .+")
        refused = wire.get(web.port, "/controls")
        self.assertEqual(503, refused.status, what)
        self.assertIn("stepperd", refused.json()["detail"])
        self.assertTrue(volume.state("disconnected"), what)

    def recovers(self, panel, value):
        """The panel follows again, and its buttons work."""
        volume = panel.control()
        self.bed.set(value)
        volume.wait_for_text(str(value), 8)
        volume.wait_for_state("disconnected", False)
        volume.click("increment")
        self.bed.wait_for_value(value + 1)
        self.assertIsNone(self.bed.web.process.poll(), self.bed.web.text())

    def test_33_daemon_that_answers_nonsense(self):
        """No JSON, other types, no end, half a reply: offline, quiet, and back with the real one."""
        panel = self.show()
        self.memory = self.bed.web.memory()
        for number, (what, pieces) in enumerate(NONSENSE.items()):
            with self.subTest(what):
                self.bed.daemon.end()
                self.bed.client.close()
                fake = NonsenseDaemon(self.bed.daemon.socket, pieces)
                try:
                    self.check(panel, what, lambda fake=fake: fake.count)
                finally:
                    fake.close()
                    self.bed.start_daemon()
                self.recovers(panel, number * 2)

    def test_33_replies_that_become_nonsense(self):
        """The real daemon, from whose replies a machine between makes others of a similar form."""
        between = OlderDaemon(self.bed.daemon.socket)
        self.addCleanup(between.close)
        self.bed.web.end()
        self.bed.web.address = between.socket
        between.asked = between.answered = lambda message: message
        self.bed.web.start()
        panel = self.show()
        self.memory = self.bed.web.memory()
        for number, (what, answered) in enumerate(BETWEEN.items()):
            with self.subTest(what):
                between.answered = answered
                self.bed.turn(1)
                try:
                    self.check(panel, what, lambda: between.count)
                finally:
                    between.answered = lambda message: message
                self.recovers(panel, number * 2)


class Older(PanelTest):
    """Check 36."""

    tables = configuration(control("volume", 'profile = "uikit"', "initial = 5"), control("locked", 'writable-by = "nobody"', dial=False))

    @quick
    def test_36_readonly(self):
        """What may not be changed has no working button, and says so."""
        panel = self.show(tag("locked", look="gtk"))
        locked = panel.control()
        locked.wait_for_state("readonly")
        locked.click("increment")
        panel.page.keyboard.press("ArrowUp")
        panel.frames(10)
        self.assertEqual(0, self.bed.value("locked"))
        self.assertTrue(locked.js("part('input').readOnly"))
        self.assertEqual("true", locked.js("part('increment').getAttribute('aria-disabled')"))
        self.assertEqual("none", locked.js("host.hold"))
        self.assertFalse([request.url for request in panel.asked if request.method == "POST"])

    def test_36_daemon_without_press(self):
        """A press is one step, however long, and the page says so."""
        older = OlderDaemon(self.bed.daemon.socket)
        self.addCleanup(older.close)
        self.bed.web.end()
        self.bed.web.address = older.socket
        self.bed.web.start()
        panel = self.show(tag("volume"))
        volume = panel.control()
        panel.until("document.querySelector('stepper-control').hold === 'step'")
        volume.press("increment")
        self.assertTrue(volume.state("pressed-increment"))
        self.bed.wait_for_value(6)
        # Longer than the delay of every profile.
        pace(1)
        volume.release()
        panel.frames(6)
        self.assertEqual(6, self.bed.value())
        panel.page.keyboard.press("ArrowUp")
        self.bed.wait_for_value(7)
        panel.goto("/")
        panel.until("/one step per press/i.test([...document.querySelectorAll('*')].map((e) => e.shadowRoot?.textContent ?? '').join() "
                    "+ document.body.innerText)", "the kiosk's page says it")
