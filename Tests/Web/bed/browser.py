"""Debian's Chromium, and pages in it that watch what they print and what they ask for."""

import os
import sys
import time

from playwright.sync_api import Error, sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{os.path.dirname(os.path.dirname(HERE))}/Support")

from waiting import PATIENCE, eventually  # noqa: E402

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
#: The same pixels on every machine; everything that Chromium asks of the world is off.
ARGUMENTS = ["--force-color-profile=srgb", "--font-render-hinting=none", "--disable-lcd-text", "--disable-background-networking",
             "--disable-component-update", "--no-first-run", "--disable-features=Translate"]
with open(f"{HERE}/probe.js", encoding="utf-8") as _file:
    PROBE = _file.read()
_running = {}


def driver():
    """Playwright, once in this process."""
    if "driver" not in _running:
        _running["driver"] = sync_playwright().start()
    return _running["driver"]


def launch(*more, **options):
    """One more Chromium. As root it has no sandbox."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return driver().chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *sandbox, *more], **options)


def browser():
    """The Chromium of this process."""
    if "browser" not in _running or not _running["browser"].is_connected():
        _running["browser"] = launch()
    return _running["browser"]


def finish():
    """Ends it."""
    if "browser" in _running:
        _running.pop("browser").close()
    if "driver" in _running:
        _running.pop("driver").stop()


def pump(page, probe, what, timeout=5.0):
    """`eventually`, while playwright goes on handling the page's events."""
    def look():
        page.evaluate("0")
        return probe()
    return eventually(look, what, timeout)


class Panel:
    """A page of the web program at `origin`. `messages` are what it printed, `foreign` what it asked of others."""

    def __init__(self, origin, chromium=None, **context):
        self.origin = origin
        self.messages, self.foreign, self.failed, self.asked, self.answers = [], [], [], [], []
        self.context = (chromium or browser()).new_context(
            **{"device_scale_factor": 2, "viewport": {"width": 900, "height": 700}, **context})
        self.context.set_default_timeout(10_000 * PATIENCE)
        self.context.add_init_script(PROBE)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text} ({message.location.get('url')})"))
        self.page.on("pageerror", lambda error: self.messages.append(f"uncaught: {error}"))
        self.page.on("request", self._request)
        self.page.on("response", lambda answer: self.answers.append(answer))
        self.page.on("requestfailed", lambda request: self.failed.append(request.url))
        self._devtools = None

    def _request(self, request):
        self.asked.append(request)
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.foreign.append(request.url)

    @property
    def devtools(self):
        """Chromium's own protocol, for this page."""
        if self._devtools is None:
            self._devtools = self.context.new_cdp_session(self.page)
        return self._devtools

    def goto(self, path):
        """Loads a page of the origin."""
        self.page.goto(f"{self.origin}{path}", wait_until="load")
        return self

    def js(self, expression, argument=None):
        """What an expression or a function of one argument is in the page."""
        return self.page.evaluate(expression, argument)

    def control(self, selector="stepper-control"):
        """An element of it."""
        return Control(self, selector)

    def controls(self):
        """All elements of it, in document order."""
        count = self.js("probe.number()")
        return [Control(self, f'[data-probe="{index}"]') for index in range(count)]

    def ready(self, timeout=10.0):
        """Waits until every control has what the daemon says of it, or knows that it is missing, and is drawn."""
        pump(self.page, lambda: self.js("probe.ready()"), lambda: f"controls are ready: {self.js('probe.unready()')}; {self.messages}", timeout)
        self.frames(3)
        return self

    def frames(self, count=2):
        """Waits until so many more frames are painted."""
        self.js("count => probe.frames(count)", count)

    def settle(self):
        """Waits until no transition and no animation is under way."""
        self.frames(2)
        self.until("[...document.querySelectorAll('stepper-control')].every((one) => one.shadowRoot.getAnimations().every((each) => each.playState !== 'running'"
                   " || each.timeline !== document.timeline))", "it rests", 8)
        self.frames(2)

    def until(self, expression, what=None, timeout=5.0):
        """Waits until an expression is true in the page, and returns it."""
        return pump(self.page, lambda: self.js(expression), lambda: f"{what or expression}; {self.messages}", timeout)

    def media(self, **features):
        """Emulates media features: color_scheme, reduced_motion, forced_colors, contrast."""
        self.page.emulate_media(**features)
        self.frames()

    def tree(self):
        """The nodes of the accessibility tree that are not ignored."""
        self.devtools.send("Accessibility.enable")
        nodes = self.devtools.send("Accessibility.getFullAXTree")["nodes"]
        return [Node(node, self.devtools) for node in nodes if not node.get("ignored")]

    def close(self):
        """Closes it; it may be gone with its browser."""
        try:
            self.context.close()
        except Error as error:
            if "closed" not in str(error):
                raise


class Node:
    """A node of the accessibility tree: role, name, value, and properties by name."""

    def __init__(self, node, devtools):
        self.devtools, self.element = devtools, node.get("backendDOMNodeId")
        def plain(key):
            return node.get(key, {}).get("value")
        self.role, self.name, self.value, self.description = plain("role"), plain("name"), plain("value"), plain("description")
        self.properties = {entry["name"]: entry["value"].get("value") for entry in node.get("properties", [])}

    def attribute(self, name):
        """An attribute of its element: Chromium's tree has no property for aria-valuetext, but hands it to readers."""
        element = self.devtools.send("DOM.resolveNode", {"backendNodeId": self.element})["object"]["objectId"]
        return self.devtools.send("Runtime.callFunctionOn", {
            "objectId": element, "functionDeclaration": "function (name) { return this.getAttribute(name); }",
            "arguments": [{"value": name}], "returnByValue": True})["result"].get("value")

    def __repr__(self):
        return f"{self.role} {self.name!r} {self.value!r} {self.properties}"


class Control:
    """One element of ours. Parts are found in its shadow root."""

    def __init__(self, panel, selector):
        self.panel, self.page, self.selector = panel, panel.page, selector

    def js(self, body, argument=None):
        """The value of an expression; `host` is the element, `a` the argument, `part(name)` a part."""
        return self.page.evaluate(
            "([selector, a]) => { const host = document.querySelector(selector);"
            f" const part = (name, index = 0) => probe.part(host, name, index); return ({body}); }}", [self.selector, argument])

    def part(self, name, index=0):
        """A locator of a part."""
        return self.page.locator(f'{self.selector} [part~="{name}"]').nth(index)

    def has_part(self, name):
        """Whether it has this part, and it takes room on the screen."""
        return self.js("probe.visible(part(a))", name)

    def style(self, name, *properties, index=0, pseudo=None):
        """Computed styles of a part, or of the element itself (""); one text or a list."""
        found = self.js("probe.style(a[0] ? part(a[0], a[1]) : host, a[2], a[3])", [name, index, list(properties), pseudo])
        return found[0] if len(properties) == 1 else found

    def box(self, name="", index=0):
        """Where a part is: x, y, width, height, right, bottom in CSS pixels."""
        found = []

        def is_drawn():
            found[:] = [self.js("probe.box(a[0] ? part(a[0], a[1]) : host)", [name, index])]
            return found[0] is not None
        pump(self.page, is_drawn, f"{self.selector} has a part {name}")
        return found[0]

    def centre(self, name, index=0):
        """The middle of a part."""
        box = self.box(name, index)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def state(self, name):
        """Whether the element has this state."""
        return self.js("host.matches(`:state(${a})`)", name)

    def shown(self):
        """The text on the screen: of the field, or of the value part."""
        return self.js("probe.shown(host)")

    def text(self):
        """The property `text`."""
        return self.js("host.text")

    def wait_for_text(self, text, timeout=5.0):
        """Waits until the element's text is this."""
        pump(self.page, lambda: self.text() == text, lambda: f"{self.selector} is {text}: {self.text()}; {self.panel.messages}", timeout)

    def wait_for_state(self, name, wanted=True, timeout=5.0):
        """Waits until it has a state, or has it no more."""
        pump(self.page, lambda: self.state(name) == wanted, f"{self.selector} has{'' if wanted else ' not'} :state({name})", timeout)

    # A hand

    def hover(self, name, index=0):
        """Moves the mouse over the middle of a part."""
        self.page.mouse.move(*self.centre(name, index))

    def press(self, name="increment", index=0):
        """Presses the mouse's button on a part, and keeps it down; the moment of it."""
        self.hover(name, index)
        self.page.mouse.down()
        return time.monotonic()

    def release(self):
        """Lets it go."""
        self.page.mouse.up()
        return time.monotonic()

    def click(self, name="increment", index=0):
        """Presses and releases."""
        self.press(name, index)
        self.release()


class Fingers:
    """Touches of a page, by number."""

    def __init__(self, panel):
        self.panel, self.points = panel, {}

    def _send(self, kind, number):
        x, y = self.points[number]
        self.panel.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": number}]})

    def down(self, number, x, y):
        """Puts a finger down."""
        self.points[number] = (x, y)
        self._send("touchStart", number)

    def move(self, number, x, y):
        """Moves it."""
        self.points[number] = (x, y)
        self._send("touchMove", number)

    def up(self, number):
        """Lifts it."""
        self._send("touchEnd", number)
        del self.points[number]

    def cancel(self):
        """The system takes them all away."""
        self.points.clear()
        self.panel.devtools.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
