"""What section 6 promises, attacked: from a hostile page in the same browser, by paths, by guessing."""

import http.server
import os
import re
import signal
import threading

from waiting import eventually

from bed import browser, wire
from bed.case import FAILED_REQUEST, PanelTest, quick, tag
from bed.programs import configuration, control

#: Everything that a page may try against another origin. It says what it could read.
ATTACK = """
const target = new URLSearchParams(location.search).get('target');
const found = [];
const attempts = [
  ['read', () => fetch(`${target}/api/v1/controls`).then((r) => r.text())],
  ['read with credentials', () => fetch(`${target}/api/v1/controls`, { credentials: 'include' }).then((r) => r.text())],
  ['read without CORS', () => fetch(`${target}/api/v1/controls`, { mode: 'no-cors' }).then((r) => r.text()).then((t) => t || Promise.reject())],
  ['post as JSON', () => fetch(`${target}/api/v1/controls/volume/step`, { method: 'POST', body: '{"steps":1}',
    headers: { 'Content-Type': 'application/json', 'X-Stepper': '1' } }).then((r) => r.text())],
  ['post as text', () => fetch(`${target}/api/v1/controls/volume/step`, { method: 'POST', mode: 'no-cors', body: '{"steps":1}' })
    .then(() => Promise.reject())],
  ['beacon', () => Promise.reject(navigator.sendBeacon(`${target}/api/v1/controls/volume/step`, '{"steps":1}'))],
  ['beacon as JSON', () => Promise.reject(navigator.sendBeacon(`${target}/api/v1/controls/volume/step`,
    new Blob(['{"steps":1}'], { type: 'application/json' })))],
  ['events', () => new Promise((resolve, reject) => {
    const source = new EventSource(`${target}/api/v1/events`);
    source.onopen = () => resolve('opened');
    for (const type of ['message', 'snapshot', 'change', 'tick']) source.addEventListener(type, (event) => resolve(event.data));
    source.onerror = () => { source.close(); reject(); };
  })],
  ['web socket', () => new Promise((resolve, reject) => {
    const socket = new WebSocket(`${target.replace('http', 'ws')}/api/v1/events`);
    socket.onopen = () => resolve('opened');
    socket.onerror = () => reject();
  })],
  ['module', () => import(`${target}/stepper.js`).then(() => 'loaded')],
  ['script', () => load('script', 'src', `${target}/stepper.js`)],
  ['style', () => load('link', 'href', `${target}/looks.css`, { rel: 'stylesheet' })],
  ['data as a script', () => load('script', 'src', `${target}/api/v1/controls`)],
  ['frame', () => new Promise((resolve, reject) => {
    const frame = document.createElement('iframe');
    frame.src = `${target}/`;
    frame.onload = () => { try { resolve(frame.contentDocument.body.innerHTML); } catch { reject(); } };
    frame.onerror = () => reject();
    document.body.append(frame);
    setTimeout(reject, 3000);
  })],
];
function load(kind, attribute, address, more = {}) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(kind), more);
    element.onload = () => resolve('loaded');
    element.onerror = () => reject();
    element[attribute] = address;
    document.head.append(element);
    setTimeout(reject, 3000);
  });
}
for (const method of ['post', 'get']) {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const frame = document.createElement('iframe');
    frame.name = `${method} ${type}`;
    const form = Object.assign(document.createElement('form'), { method, enctype: type, target: frame.name,
      action: `${target}/api/v1/controls/volume/step` });
    const input = Object.assign(document.createElement('input'), { name: '{"steps":1,"x":"', value: '"}' });
    form.append(input);
    document.body.append(frame, form);
    form.submit();
  }
}
Promise.all(attempts.map(([name, attempt]) => Promise.resolve().then(attempt)
  .then((value) => found.push(`${name}: ${String(value).slice(0, 60)}`), () => {})))
  .then(() => { window.result = found; });
"""


class Hostile(http.server.BaseHTTPRequestHandler):
    """A site that attacks."""

    def do_GET(self):  # noqa: N802
        body = f"<!doctype html><title>Evil</title><body><script>{ATTACK}</script>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class HostilePage(PanelTest):
    """In a browser that also has a panel open."""

    tolerated = (".",)

    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def leave(self, panel):
        panel.close()

    def test_43_page_of_another_site(self):
        """It can neither read nor move a control; the panel beside it works."""
        panel, found = self.attacked("evil.example")
        self.assertEqual([], found)
        self.assertEqual(0, self.bed.value())
        self.bed.turn(3)
        panel.control().wait_for_text("3")

    def test_43_page_of_another_port(self):
        """The same site by the browser's rules, but another origin."""
        _, found = self.attacked("127.0.0.1")
        self.assertEqual([], found)
        self.assertEqual(0, self.bed.value())

    def attacked(self, name):
        """`attack`, until the page has tried everything."""
        chromium = browser.launch("--host-resolver-rules=MAP evil.example 127.0.0.1")
        self.addCleanup(chromium.close)
        panel = self.show(tag(), chromium=chromium)
        page = panel.context.new_page()
        page.goto(f"http://{name}:{self.server.server_port}/?target={self.bed.web.origin}")
        browser.pump(page, lambda: page.evaluate("Array.isArray(window.result)"), "every attempt ended", 20)
        return panel, page.evaluate("window.result")

    @quick
    def test_43_rebound_name(self):
        """A name of the attacker that leads to the panel: its pages are of the same origin, and still refused."""
        chromium = browser.launch("--host-resolver-rules=MAP evil.example 127.0.0.1")
        self.addCleanup(chromium.close)
        page = chromium.new_page()
        base = f"http://evil.example:{self.bed.web.port}"
        for path in ["/", "/stepper.js", "/api/v1/controls", "/pages/none"]:
            self.assertEqual(421, page.goto(f"{base}{path}").status, path)
        self.assertEqual(421, page.evaluate("fetch('/api/v1/controls').then((r) => r.status)"))
        self.assertEqual(421, page.evaluate(
            "fetch('/api/v1/controls/volume/step', {method: 'POST', body: '{\"steps\":1}', headers: "
            "{'Content-Type': 'application/json', 'X-Stepper': '1'}}).then((r) => r.status)"))
        self.assertEqual(0, self.bed.value())


class Paths(PanelTest):
    """The folder of pages, and nothing else."""

    @quick
    def test_43_paths_stay_beneath_the_folder(self):
        """No way up, no link out, no dot file, no listing."""
        pages, port = self.bed.web.pages, self.bed.web.port
        secret = f"{self.bed.web.folder}/secret.html"
        for path in [secret, f"{pages}/.hidden", f"{pages}/page.html"]:
            with open(path, "w", encoding="utf-8") as file:
                file.write("SECRET" if path != f"{pages}/page.html" else "page")
        os.makedirs(f"{pages}/.git")
        os.makedirs(f"{pages}/folder")
        for path in [f"{pages}/.git/config", f"{pages}/folder/.env"]:
            with open(path, "w", encoding="utf-8") as file:
                file.write("SECRET")
        os.symlink(secret, f"{pages}/link.html")
        os.symlink("../secret.html", f"{pages}/relative.html")
        os.symlink(self.bed.web.folder, f"{pages}/up")
        os.symlink("/", f"{pages}/root")
        os.mkfifo(f"{pages}/fifo")
        os.symlink("/dev/zero", f"{pages}/zero")
        self.assertEqual(200, wire.ask(port, path="/pages/page.html").status)
        for path in ["../secret.html", "%2e%2e/secret.html", "..%2fsecret.html", "%2e%2e%2fsecret.html", "..%5csecret.html", "..\\secret.html",
                     "folder/../../secret.html", "./../secret.html", "....//secret.html", "%252e%252e/secret.html", "link.html", "relative.html",
                     "up/secret.html", f"root{secret}", "root/etc/passwd", ".hidden", ".git/config", "folder/.env", "folder", "folder/", "",
                     "page.html/", "page.html%00.txt", "%00", "//etc/passwd", secret, "fifo", "zero", "page.html/../../secret.html",
                     "..;/secret.html", "%c0%ae%c0%ae/secret.html", "page.htm%", "a" * 5000]:
            answer = wire.ask(port, path=f"/pages/{path}")
            self.assertIn(answer.status, (400, 404), path)
            self.assertNotIn(b"SECRET", answer.body, path)
            self.assertNotIn(b"root:", answer.body, path)
        for path in ["/../Package.swift", "/..%2f..%2fPackage.swift", "/stepper/../../README.md", "/stepper/", "/stepper", "/.", "/..", "//"]:
            answer = wire.ask(port, path=path)
            self.assertIn(answer.status, (400, 404) if path != "//" else (200, 400, 404), path)
            self.assertNotIn(b"swift-tools-version", answer.body, path)
        self.assertEqual(200, wire.ask(port, path="/").status, "it still serves")

    @quick
    def test_43_names_of_controls_are_no_paths(self):
        """What is in place of a name is a name."""
        port = self.bed.web.port
        for name in ["..", "%2e%2e", "volume%2fset", "volume%00", "*", "v*", "a" * 65, "%ff", "VOLUME", "<b>"]:
            answer = wire.get(port, f"/controls/{name}")
            self.assertIn(answer.status, (400, 404), name)
        self.assertEqual("application/problem+json", wire.get(port, "/controls/none").header("content-type").split(";")[0])


class Tokens(PanelTest):
    """Where a token is wanted."""

    tables = configuration(control())
    view, operate = "v" * 32, "o" * 32

    def setUp(self):
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"stepperd-web-token.{os.getpid()}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"view {self.view}\noperate {self.operate}\n")
        os.chmod(path, 0o600)
        self.addCleanup(os.unlink, path)
        self.token_file = path
        self.options = [f'token-file = "{path}"']
        super().setUp()

    @quick
    def test_43_without_a_token_nothing(self):
        """Neither reading nor changing; the files of the panel are no secret."""
        port = self.bed.web.port
        for path in ["/controls", "/controls?settings=1", "/controls/volume", "/events", "/status"]:
            self.assertEqual(401, wire.get(port, path).status, path)
        self.assertEqual(401, wire.post(port, "/controls/volume/step", {"steps": 1}).status)
        self.assertEqual(401, wire.post(port, "/holds", {"hold": "a" * 22, "control": "volume", "action": "increment"}).status)
        self.assertEqual(0, self.bed.value())

    @quick
    def test_43_tokens_of_programs(self):
        """One reads, one reads and changes."""
        port = self.bed.web.port

        def bearer(token):
            return {"Authorization": f"Bearer {token}"}
        self.assertEqual(200, wire.get(port, "/controls", bearer(self.view)).status)
        self.assertEqual(403, wire.post(port, "/controls/volume/step", {"steps": 1}, bearer(self.view)).status)
        self.assertEqual(200, wire.post(port, "/controls/volume/step", {"steps": 1}, bearer(self.operate)).status)
        self.assertEqual(1, self.bed.value())
        for wrong in ["", self.view[:-1], self.view + "v", self.view.upper()]:
            self.assertEqual(401, wire.get(port, "/controls", bearer(wrong)).status, wrong)

    @quick
    def test_43_cookie_of_a_session(self):
        """Set by a token, not readable by a script, gone by DELETE."""
        port = self.bed.web.port
        answer = wire.post(port, "/session", {"token": self.operate})
        self.assertIn(answer.status, (200, 201, 204))
        cookie = answer.header("set-cookie")
        words = {word.strip().lower() for word in cookie.split(";")[1:]}
        self.assertLessEqual({"httponly", "samesite=strict", "path=/"}, words)
        jar = {"Cookie": cookie.split(";")[0]}
        self.assertEqual(200, wire.get(port, "/controls", jar).status)
        self.assertEqual(200, wire.post(port, "/controls/volume/step", {"steps": 1}, jar).status)
        self.assertEqual(403, wire.post(port, "/controls/volume/step", {"steps": 1}, {**jar, "Origin": "http://evil.example"}).status)
        left = wire.ask(port, "DELETE", "/api/v1/session", {**wire.OURS, **jar})
        self.assertIn(left.status, (200, 204))
        self.assertRegex(left.header("set-cookie"), "(?i)max-age=0|expires=")

    @quick
    def test_43_guessing_is_slow(self):
        """Five wrong ones a minute, then 429; the right one is let in, also where all come from one address."""
        port = self.bed.web.port
        statuses = [wire.post(port, "/session", {"token": f"{number:032d}"}).status for number in range(7)]
        self.assertEqual([401] * 5 + [429] * 2, statuses)
        self.assertEqual(429, wire.get(port, "/controls", {"Authorization": "Bearer wrong"}).status)
        self.assertEqual(200, wire.post(port, "/session", {"token": self.operate}).status)

    @quick
    def test_43_token_that_is_taken_away(self):
        """The file is read again when it changes, in place or by another one, and at SIGHUP; the stream of a token ends with it."""
        port, path = self.bed.web.port, self.token_file
        both = f"view {self.view}\noperate {self.operate}\n"

        def status(token):
            return wire.get(port, "/status", {"Authorization": f"Bearer {token}"}).status

        def write(text, by_rename):
            target = f"{path}.new" if by_rename else path
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(target, 0o600)
            if by_rename:
                os.rename(target, path)
        for by_rename in [False, True, False]:
            stream = wire.Events(port, headers={"Authorization": f"Bearer {self.operate}"})
            self.addCleanup(stream.socket.close)
            stream.next("stream")
            write(f"view {self.view}\n", by_rename)
            self.assertTrue(stream.closed(5), "the stream ends")
            self.assertEqual([200, 401], [status(self.view), status(self.operate)])
            write(both, by_rename)
            eventually(lambda: status(self.operate) == 200, "the token is valid again", 5)
        os.chmod(path, 0o602)
        eventually(lambda: status(self.view) == 401, "a file that others can write gives nothing", 5)
        self.assertIn("can be written by others", self.bed.web.text())
        os.chmod(path, 0o600)
        eventually(lambda: status(self.view) == 200, "it is trusted again", 5)
        count = self.bed.web.text().count("read again")
        self.bed.web.process.send_signal(signal.SIGHUP)
        eventually(lambda: self.bed.web.text().count("read again") > count, "SIGHUP has it read again", 5)
        self.assertEqual(200, status(self.view))

    def test_43_token_of_a_kiosk(self):
        """In the part of the address that no server sees: the panel works, and the token is in no request's address."""
        # What the document names is asked for before its script has the token.
        self.tolerate(FAILED_REQUEST + r".* 401 \(Unauthorized\) .*/controls\?settings=1\)")
        panel = self.blank().goto(f"/#token={self.operate}")
        self.bed.turn(4)
        panel.until("[...document.querySelectorAll('*')].some(function f(e) { return e.localName === 'stepper-control' && e.text === '4' ||"
                    " [...(e.shadowRoot?.querySelectorAll('*') ?? [])].some(f); })", "the panel shows the volume")
        self.assertFalse([request.url for request in panel.asked if self.operate in re.sub("#.*", "", request.url)])
        self.assertNotIn(self.operate, self.bed.web.text())
        self.assertTrue(all(cookie["httpOnly"] for cookie in panel.context.cookies()))

    def test_43_token_put_into_the_address(self):
        """Of a page that is open already and asks for one: it is taken, and leaves the address at once."""
        self.tolerate(FAILED_REQUEST)
        panel = self.blank().goto("/")
        panel.until("!!document.querySelector('stepper-connection dialog[open]')", "the token is asked for")
        panel.js(f"location.hash = 'token={self.operate}'")
        panel.until("!document.querySelector('stepper-connection dialog') && !!document.querySelector('stepper-control')?.text", "it is taken")
        self.assertEqual("", panel.js("location.hash"))
