"""Check 44: in a form, loaded twice, moved, made again and again."""

from waiting import eventually

from bed import wire
from bed.browser import pump
from bed.case import FAILED_REQUEST, PanelTest, document, quick, tag
from bed.programs import configuration, control

TABLES = configuration(control("volume", 'title = "Volume"', "initial = 5", "digits = 1"), control("empty", 'profile = "winui"', dial=False),
                       control("page", 'choices = ["radio", "aux"]', dial=False), control("mute", 'kind = "toggle"', dial=False))


class Form(PanelTest):
    """Form-associated, as a native input is."""

    tables = TABLES

    def form(self, more="", **attributes):
        """A page with a form."""
        body = f'<form id="form"><label for="a">How loud</label>{tag("volume", id="a", **attributes)}{tag("page")}{tag("mute")}{more}' \
               '<button type="reset" id="reset">Reset</button></form>'
        return self.show(body)

    @quick
    def test_44_form_data(self):
        """The form has each control's text under its name; an unset one has none."""
        panel = self.form(tag("empty"))
        data = "Object.fromEntries(new FormData(document.getElementById('form')))"
        self.assertEqual({"volume": "5.0", "page": "radio", "mute": "off"}, panel.js(data))
        self.bed.turn(2)
        panel.control().wait_for_text("7.0")
        self.assertEqual("7.0", panel.js(data)["volume"])
        self.assertEqual("form", panel.js("document.querySelector('stepper-control').form.id"))

    @quick
    def test_44_label(self):
        """A click on the label focuses; the label is the name."""
        panel = self.form()
        panel.page.get_by_text("How loud").click()
        self.assertEqual("a", panel.js("document.activeElement.id"))
        self.assertEqual(1, panel.js("document.getElementById('a').labels.length"))
        self.assertIn("How loud", [node.name for node in panel.tree() if node.role == "spinbutton"])

    def test_44_validity(self):
        """`required` without a value, and a text that is refused, are :invalid, and a form with them is not sent."""
        panel = self.form(tag("empty", required=True, id="e"))
        empty, volume = panel.control("#e"), panel.control("#a")
        pump(panel.page, lambda: empty.js("host.matches(':invalid') && host.validity.valueMissing && !host.checkValidity() "
                                          "&& host.validationMessage !== ''"), "no value is not valid")
        self.assertFalse(panel.js("document.getElementById('form').checkValidity()"))
        self.bed.set(3, "empty")
        pump(panel.page, lambda: empty.js("host.matches(':valid')"), "a value is valid")
        self.assertTrue(volume.js("host.willValidate && host.matches(':valid')"))

    def test_44_refused_text_is_invalid(self):
        """As long as it stands there."""
        self.tolerate(FAILED_REQUEST)
        panel = self.form(look="gtk")
        volume = panel.control("#a")
        self.assertTrue(volume.js("host.matches(':valid')"))
        volume.part("input").click(click_count=3)
        panel.page.keyboard.type("loud")
        panel.page.keyboard.press("Enter")
        pump(panel.page, lambda: volume.js("host.matches(':invalid')"), "the text is refused")
        panel.page.keyboard.press("Escape")
        pump(panel.page, lambda: volume.js("host.matches(':valid')"), "it is gone")

    def test_44_reset_leaves_the_daemon_alone(self):
        """A form's reset is not the hardware's."""
        panel = self.form()
        self.bed.turn(3)
        panel.control().wait_for_text("8.0")
        panel.page.click("#reset")
        panel.frames(10)
        self.assertEqual(8, self.bed.value())
        self.assertEqual("8.0", panel.control().text())
        self.assertFalse([request for request in panel.asked if request.method == "POST"])

    def test_44_disabled_by_its_fieldset(self):
        """As a native input is."""
        panel = self.show(f'<form><fieldset disabled>{tag("volume")}</fieldset></form>')
        volume = panel.control()
        volume.click("increment")
        panel.page.keyboard.press("ArrowUp")
        panel.frames(6)
        self.assertEqual(5, self.bed.value())
        self.assertEqual([], panel.js("[...new FormData(document.forms[0])]"))

    @quick
    def test_44_disabled_while_held(self):
        """By its fieldset, by itself, or read-only: the hold ends."""
        panel = self.show(f'<form><fieldset id="fieldset">{tag("volume")}</fieldset></form>')
        volume = panel.control()
        for change in ("document.getElementById('fieldset').disabled = a", "host.disabled = a", "host.readonly = a"):
            with self.subTest(change):
                self.bed.set(5)
                volume.press("increment")
                eventually(lambda: self.bed.get()["editing"], "it is held")
                volume.js(change, True)
                eventually(lambda: not self.bed.get()["editing"], "it is released")
                volume.wait_for_state("pressed-increment", False)
                volume.js(change, False)
                volume.release()
                volume.wait_for_state("readonly", False)
                volume.wait_for_state("disabled", False)


class Life(PanelTest):
    """What pages do with elements."""

    tables = TABLES

    @quick
    def test_44_module_loaded_twice(self):
        """By another address: no error, the elements work."""
        panel = self.show(head='<script type="module" src="/stepper.js?again"></script>')
        panel.control().click("increment")
        self.bed.wait_for_value(6)
        panel.control().wait_for_text("6.0")

    def test_44_upgraded_late(self):
        """The tag is there before the module; the property set before it counts; its own content is shown until then."""
        self.serial = 99
        with open(f"{self.bed.web.pages}/late.html", "w", encoding="utf-8") as file:
            file.write(document('<stepper-control name="volume">Wait.</stepper-control>').replace(
                '<script type="module" src="/stepper.js"></script>', ""))
        panel = self.blank().goto("/pages/late.html")
        self.assertEqual("Wait.", panel.js("document.querySelector('main').innerText.split('\\n').at(-1)"))
        panel.js("import('/stepper.js').then(() => null)")
        panel.ready()
        panel.control().click("increment")
        self.bed.wait_for_value(6)

    def test_44_moved_while_held(self):
        """The hold is released, or goes on and is released with the finger; the element works."""
        panel = self.show("<div id=one></div><div id=two></div>" + tag("volume"))
        volume = panel.control()
        volume.press("increment")
        eventually(lambda: self.bed.value() > 5, "it steps")
        panel.js("void document.getElementById('two').append(document.querySelector('stepper-control'))")
        volume.release()
        eventually(lambda: not self.bed.get()["editing"], "nothing is held")
        panel.ready()
        volume.wait_for_state("pressed-increment", False)
        value = self.bed.value()
        volume.click("increment")
        self.bed.wait_for_value(value + 1)

    @quick
    def test_44_value_before_the_module(self):
        """Set before the name, by a page whose module comes later: it is the value of the control with that name."""
        panel = self.blank()
        with open(f"{self.bed.web.pages}/before.html", "w", encoding="utf-8") as file:
            file.write(document().replace('<script type="module" src="/stepper.js"></script>', ""))
        panel.goto("/pages/before.html")
        panel.js("""() => { const made = document.createElement('stepper-control');
          Object.assign(made, { value: 42, name: 'volume' });
          document.querySelector('main').append(made);
          return import('/stepper.js').then(() => null); }""")
        self.bed.wait_for_value(42)
        panel.ready()
        panel.control().wait_for_text("42.0")

    @quick
    def test_44_values_one_after_another(self):
        """The last one stays: a value is sent when the one before is answered, and of those that wait the last one."""
        panel = self.show()
        volume = panel.control()
        panel.js("probe.withhold()")
        volume.js("(host.value = 1, 0)")
        panel.until("answers.length === 1", "the first is sent")
        volume.js("(window.states = Promise.all([2, 3, 4].map((value) => host.set(value))), 0)")
        panel.frames()
        self.assertEqual([1], panel.js("sent.map(([, { value }]) => value)"))
        panel.js("answers[0]()")
        panel.until("answers.length === 2", "the last is sent")
        panel.js("answers[1]()")
        self.assertEqual([4, 4, 4], panel.js("states.then((all) => all.map(({ value }) => value))"))
        self.assertEqual([1, 4], panel.js("sent.map(([, { value }]) => value)"))
        self.assertEqual(4, self.bed.value())

    @quick
    def test_44_another_name(self):
        """What was typed for one control is not written to another one."""
        bed = self.make_bed(configuration(*(control(name, 'profile = "gtk"', "initial = 5", dial=False) for name in ("one", "two"))))
        panel = self.show(tag("one", look="gtk") + "<button>x</button>", bed)
        field = panel.control()
        field.part("input").click(click_count=3)
        panel.page.keyboard.type("42")
        field.wait_for_state("draft")
        field.js("host.name = 'two'")
        field.wait_for_state("draft", False)
        pump(panel.page, lambda: field.shown() == "5", "the other one is shown")
        panel.page.click("button")
        field.part("input").fill("7")
        panel.page.keyboard.press("Enter")
        bed.wait_for_value(7, "two")
        self.assertEqual(5, bed.value("one"))
        pump(panel.page, lambda: any(request.url.endswith("/set") for request in panel.asked), "the browser tells of the request")
        self.assertEqual(1, len([request for request in panel.asked if request.url.endswith("/set")]))

    @quick
    def test_44_removed_leaves_nothing(self):
        """What is taken off the page is collected, in every presentation of a choice and a number."""
        bed = self.make_bed(configuration(control("volume", dial=False), control("source", 'choices = ["a", "b", "c", "d", "e"]', dial=False)))
        panel = self.show(f'<div id="root"></div>{tag("volume")}', bed)
        for name, presentation in (("source", "wheel"), ("source", "segmented"), ("source", "menu"), ("volume", "slider"), ("volume", "stepper")):
            with self.subTest(presentation):
                panel.js("""async ([name, as]) => { window.gone = new Set(); const root = document.getElementById('root');
                  for (let round = 0; round < 10; round += 1) {
                    const made = Object.assign(document.createElement('stepper-control'), { name, as });
                    root.append(made);
                    await new Promise((resolve) => made.addEventListener('stepper-drawn', resolve, { once: true }));
                    made.remove();
                    gone.add(new WeakRef(made));
                  } }""", [name, presentation])

                def collected():
                    panel.devtools.send("HeapProfiler.collectGarbage")
                    return panel.js("[...gone].filter((one) => one.deref()).length") <= 1
                pump(panel.page, collected, lambda: f"{panel.js('[...gone].filter((one) => one.deref()).length')} of ten are left", 10)

    def test_44_made_again_and_again(self):
        """A framework that replaces the element at every change: no error, no stuck hold, one stream."""
        panel = self.show("<div id=root></div>")
        panel.js("""() => { const root = document.getElementById('root');
          const draw = () => { const element = document.createElement('stepper-control'); element.setAttribute('name', 'volume');
            root.replaceChildren(element); };
          draw(); window.draw = draw; let last = 0; document.addEventListener('stepper-change', (event) => {
            if (event.detail.state.sequence > last) queueMicrotask(draw);
            last = Math.max(last, event.detail.state.sequence); }); }""")
        for _ in range(20):
            panel.js("draw()")
            self.bed.turn(1)
        panel.ready()
        one = panel.control("#root stepper-control")
        one.wait_for_text("25.0")
        one.press("increment")
        self.bed.wait_for_value(26)
        panel.page.mouse.up()
        eventually(lambda: not self.bed.get()["editing"], "nothing is held")
        self.assertEqual(1, wire.get(self.bed.web.port, "/status").json()["streams"])

    @quick
    def test_44_three_lines(self):
        """A page by somebody who knows HTML: a working volume control that follows the knob."""
        with open(f"{self.bed.web.pages}/three.html", "w", encoding="utf-8") as file:
            file.write('<!doctype html>\n<script type="module" src="/stepper.js"></script>\n<stepper-control name="volume"></stepper-control>\n')
        panel = self.blank().goto("/pages/three.html").ready()
        volume = panel.control()
        self.bed.turn(3)
        volume.wait_for_text("8.0")
        volume.click("increment")
        self.bed.wait_for_value(9)
        volume.wait_for_text("9.0")
