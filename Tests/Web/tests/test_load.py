"""How much a browser loads, how soon it is ready, and how soon a press is seen."""

import os
import socket
import threading

from waiting import pace

from bed import browser
from bed.browser import Fingers, pump
from bed.case import PanelTest, document, quick, summary, tag
from bed.programs import configuration, control
from bed.wire import get

#: Of "/", from nothing.
MOST_REQUESTS, MOST_BYTES = 6, 60_000
#: What the document names, which is asked for at once: the style sheet, the list with the settings, and the script.
NAMED = [("link", "/immutable/panel.css"), ("link", "/api/v1/controls"), ("script", "/immutable/panel.js")]
#: How often a browser may lay out "/", and compute its styles, until its controls are painted: with frames for the heading and a few
#: that a busy machine puts between; not once for each control.
MOST_LAYOUTS, MOST_STYLES = 5, 8
#: A page of a style sheet, a script and one answer of the interface, whose times are told beside: a busy machine slows down both.
BARE = {"bare.html": '<!doctype html><html lang="en"><title>Bare</title><link rel="icon" href="data:,"><link rel="stylesheet" href="bare.css">'
                     '<script type="module" src="bare.js"></script><p id="all"></p></html>',
        "bare.css": "p { color: green }",
        "bare.js": """const answer = await fetch('/api/v1/controls'), { controls } = await answer.json();
document.getElementById('all').textContent = controls.length;
requestAnimationFrame(() => { window.readyAt = performance.now(); });"""}
KINDS = [control("volume", 'title = "Volume"'), control("gain", 'profile = "gtk"', "minimum = 0", "maximum = 10", dial=False),
         control("light", 'profile = "winui"', dial=False), control("mute", 'kind = "toggle"', dial=False),
         control("source", 'kind = "choice"', 'choices = ["radio", "disc", "tape"]', dial=False),
         control("level", 'profile = "slider"', "minimum = 0", "maximum = 1", dial=False)]


class Wire:
    """Carries connections to the web program; counts the requests, and the bytes of answers but for those of streams."""

    def __init__(self, target):
        self.target, self.requests, self.bytes = target, [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            for one in (near, far):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._carry, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._carry, args=(far, near, False), daemon=True).start()

    def _carry(self, source, target, asks):
        try:
            while data := source.recv(65536):
                if asks:
                    self.requests += [line.split()[1].decode() for line in data.split(b"\r\n") if line.endswith(b" HTTP/1.1")]
                else:
                    self.bytes += len(data)
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def take(self):
        """(requests, bytes) since the last time."""
        taken = (list(self.requests), self.bytes)
        self.requests, self.bytes = [], 0
        return taken

    def close(self):
        self.listener.close()


class Load(PanelTest):
    """What "/" costs."""

    alone = True
    tables = configuration(*KINDS)

    def panel_on(self, wire):
        """A page behind a wire, in a browser that has loaded nothing."""
        web = self.bed.web
        web.stop()
        web.options.append(f'hosts = ["127.0.0.1:{wire.port}"]')
        web.start()
        chromium = browser.launch()
        self.addCleanup(chromium.close)
        panel = browser.Panel(f"http://127.0.0.1:{wire.port}", chromium)
        self.addCleanup(self.leave, panel)
        return panel

    def complete(self, panel):
        """Waits until all controls are drawn."""
        panel.until(f"document.querySelectorAll('stepper-control').length === {len(KINDS)}", "the controls are listed", 10)
        panel.ready()

    @quick
    def test_load_requests_and_bytes(self):
        """From nothing, and once more: then only what may have changed is asked for, and is not sent again."""
        wire = Wire(self.bed.web.port)
        self.addCleanup(wire.close)
        panel = self.panel_on(wire)

        def take():
            self.complete(panel)
            # They are drawn before the stream begins.
            pump(panel.page, lambda: any("/events" in path for path in wire.requests), "the controls are followed")
            return wire.take()
        panel.goto("/")
        first, sent = take()
        panel.page.reload()
        again, resent = take()
        # The list with the settings, and what the daemon says now.
        files = [path for path in again if not path.startswith("/api/v1/")]
        figures = {"requests": first, "bytes": sent, "requests again": again, "bytes again": resent}
        print(self.save("load.json", figures), figures)
        self.assertLessEqual(len(first), MOST_REQUESTS, first)
        self.assertLessEqual(sent, MOST_BYTES)
        self.assertEqual(["/"], files)
        for path in filter(lambda path: "/events" in path, (*first, *again)):
            self.assertIn("last=", path, "the stream goes on from the list")
        self.assertLess(resent, sent / 5, "headers, the settings and the states")

    @quick
    def test_load_of_a_page_of_ones_own(self):
        """stepper.js keeps its address; what it leads to has a name that lasts."""
        wire = Wire(self.bed.web.port)
        self.addCleanup(wire.close)
        panel = self.panel_on(wire)
        with open(f"{self.bed.web.pages}/own.html", "w", encoding="utf-8") as file:
            file.write(document(tag(), head='<link rel="icon" href="data:,">'))
        panel.goto("/pages/own.html").ready()
        first, sent = wire.take()
        print(self.save("load-own.json", {"requests": first, "bytes": sent}), len(first), "requests", sent, "bytes")
        self.assertIn("/stepper.js", first)
        self.assertLessEqual(len(first), MOST_REQUESTS, first)
        self.assertLessEqual(sent, MOST_BYTES)
        panel.page.reload()
        panel.ready()
        again, _ = wire.take()
        self.assertEqual({"/pages/own.html", "/stepper.js"}, {path for path in again if not path.startswith("/api/v1/")})

    def test_load_number_formats(self):
        """A browser needs longer for the first one than for all controls: in English and German plain numbers need none."""
        for language, most in {"en": 0, "de": 0, "fr": 8}.items():
            panel = self.blank()
            panel.context.add_init_script("""(() => { window.formats = 0;
              Intl.NumberFormat = class extends Intl.NumberFormat { constructor(...all) { super(...all); window.formats += 1; } }; })()""")
            self.complete(panel.goto(f"/?language={language}"))
            self.assertLessEqual(panel.js("formats"), most, language)

    @quick
    def test_load_draws_what_the_document_names(self):
        """Two round trips, the document and what it names, and nothing else: here the worker that follows the controls never speaks."""
        panel = self.blank()
        panel.context.add_init_script("window.SharedWorker = class { port = { postMessage() {}, close() {} }; }")
        self.complete(panel.goto("/"))
        asked = panel.js("""performance.getEntriesByType('resource').map(({ initiatorType, name }) =>
          [initiatorType, new URL(name).pathname.replace(/-\\w+(?=\\.)/, '')])""")
        self.assertEqual(sorted(NAMED), sorted(map(tuple, asked)))
        panel.control("[name=volume]").click("increment")
        panel.control("[name=volume]").wait_for_text("1")
        self.assertEqual(1, self.bed.value())

    def test_load_in_an_older_browser(self):
        """What one without light-dark() needs is a file of its own."""
        panel = self.blank()
        panel.context.add_init_script("const { supports } = CSS; CSS.supports = (...all) => !/light-dark/.test(all.join()) && supports.apply(CSS, all);")
        self.complete(panel.goto("/"))
        self.assertIn("/looks-schemes.css", {answer.url.removeprefix(panel.origin) for answer in panel.answers if answer.ok})

    def test_load_list_with_settings(self):
        """What the page begins with is what the two requests would answer."""
        port = self.bed.web.port
        both = get(port, "/controls?settings=1").json()
        self.assertEqual(get(port, "/settings").json(), both.pop("settings"))
        self.assertEqual(get(port, "/controls").json(), both)

    def ready_after(self, slower, path="/"):
        """Milliseconds from the navigation of a browser that has loaded nothing until all controls are painted; what it counted."""
        panel = self.blank()
        if path == "/":
            # The task after the frame in which the last one is written.
            panel.context.add_init_script(f"""(() => {{ const drawn = new Set(), {{ port1, port2 }} = new MessageChannel();
              port1.onmessage = () => {{ window.readyAt ??= performance.now(); }};
              addEventListener('stepper-drawn', ({{ target }}) => {{ drawn.add(target);
                if (drawn.size === {len(KINDS)}) requestAnimationFrame(() => port2.postMessage(0)); }}, true); }})()""")
        panel.devtools.send("Performance.enable")
        if slower > 1:
            panel.devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        panel.goto(path)
        pump(panel.page, lambda: panel.js("window.readyAt ?? 0"), "it is ready", 20)
        counted = {metric["name"]: metric["value"] for metric in panel.devtools.send("Performance.getMetrics")["metrics"]}
        took = panel.js("window.readyAt")
        panel.context.close()
        return round(took), counted

    def test_load_until_ready(self):
        """In turn with the bare page, as other work on the machine delays any. Times are told; layouts and styles are judged."""
        for name, text in BARE.items():
            with open(f"{self.bed.web.pages}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        self.ready_after(1)  # the first one starts the browser
        figures, counts = {"load": os.getloadavg()}, []
        for slower in (1, 4):
            rounds = [(self.ready_after(slower), self.ready_after(slower, "/pages/bare.html")) for _ in range(7)]
            for what, taken in zip(("ready", "bare"), zip(*rounds)):
                figures[f"{what}, {slower} times slower, ms"] = sorted(took for took, _ in taken)
            counts += [(int(own["LayoutCount"]), int(own["RecalcStyleCount"])) for (_, own), _ in rounds]
        figures["layouts, styles"] = sorted(counts)
        print(self.save("ready.json", figures), figures)
        layouts, styles = map(min, zip(*counts))
        self.assertLessEqual(layouts, MOST_LAYOUTS)
        self.assertLessEqual(styles, MOST_STYLES)

    def test_load_of_modules(self):
        """A checkout without the bundle works, in more requests."""
        self.serve_modules()
        panel = self.blank().goto("/")
        self.complete(panel)
        panel.control("[name=volume]").click("increment")
        self.bed.wait_for_value(1)
        panel.control("[name=volume]").wait_for_text("1")


class Pressed(PanelTest):
    """How soon a press on the screen is seen."""

    alone = True
    ROUNDS = 200
    tables = configuration(control("volume", "minimum = 0", "maximum = 1000000", "initial = 100000"))
    #: Notes when the look and the value of each tap are painted: what a task sees that begins after the frame. The element
    #: writes in an animation frame, after which the observer is called, before the frame is painted.
    NOTED = """() => { window.taps = []; window.asked = []; const host = document.querySelector('stepper-control'); let last = host.text;
      const painted = (act) => { const channel = new MessageChannel(); channel.port1.onmessage = () => act(performance.now()); channel.port2.postMessage(0); };
      addEventListener('pointerdown', ({ timeStamp }) => {
        const tap = { down: timeStamp, marked: host.matches(':state(pressed-increment)') };
        taps.push(tap);
        requestAnimationFrame(() => painted((at) => { tap.look = at - timeStamp; }));
      });
      new MutationObserver(() => { const text = probe.shown(host), tap = taps.at(-1); if (text === last) return; last = text;
        tap.written ??= performance.now() - tap.down;
        painted((at) => { tap.value ??= at - tap.down; window.resume?.(); });
      }).observe(host.shadowRoot, { subtree: true, childList: true, characterData: true, attributes: true });
      new PerformanceObserver((list) => asked.push(...list.getEntries().filter(({ name }) => name.endsWith('/holds')))).observe({ type: 'resource' }); }"""
    #: Waits in the page until the value of a tap is painted: one who asks again and again takes the time that is measured.
    SEEN = """(number) => new Promise((resolve, reject) => { setTimeout(reject, 5000, new Error(`tap ${number} is not seen`));
      window.resume = () => taps[number]?.value && resolve(); resume(); })"""
    #: What each tap consists of: the browser's event, the answer, the wait for a frame, and the frame.
    STAGES = """taps.map((tap, index) => { const { startTime, responseEnd } = asked.sort((a, b) => a.startTime - b.startTime)[index];
      return [startTime - tap.down, responseEnd - startTime, tap.down + tap.written - responseEnd, tap.value - tap.written, tap.value]; })"""
    NAMES = ["until asked", "until answered", "until written", "until painted", "together"]
    #: So many of the slowest are told one by one.
    SLOWEST = 5

    @quick
    def test_load_press_is_seen(self):
        """The pressed state is there before the event has been handled, so the next frame shows it; every value is shown. Times are told, not judged."""
        panel = self.touched(tag("volume", look="uikit"))
        finger, place = Fingers(panel), panel.control().centre("increment")
        panel.js(self.NOTED)
        for number in range(self.ROUNDS):
            finger.down(1, *place)
            finger.up(1)
            panel.js(self.SEEN, number)
            pace((number % 17) / 1000)  # not in step with the frames
        self.assertEqual(100_000 + self.ROUNDS, self.bed.value())
        taps = panel.js("taps")
        self.assertEqual([True] * self.ROUNDS, [tap["marked"] for tap in taps])
        pump(panel.page, lambda: panel.js("asked.length") == self.ROUNDS, "every answer is noted")
        stages = panel.js(self.STAGES)
        figures = {f"{what}, ms, median and p99": summary([tap[what] for tap in taps]) for what in ("look", "value")}
        figures["stages, ms, median and p99"] = {name: summary([tap[index] for tap in stages]) for index, name in enumerate(self.NAMES)}
        slowest = sorted(stages, key=lambda tap: tap[-1])[-self.SLOWEST:]
        figures["slowest, ms"] = [dict(zip(self.NAMES, (round(at, 1) for at in tap))) for tap in slowest]
        print(self.save("press.json", {"taps": self.ROUNDS, **figures, "load": os.getloadavg()}), figures)
