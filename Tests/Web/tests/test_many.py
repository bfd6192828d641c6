"""Many pages of one browser: one stream of events for all, and each page's holds are its own."""

import os
import signal
import time

from waiting import eventually, pace

from bed import browser, wire
from bed.browser import pump
from bed.case import FAILED_REQUEST, PanelTest, document, quick, tag
from bed.programs import configuration, control, suspend
from bed.proxy import Proxy

#: What a browser may lack, as a script that runs before the page's.
NO_WORKER = "delete window.SharedWorker;"
NO_LOCKS = NO_WORKER + "Object.defineProperty(navigator, 'locks', { value: undefined });"
NO_CHANNEL = NO_WORKER + "delete window.BroadcastChannel;"
FORBIDDEN = """for (const name of ['SharedWorker', 'BroadcastChannel']) {
  window[name] = function () { throw new DOMException('The operation is insecure.', 'SecurityError'); };
}
Object.defineProperty(navigator, 'locks', { value: { request: () => Promise.reject(new DOMException('Not here.', 'SecurityError')) } });
for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
  Object.defineProperty(window, name, { get() { throw new DOMException('Not here.', 'SecurityError'); } });
}"""
LOCKS_REFUSE = NO_WORKER + "navigator.locks.request = () => Promise.reject(new DOMException('Not here.', 'SecurityError'));"


class Pages(PanelTest):
    """Pages of one context, which is what a browser is for its user."""

    #: The headers by which the test itself is known, where tokens are needed.
    identity = None
    RANGE = ["minimum = 0", "maximum = 100000", "initial = 0"]
    tables = configuration(control("volume", *RANGE), control("bass", *RANGE, dial=False), control("mute", 'kind = "toggle"', dial=False))

    def open(self, count, body=None, without=""):
        """So many pages with a body, each ready before the next is opened; the first one's panel has their context."""
        with open(f"{self.bed.web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(body or tag()))
        first = self.blank()
        if without:
            first.context.add_init_script(without)
        pages = [first.page, *(self.another(first) for _ in range(count - 1))]
        for page in pages:
            self.load(first, page, "/pages/many.html")
        return first, pages

    def another(self, panel):
        """One more page of a context, which must be as silent."""
        page = panel.context.new_page()
        page.on("console", lambda message: panel.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: panel.messages.append(f"uncaught: {error}"))
        return page

    def load(self, panel, page, path):
        """Loads a page, and waits until its controls are ready."""
        page.goto(panel.origin + path)
        pump(page, lambda: page.evaluate("probe.ready()"), lambda: f"it is ready: {panel.messages}", 10)

    def streams(self):
        """How many the web program has."""
        return wire.get(self.bed.web.port, "/status", self.identity).json()["streams"]

    def press(self, page, selector="stepper-control"):
        """Clicks plus."""
        page.bring_to_front()
        page.locator(f'{selector} [part~="increment"]').first.click()

    def shows(self, page, text, selector="stepper-control", timeout=5.0):
        """Waits until an element has a text."""
        found = f"document.querySelector('{selector}').text"
        pump(page, lambda: page.evaluate(found) == text, lambda: f"it is {text}: {page.evaluate(found)}", timeout)


class Forty(Pages):
    """Forty tabs."""

    def test_many_forty_tabs(self):
        """All load, one stream serves them, no press is lost, and each shows every change."""
        panel, pages = self.open(40)
        self.assertEqual(1, self.streams())
        for count, number in enumerate((0, 6, 7, 20, 39, 0), 1):
            self.press(pages[number])
            self.bed.wait_for_value(count)
        for page in pages:
            self.shows(page, "6")
        self.bed.turn(5)
        for page in (pages[39], pages[0], pages[17]):
            self.shows(page, "11")
        for page in pages[1:]:
            page.close()
        self.bed.turn(1)
        self.shows(panel.page, "12")
        panel.page.goto("about:blank")
        eventually(lambda: self.streams() == 0, "no page, no stream")

    def test_many_tabs_of_an_insecure_origin(self):
        """A name in the network without TLS: no locks there, but the worker."""
        web = self.bed.web
        web.stop()
        token = "operate-token-of-the-tabs"
        with open(f"{web.folder}/tokens", "w", encoding="utf-8") as file:
            file.write(f"operate {token}\n")
        os.chmod(f"{web.folder}/tokens", 0o600)
        web.options += [f'hosts = ["panel.example:{web.port}"]', f'token-file = "{web.folder}/tokens"']
        self.identity = {"Authorization": f"Bearer {token}"}
        web.start()
        with open(f"{web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag()))
        chromium = browser.launch("--host-resolver-rules=MAP panel.example 127.0.0.1")
        self.addCleanup(chromium.close)
        panel = browser.Panel(f"http://panel.example:{web.port}", chromium)
        self.addCleanup(self.leave, panel)
        # The tests' own wish for COOP has no meaning there, which Chromium says.
        self.tolerate("Cross-Origin-Opener-Policy")
        pages = [panel.page, *(self.another(panel) for _ in range(8))]
        for page in pages:
            self.load(panel, page, "/pages/many.html" if page is not pages[0] else f"/pages/many.html#token={token}")
        self.assertFalse(panel.js("isSecureContext"))
        self.assertEqual(1, self.streams())
        self.press(pages[8])
        self.shows(pages[0], "1")


class Ways(Pages):
    """What a browser does not have, or forbids."""

    def works(self, pages, streams, before=0):
        """A press in the last page and a turn of the knob are seen in all."""
        eventually(lambda: self.streams() == streams, lambda: f"{self.streams()} streams and not {streams}")
        self.press(pages[-1])
        self.bed.wait_for_value(before + 1)
        self.bed.turn(1)
        for page in pages:
            self.shows(page, str(before + 2))

    @quick
    def test_many_share_a_worker(self):
        """The usual way."""
        _, pages = self.open(3)
        self.works(pages, 1)

    def test_many_have_a_leader_without_workers(self):
        """One document follows for all, another one when that is gone; what others hold goes on."""
        panel, pages = self.open(9, without=NO_WORKER)
        self.works(pages, 1)
        moments = self.bed.moments("volume")
        self.addCleanup(moments.connection.close)
        box = pages[5].locator('[part~="increment"]').bounding_box()
        pages[5].bring_to_front()
        pages[5].mouse.move(box["x"] + 5, box["y"] + 5)
        pages[5].mouse.down()
        moments.until(lambda one: one["moment"] == "press", "the press")
        panel.page.close()  # the leader: it was there first
        eventually(lambda: self.bed.value() > 5, "the hold goes on")
        self.assertEqual([], moments.named("release"))
        pages[5].mouse.up()
        moments.until(lambda one: one["moment"] == "release", "the release")
        value = self.bed.value()
        self.works(pages[1:], 1, value)

    def test_many_follow_another_leader_when_it_is_stuck(self):
        """A script that never ends in the page that leads: the others wait no longer than for a lost network."""
        panel, pages = self.open(3, without=NO_WORKER)
        panel.js("setTimeout(() => { const begun = performance.now(); while (performance.now() - begun < 12000); }, 50)")
        begun = time.monotonic()
        number = 0
        while time.monotonic() - begun < 9 and not number:
            self.bed.turn(1)
            text = self.bed.get()["text"]
            try:
                self.shows(pages[2], text, timeout=0.5)
                self.shows(pages[1], text, timeout=0.5)
                number = time.monotonic() - begun > 2
            except AssertionError:
                pass
        self.assertTrue(number, "the others are told again within nine seconds")

    def test_many_without_locks_or_channels_have_streams_of_their_own(self):
        """As many streams as pages; nothing is printed."""
        for without in (NO_LOCKS, NO_CHANNEL, FORBIDDEN, LOCKS_REFUSE):
            with self.subTest(without):
                before = self.bed.value()
                panel, pages = self.open(2, without=without)
                try:
                    self.works(pages, 2, before)
                finally:
                    panel.close()
                eventually(lambda: self.streams() == 0, "the streams end with their pages")

    def test_many_under_a_stricter_policy(self):
        """A page whose own policy trusts no type has no worker, which Chromium says, and the leader's stream."""
        self.tolerate("TrustedTypePolicy", "TrustedScriptURL")
        self.bed.web.stop()
        self.bed.web.options.append("csp = \"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                                    "require-trusted-types-for 'script'; trusted-types 'none'\"")
        self.bed.web.start()
        _, pages = self.open(3)
        self.works(pages, 1)

    def test_many_without_workers_in_the_policy(self):
        """worker-src 'none': the same."""
        self.tolerate("worker-src")
        self.bed.web.stop()
        self.bed.web.options.append("csp = \"default-src 'self'; worker-src 'none'\"")
        self.bed.web.start()
        _, pages = self.open(5)
        self.works(pages, 1)


class Own(Pages):
    """What is a page's own although they share a stream."""

    @quick
    def test_many_holds_end_with_their_document(self):
        """Each page may hold ten at once; what a closed page held is released, and what others hold is not."""
        _, pages = self.open(2, tag() + tag("bass"))
        holds = lambda: wire.get(self.bed.web.port, "/status").json()["holds"]  # noqa: E731
        for number, page in enumerate(pages):
            held = page.evaluate("""async (number) => { const host = document.querySelectorAll('stepper-control')[number];
              return Promise.all(Array.from({ length: 8 }, () => host.press('push').then((hold) => hold.held, (error) => error.code))); }""", number)
            # A control takes one press of an action at a time; the others are in the table until their lease ends.
            self.assertEqual([True] + [False] * 7, sorted(held, reverse=True), number)
        eventually(lambda: holds() == 2, lambda: f"{holds()} are held and not 2", 5)
        pages[1].close()
        eventually(lambda: holds() == 1, lambda: f"{holds()} are held and not 1", 5)
        self.assertTrue(pages[0].evaluate("document.querySelector('stepper-control').matches(':state(pressed)')"), "what others hold stays")

    @quick
    def test_many_pages_of_different_controls(self):
        """A page that comes later has its own controls, does not disturb those before it, and needs no stream of its own."""
        panel, pages = self.open(2)
        panel.js("() => { window.lost = []; document.addEventListener('stepper-connection', ({ detail }) => lost.push(detail)); }")
        self.press(pages[0])
        self.bed.wait_for_value(1)
        with open(f"{self.bed.web.pages}/other.html", "w", encoding="utf-8") as file:
            file.write(document(tag("bass") + tag("mute") + tag("none")))
        self.load(panel, pages[1], "/pages/other.html")
        self.assertTrue(pages[1].evaluate("document.querySelector('[name=none]').matches(':state(missing)')"))
        self.press(pages[1], "[name=bass]")
        self.bed.wait_for_value(1, "bass")
        self.shows(pages[1], "1", "[name=bass]")
        self.bed.turn(3)
        self.shows(panel.page, "4")
        self.assertEqual(1, self.streams())
        self.assertEqual([], panel.js("lost"))
        with open(f"{self.bed.web.pages}/german.html", "w", encoding="utf-8") as file:
            file.write(document(tag("bass"), lang="de"))
        self.load(panel, pages[1], "/pages/german.html")
        self.shows(pages[1], "1")
        self.assertEqual(1, self.streams(), "one for all languages")

    def test_many_names_that_the_server_does_not_take(self):
        """One page's names and patterns, of any length and number, take no page offline."""
        _, pages = self.open(2, tag() + "<stepper-connection></stepper-connection>")
        for page in pages:
            page.evaluate("() => { window.lost = []; document.addEventListener('stepper-connection', ({ detail }) => detail.connected || lost.push(detail)); }")
        pages[1].evaluate("""() => { window.list = document.createElement('stepper-panel'); list.setAttribute('match', 'volume');
          document.querySelector('stepper-control').replaceWith(list); }""")
        for number, match in enumerate((
                "x" * 256, ",".join(f"{'x' * 100}{letter}*" for letter in "abc"), "x\ty", "x\x7f", ",".join(f"{number:0250}" for number in range(60)),
                ",".join(f"{'ä' * 120}{number}" for number in range(30)), ",".join(f"x{number}" for number in range(65)))):
            with self.subTest(match[:20]):
                # The stream begins anew with the one name.
                pages[1].evaluate("list.setAttribute('match', 'volume')")
                pages[1].evaluate("probe.frames(6).then(() => document.querySelector('stepper-connection').setAttribute('href', '/api/v1'))")
                pages[1].evaluate("match => probe.frames(6).then(() => list.setAttribute('match', match))", f"{match},bass")
                pump(pages[1], lambda: pages[1].evaluate("!!document.querySelector('[name=bass]')"), "the page has both")
                self.bed.set(number + 1, "bass")
                self.shows(pages[1], str(number + 1), '[name="bass"]')
                self.bed.turn(1)
                self.shows(pages[0], self.bed.get()["text"])
                self.assertEqual(1, self.streams())
                self.assertEqual([[], []], [page.evaluate("lost") for page in pages])

    def test_many_tabs_that_die(self):
        """The worker forgets the port of a tab that answers nothing any more, but not one that was asleep for a while, or wants nothing yet."""
        for name, body in (("many", tag()), ("none", "")):
            with open(f"{self.bed.web.pages}/{name}.html", "w", encoding="utf-8") as file:
                file.write(document(body))
        panel = self.blank()
        panel.context.add_init_script("""window.count = 0; const Own = SharedWorker, post = MessagePort.prototype.postMessage;
          window.SharedWorker = function (...all) { const made = new Own(...all); made.port.addEventListener('message', () => { count += 1; }); return made; };
          MessagePort.prototype.postMessage = function (...all) { if (!window.dead) post.apply(this, all); };""")
        pages = [panel.page, self.another(panel), self.another(panel)]
        for page in pages:
            self.load(panel, page, "/pages/many.html")
        late = self.another(panel)
        self.load(panel, late, "/pages/none.html")
        for page in pages[1:]:
            page.evaluate("window.dead = true")
        pace(6)
        pages[2].evaluate("window.dead = false")
        heard = []

        def silent():
            heard.append(pages[1].evaluate("count"))
            return len(heard) > 40 and heard[-1] == heard[-40]
        pump(pages[1], lambda: pace(0.05) or silent(), "it is told nothing more", 12)
        self.bed.turn(1)
        late.evaluate("document.body.append(Object.assign(document.createElement('stepper-control'), { name: 'volume' }))")
        for page in (pages[0], pages[2], late):
            self.shows(page, "1")
        self.assertEqual(1, self.streams())

    def test_many_are_offline_and_back_together(self):
        """The daemon and the web program go and come; so do pages that were opened meanwhile."""
        self.tolerate(FAILED_REQUEST)
        panel, pages = self.open(3)
        self.bed.daemon.end()
        for page in pages:
            pump(page, lambda page=page: page.evaluate("document.querySelector('stepper-control').matches(':state(disconnected)')"), "offline", 3)
        late = self.another(panel)
        late.goto(f"{panel.origin}/pages/many.html")
        pump(late, lambda: late.evaluate("document.querySelector('stepper-control').matches(':state(disconnected)')"), "offline from the start", 4)
        self.bed.client.close()
        self.bed.start_daemon()
        self.bed.set(41)
        for page in [*pages, late]:
            self.shows(page, "41", timeout=10)
        self.bed.web.stop()
        pump(late, lambda: late.evaluate("document.querySelector('stepper-control').matches(':state(disconnected)')"), "offline", 3)
        self.bed.set(42)
        self.bed.web.start()
        for page in [*pages, late]:
            self.shows(page, "42", timeout=10)

    @quick
    def test_many_open_while_the_daemon_hangs(self):
        """A page that comes while the others are offline shows what they show, and follows when they do."""
        proxy = Proxy(self.bed.web.port)
        self.addCleanup(proxy.close)
        self.tolerate(FAILED_REQUEST)
        self.bed.web.end()
        self.bed.web.options.append(f'hosts = ["127.0.0.1:{proxy.port}"]')
        self.bed.web.start()
        self.bed.set(7)
        with open(f"{self.bed.web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag()))
        panel = browser.Panel(f"http://127.0.0.1:{proxy.port}")
        self.addCleanup(self.leave, panel)
        pages = [panel.page, self.another(panel)]
        for page in pages:
            self.load(panel, page, "/pages/many.html")
        offline = lambda page: page.evaluate("document.querySelector('stepper-control').matches(':state(disconnected)')")  # noqa: E731
        pages[1].evaluate("window.host = document.querySelector('stepper-control'); host.remove()")
        # Longer than a page waits until it says that it follows nothing any more.
        pace(1.5)
        proxy.freeze()
        pump(pages[0], lambda: offline(pages[0]), "the first one is offline", 8)
        pages[1].evaluate("document.body.append(host)")
        pump(pages[1], lambda: offline(pages[1]), "the second one is offline", 3)
        self.shows(pages[1], "7")
        proxy.thaw()
        for page in pages:
            pump(page, lambda page=page: not offline(page), "it is back", 10)
        self.bed.turn(1)
        for page in pages:
            self.shows(page, "8")
        suspend(self.bed.daemon.pid)
        try:
            pump(pages[0], lambda: offline(pages[0]), "the daemon is silent", 5)
            late = self.another(panel)
            late.goto(f"{panel.origin}/pages/many.html")
            pump(late, lambda: offline(late), "offline from the start", 4)
        finally:
            os.kill(self.bed.daemon.pid, signal.SIGCONT)
        self.bed.turn(1)
        for page in [*pages, late]:
            self.shows(page, "9", timeout=10)

    def lock(self):
        """From now on a token is needed."""
        web = self.bed.web
        web.stop()
        with open(f"{web.folder}/tokens", "w", encoding="utf-8") as file:
            file.write("operate a-token-of-sixteen\nview one-that-only-looks\n")
        os.chmod(f"{web.folder}/tokens", 0o600)
        web.options.append(f'token-file = "{web.folder}/tokens"')
        web.spawn()
        eventually(lambda: self.listens(web.port), "it listens", 10)

    def test_many_ask_for_the_token(self):
        """Put aside, the question comes again; it goes when the token was given elsewhere. Another right is seen at once."""
        self.tolerate(FAILED_REQUEST)
        self.lock()
        with open(f"{self.bed.web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag() + "<stepper-connection token-prompt></stepper-connection>"))
        panel = self.blank()
        panel.goto("/pages/many.html")
        asks = "!!document.querySelector('dialog[open]')"
        panel.until(asks, timeout=8)
        for key in "wrong":
            panel.page.keyboard.press(key)
        panel.page.keyboard.press("Enter")
        panel.until("document.querySelector('dialog [role=alert]')?.textContent === 'This is not an access token of this panel'")
        self.assertEqual(["INPUT", ""], panel.js("[document.activeElement.tagName, document.activeElement.value]"))
        panel.page.keyboard.press("Escape")
        panel.until("!document.querySelector('dialog')")
        panel.until(asks, timeout=15)
        # As a page would that shares no worker with this one.
        answer = panel.page.evaluate("""token => fetch('/api/v1/session', { method: 'POST', body: JSON.stringify({ token }),
          headers: { 'Content-Type': 'application/json', 'X-Stepper': '1' } }).then(({ status }) => status)""", "one-that-only-looks")
        self.assertEqual(200, answer)
        panel.until("!document.querySelector('dialog')", timeout=15)
        volume = panel.control()
        volume.wait_for_text("0")
        volume.wait_for_state("readonly")
        panel.js("document.querySelector('stepper-connection').signIn('a-token-of-sixteen')")
        volume.wait_for_state("readonly", False)
        volume.click("increment")
        self.bed.wait_for_value(1)

    def test_many_sign_in_together(self):
        """The token that one page is given lets in all."""
        self.tolerate(FAILED_REQUEST)
        web = self.bed.web
        self.lock()
        with open(f"{web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag() + "<stepper-connection></stepper-connection>"))
        panel = self.blank()
        pages = [panel.page, self.another(panel)]
        for page in pages:
            page.goto(f"{panel.origin}/pages/many.html")
            pump(page, lambda page=page: page.evaluate("document.querySelector('stepper-connection').problem") == "token", "a token is asked for", 8)
        pages[1].evaluate("document.querySelector('stepper-connection').signIn('a-token-of-sixteen')")
        for page in pages:
            self.shows(page, "0", timeout=8)

    @staticmethod
    def listens(port):
        try:
            return wire.ask(port).status == 200
        except OSError:
            return False


class Trouble(Pages):
    """What no server of ours sends."""

    def test_many_survive_nonsense(self):
        """Events that are none: the page is offline, prints nothing, and comes back with sense."""
        with open(f"{self.bed.web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag()))
        panel = self.blank()
        panel.context.add_init_script(NO_LOCKS)
        nonsense = ["event: snapshot\ndata: {\n\n", "event: snapshot\ndata: {}\n\n", "event: snapshot\ndata: null\n\n",
                    "event: snapshot\ndata: {\"instance\":1,\"controls\":[{}]}\n\n", "event: change\ndata: {\"states\":[null]}\n\n",
                    "event: change\ndata: 7\n\n", "event: daemon\ndata: null\n\n", "event: moment\ndata: {\"moments\":3}\n\n", "\x00\xff", ""]
        for text in nonsense:
            with self.subTest(text):
                panel.context.route("**/api/v1/events*", lambda route, text=text: route.fulfill(
                    status=200, headers={"Content-Type": "text/event-stream"}, body=f"retry: 100\n\n{text}"))
                panel.goto("/pages/many.html")
                pump(panel.page, lambda: panel.control().state("disconnected"), "it is offline", 8)
                panel.context.unroute("**/api/v1/events*")
                panel.control().wait_for_state("disconnected", False, 10)
                self.bed.turn(1)
                panel.control().wait_for_text(self.bed.get()["text"])

    @quick
    def test_many_style_sheets_that_fail_at_first(self):
        """They are asked for again; until they are there nothing is drawn, which would be without any style."""
        self.tolerate(FAILED_REQUEST, r"^error: stepper\.js: .*\.css: ")
        self.serve_modules()
        with open(f"{self.bed.web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag(look="uikit")))
        panel, failed = self.blank(), []

        def fail(route):
            failed.append(route.request.url)
            route.abort()
        panel.page.route("**/*.css", fail)
        panel.goto("/pages/many.html")
        pump(panel.page, lambda: failed, "they are asked for")
        pump(panel.page, lambda: panel.control().js("host.state"), "the page is told of the control")
        panel.frames(6)
        self.assertFalse(panel.control().has_part("base"))
        panel.page.unroute("**/*.css")
        panel.ready()
        self.assertEqual(["94px", "32px"], panel.control().style("buttons", "width", "height"))
        panel.control().click("increment")
        panel.control().wait_for_text("1")

    @quick
    def test_many_ignore_a_clock_that_jumps(self):
        """A year forward and two back, while a button is held and after it: nothing ends, nothing sticks."""
        panel = self.blank()
        panel.context.add_init_script("""window.jump = 0; const now = Date.now; Date.now = () => now() + window.jump;
          Date = new Proxy(Date, { construct: (target, words) => (words.length ? new target(...words) : new target(Date.now())) });""")
        with open(f"{self.bed.web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag()))
        volume = panel.goto("/pages/many.html").ready().control()
        volume.press("increment")
        for year in (1, -2):
            value = self.bed.value()
            panel.js("years => { window.jump += years * 365 * 86400e3; }", year)
            eventually(lambda value=value: self.bed.value() > value + 2, "it repeats", 8)
            self.assertTrue(volume.state("pressed-increment"))
        volume.release()
        eventually(lambda: not self.bed.get()["editing"], "it is released")
        self.bed.turn(1)
        volume.wait_for_text(self.bed.get()["text"])

    @quick
    def test_many_pages_are_in_no_frame(self):
        """Refused in a frame of the same origin, but for what the policy of the kiosk maker's pages allows."""
        self.tolerate("frame")
        web = self.bed.web
        web.stop()
        web.options.append("csp = \"default-src 'self'; frame-ancestors 'self'\"")
        web.start()
        with open(f"{web.pages}/many.html", "w", encoding="utf-8") as file:
            file.write(document(tag()))
        with open(f"{web.pages}/outer.html", "w", encoding="utf-8") as file:
            file.write("<!doctype html><html lang=en><title>Outer</title><iframe id=own src=many.html></iframe><iframe id=panel src=/></iframe>")
        panel = self.blank().goto("/pages/outer.html")
        frames = {frame.frame_element().get_attribute("id"): frame for frame in panel.page.frames[1:]}
        pump(panel.page, lambda: frames["own"].evaluate("probe.ready()"), "that of the pages is shown", 8)
        self.assertNotIn("stepper-panel", frames["panel"].content())
