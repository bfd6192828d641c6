"""Checks 1 and 43: nothing from elsewhere, and every request that is not ours is refused."""

import json
import re
import subprocess

from bed import browser, wire
from bed.case import PanelTest, document, quick, tag
from bed.programs import WebProgram, configuration, control

CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types stepper")
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cross-origin-resource-policy": "same-origin",
           "cross-origin-opener-policy": "same-origin"}
KIBIBYTE = 1024


def directives(policy):
    """A policy as a table; the order means nothing."""
    return {words[0]: set(words[1:]) for words in (part.split() for part in policy.split(";")) if words}


class Alone(PanelTest):
    """Check 1."""

    tables = configuration(control("volume", 'title = "Volume"'), control("mute", 'kind = "toggle"'))

    @quick
    def test_01_panel_loads_with_the_network_off(self):
        """No name but the panel's own is resolved; nothing is asked of others, nothing printed, every answer has its policy."""
        chromium = browser.launch("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
        self.addCleanup(chromium.close)
        panel = self.blank(chromium=chromium).goto("/")
        panel.until("document.querySelectorAll('stepper-panel, stepper-control').length > 0", "the panel has controls")
        panel.until("/Volume/.test(document.body.innerText + [...document.querySelectorAll('*')].map(e => e.shadowRoot?.textContent ?? '').join())")
        self.assertGreater(len(panel.answers), 3)
        for answer in panel.answers:
            headers = answer.all_headers() if "text/event-stream" not in answer.headers.get("content-type", "") else answer.headers
            self.assertEqual(directives(CSP), directives(headers.get("content-security-policy", "")), answer.url)
            for name, value in HEADERS.items():
                self.assertEqual(value, headers.get(name), f"{name} of {answer.url}")
            self.assertEqual(200, answer.status, answer.url)

    @quick
    def test_01_sizes(self):
        """Unpacked, as the browser reads it: the script of a page with a stepper is at most 68 KiB and 80 KiB of style sheets, which
        are in it; all that "/" loads is at most 168 KiB.

        What is sent for it is counted by test_load. Modules, which a checkout without esbuild serves, have comments.
        """
        panel = self.show(tag())
        scripts = self.loaded(panel, r"\.js$")
        self.assertIn("/stepper.js", scripts)
        if not any("/immutable/" in path for path in scripts):
            self.skipTest("the modules are served")
        self.assertLessEqual(sum(scripts.values()), (68 + 80) * KIBIBYTE, scripts)
        panel = self.blank().goto("/")
        panel.until("document.querySelector('stepper-panel') !== null")
        panel.frames(30)
        files = self.loaded(panel, r"")
        self.assertGreater(len(files), len(scripts))
        self.assertLessEqual(sum(files.values()), 168 * KIBIBYTE, files)

    def loaded(self, panel, pattern):
        """The files of the panel that a page has loaded, with their sizes."""
        answers = {answer.url.removeprefix(panel.origin): answer for answer in panel.answers if answer.status == 200}
        return {path: len(answer.body()) for path, answer in answers.items()
                if not path.startswith(("/api/", "/pages/")) and re.search(pattern, path.partition("?")[0])}

    @quick
    def test_01_every_answer_has_its_policy(self):
        """Also refusals, errors, and what is no file."""
        port = self.bed.web.port
        for method, path in [("GET", "/"), ("GET", "/stepper.js"), ("GET", "/none"), ("GET", "/api/v1/controls"), ("GET", "/api/v1/none"),
                             ("GET", "/api/v1/controls/none"), ("POST", "/api/v1/holds"), ("OPTIONS", "/"), ("PUT", "/x"), ("GET", "/pages/none")]:
            answer = wire.ask(port, method, path)
            self.assertEqual(directives(CSP), directives(answer.header("content-security-policy") or ""), f"{method} {path}: {answer.status}")
            for name, value in HEADERS.items():
                self.assertEqual(value, answer.header(name), f"{name} of {method} {path}: {answer.status}")
            self.assertFalse([name for name in answer.headers if name.startswith("access-control-")], path)
            self.assertIsNone(answer.header("set-cookie"), "no cookie without a token")

    @quick
    def test_01_files_are_kept_by_their_hash(self):
        """A file has an ETag and is asked again; the interface is not stored."""
        port = self.bed.web.port
        first = wire.ask(port, path="/stepper.js")
        self.assertEqual("no-cache", first.header("cache-control"))
        self.assertEqual(304, wire.ask(port, path="/stepper.js", headers={"If-None-Match": first.header("etag")}).status)
        self.assertEqual("no-store", wire.get(port, "/controls").header("cache-control"))


class Refusals(PanelTest):
    """Check 43."""

    def volume(self):
        return self.bed.value()

    @quick
    def test_43_foreign_host(self):
        """A rebound page's own name is in Host: 421, for every request and method."""
        port = self.bed.web.port
        for host in ["evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", f"127.0.0.1:{port}.evil.example", f"[::2]:{port}",
                     f"localhost:{port + 1}", "127.0.0.1:1", "", f"127.0.0.1:{port}@evil.example", f"127.0.0.1:{port},evil.example"]:
            for method, path in [("GET", "/"), ("GET", "/stepper.js"), ("GET", "/api/v1/controls"), ("GET", "/api/v1/events"),
                                 ("POST", "/api/v1/controls/volume/step"), ("OPTIONS", "/"), ("HEAD", "/"), ("GET", "/none")]:
                body = b'{"steps":1}' if method == "POST" else None
                answer = wire.ask(port, method, path, {"Host": host, **(wire.OURS if body else {})}, body)
                self.assertIn(answer.status, (421, 400) if host == "" else (421,), f"{host!r} {method} {path}")
        for host in [f"localhost:{port}", f"127.0.0.1:{port}", f"LOCALHOST:{port}"]:
            self.assertEqual(200, wire.ask(port, headers={"Host": host}).status, host)
        self.assertEqual(0, self.volume())

    @quick
    def test_43_no_host_or_two(self):
        """Neither none nor two names are taken for ours."""
        port = self.bed.web.port
        self.assertIn(wire.ask(port, path="/api/v1/controls", headers={"Host": None}).status, (400, 421))
        two = wire.ask(port, path="/api/v1/controls", headers={"Host": [f"127.0.0.1:{port}", "evil.example"]})
        self.assertIn(two.status, (400, 421))
        other = wire.ask(port, path="/api/v1/controls", headers={"Host": ["evil.example", f"127.0.0.1:{port}"]})
        self.assertIn(other.status, (400, 421))
        with wire.Exchange(port) as exchange:  # the name in the request's line counts, where one is
            exchange.request("GET", "http://evil.example/api/v1/controls")
            self.assertIn(exchange.answer().status, (400, 404, 421))

    @quick
    def test_43_foreign_origin(self):
        """A POST is only of our own pages, or of a program that is no browser."""
        port = self.bed.web.port
        own = f"http://127.0.0.1:{port}"

        def step(**headers):
            return wire.post(port, "/controls/volume/step", {"steps": 1}, {key.replace("_", "-"): value for key, value in headers.items()})
        for origin in ["http://evil.example", "null", f"https://127.0.0.1:{port}.evil.example", "http://127.0.0.1:1", "http://127.0.0.1",
                       f"{own}.evil.example", f"{own}@evil.example", "", f"{own} http://evil.example"]:
            self.assertEqual(403, step(Origin=origin).status, repr(origin))
        self.assertEqual(403, step(Sec_Fetch_Site="same-origin").status, "a browser that says no origin")
        for site in ["cross-site", "same-site"]:
            self.assertEqual(403, step(Origin=own, Sec_Fetch_Site=site).status, site)
        self.assertEqual(0, self.volume())
        self.assertEqual(200, step(Origin=own, Sec_Fetch_Site="same-origin").status)
        self.assertEqual(200, step().status)
        self.assertEqual(2, self.volume())

    @quick
    def test_43_site_of_reading(self):
        """Reading and following are refused to other sites, too."""
        port = self.bed.web.port
        for site in ["cross-site", "same-site"]:
            for path in ["/api/v1/controls", "/api/v1/events", "/api/v1/status", "/api/v1/controls/volume"]:
                self.assertEqual(403, wire.ask(port, path=path, headers={"Sec-Fetch-Site": site}).status, f"{site} {path}")
        self.assertEqual(200, wire.ask(port, path="/api/v1/controls", headers={"Sec-Fetch-Site": "same-origin"}).status)
        self.assertEqual(200, wire.ask(port, path="/api/v1/controls", headers={"Sec-Fetch-Site": "none"}).status)

    @quick
    def test_43_posts_that_a_form_can_make(self):
        """Without our header, or as text: nothing moves."""
        port = self.bed.web.port
        body = b'{"steps":1}'
        path = "/api/v1/controls/volume/step"
        self.assertEqual(403, wire.ask(port, "POST", path, {"Content-Type": "application/json"}, body).status)
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "",
                     "text/plain; application/json", None]:
            self.assertEqual(415, wire.ask(port, "POST", path, {**wire.OURS, "Content-Type": kind}, body).status, kind)
        for kind in ["application/json; charset=utf-8", "Application/JSON"]:
            self.assertEqual(200, wire.ask(port, "POST", path, {**wire.OURS, "Content-Type": kind}, body).status, kind)
        self.assertEqual(2, self.volume())

    @quick
    def test_43_nothing_changes_by_get(self):
        """GET and HEAD of what changes are refused, with or without a query."""
        port = self.bed.web.port
        for method in ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]:
            for path in ["/controls/volume/step?steps=1", "/controls/volume/set?value=5", "/controls/volume/reset", "/holds", "/holds/x/release"]:
                answer = wire.ask(port, method, f"/api/v1{path}", wire.OURS, b'{"steps":1}' if method not in ("GET", "HEAD") else None)
                self.assertIn(answer.status, (403, 404, 405), f"{method} {path}")
        self.assertEqual(405, wire.ask(port, "OPTIONS", "/api/v1/controls", {
            "Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}).status)
        self.assertEqual(0, self.volume())

    @quick
    def test_43_body_of_nine_kibibytes(self):
        """413, by its length or in chunks; the largest one that is allowed passes."""
        port = self.bed.web.port
        large = json.dumps({"steps": 1, "more": "x" * 9 * KIBIBYTE}).encode()
        self.assertEqual(413, wire.ask(port, "POST", "/api/v1/controls/volume/step", wire.OURS, large).status)
        with wire.Exchange(port) as exchange:
            exchange.request("POST", "/api/v1/controls/volume/step", {**wire.OURS, "Transfer-Encoding": "chunked"})
            exchange.send(b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (large[:4096], large[4096:8192], large[8192:])) + b"0\r\n\r\n")
            self.assertEqual(413, exchange.answer().status)
        with wire.Exchange(port) as exchange:  # it need not be sent to be refused
            exchange.request("POST", "/api/v1/controls/volume/step", {**wire.OURS, "Content-Length": "99999999999999999999"})
            self.assertIn(exchange.answer().status, (400, 413))
        self.assertEqual(0, self.volume())

    @quick
    def test_43_sixty_fifth_hold(self):
        """429; the others go on."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        port = self.bed.web.port
        requests = b""
        for number in range(65):
            body = json.dumps({"hold": f"{number:022d}", "control": "volume", "action": "increment"}).encode()
            requests += (f"POST /api/v1/holds HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nX-Stepper: 1\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        with wire.Exchange(port) as exchange:  # all at once, within the lease of the first
            exchange.send(requests)
            statuses = [exchange.answer().status for _ in range(65)]
        self.assertIn(429, statuses)
        self.assertEqual(429, statuses[-1], statuses)
        self.assertTrue(all(status in (201, 429) for status in statuses), statuses)

    @quick
    def test_43_no_open_door_without_a_token(self):
        """It listens beyond the loopback address only with a token, and says so."""
        for listen in ["0.0.0.0:0", f"0.0.0.0:{self.bed.web.port + 1}", "[::]:0"]:
            web = WebProgram(self.bed.daemon, listen=listen)
            self.addCleanup(web.end)
            web.spawn()
            try:
                status = web.process.wait(15)
            except subprocess.TimeoutExpired:
                self.fail(f"{listen}: it started")
            self.assertNotEqual(0, status)
            self.assertIn("token", web.text())

    @quick
    def test_43_title_is_text(self):
        """HTML in titles, units, choices and in the control that is missing is shown, and is nothing else."""
        evil = "<img src=x onerror=document.title=1><script>document.title=2</script>"
        bed = self.make_bed(configuration(
            control("volume", f'title = "{evil}"', 'unit = "<b>dB</b>"'),
            control("page", f'choices = [{{ name = "a", title = "{evil}" }}, "b"]', 'profile = "picker"'),
            control("mute", 'kind = "toggle"', f'title = "{evil}"')))
        body = tag("volume") + tag("page") + tag("page", as_="menu") + tag("mute") + tag("<i>none</i>")
        panel = self.show(body, bed)
        text = panel.js("[...document.querySelectorAll('stepper-control')].map(e => e.shadowRoot.textContent).join()")
        self.assertIn(evil, text)
        self.assertEqual(0, panel.js("[...document.querySelectorAll('stepper-control')]"
                                     ".reduce((n, e) => n + e.shadowRoot.querySelectorAll('img[onerror], script, b, i').length, 0)"))
        self.assertEqual("Test", panel.js("document.title"))
        panel.goto("/")
        panel.until("document.querySelector('stepper-panel') !== null")
        panel.frames(10)
        self.assertNotIn(panel.js("document.title"), ("1", "2"))

    def test_43_pages_have_the_same_policy(self):
        """A page of the kiosk maker with a script of its own in the page: it does not run."""
        self.tolerate("Content Security Policy", "Content-Security-Policy")
        with open(f"{self.bed.web.pages}/inline.html", "w", encoding="utf-8") as file:
            file.write(document(tag(), head="<script>document.title = 'ran'</script>"))
        panel = self.blank().goto("/pages/inline.html").ready()
        self.assertEqual("Test", panel.js("document.title"))
        self.assertTrue(panel.messages, "Chromium says that it refused")
