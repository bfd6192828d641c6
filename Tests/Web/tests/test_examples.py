"""The examples of pages, as a newcomer would use them."""

import os
import re
import shutil
import subprocess
import tempfile

from bed.browser import pump
from bed.case import PanelTest, quick
from bed.programs import EXAMPLES, PANEL, ROOT, configuration, control

LIBRARIES = "/usr/share/nodejs"


class Examples(PanelTest):
    """Each in the folder of the pages, under the usual policy."""

    tables = configuration(control("volume", 'title = "Volume"', "minimum = 0", "maximum = 100"))

    def shown(self, panel):
        """The texts on the screen, in their order."""
        return panel.js("""() => { const texts = []; const walk = (node) => { for (const one of node.childNodes) {
          if (one.nodeType === 3 && one.textContent.trim()) { const range = document.createRange(); range.selectNode(one);
            if (range.getBoundingClientRect().width > 1 && getComputedStyle(node.host ?? node).visibility === 'visible') texts.push(one.textContent.trim()); }
          if (one.shadowRoot) walk(one.shadowRoot); else if (!/STYLE|SCRIPT/.test(one.tagName)) walk(one); } };
          walk(document.body); return texts; }""")

    def page(self, text):
        """A page with this text and nothing else."""
        with open(f"{self.bed.web.pages}/own.html", "w", encoding="utf-8") as file:
            file.write(text)
        return self.blank().goto("/pages/own.html").ready()

    @quick
    def test_examples_of_the_documents(self):
        """The first page of panel.md is whole, is in standards mode, and names its control once."""
        with open(f"{ROOT}/Documentation/panel.md", encoding="utf-8") as file:
            page = re.search(r"```html\n(<!doctype.*?)```", file.read(), re.DOTALL | re.IGNORECASE)[1]
        panel = self.page(page)
        self.assertEqual("CSS1Compat", panel.js("document.compatMode"))
        self.assertEqual("UTF-8", panel.js("document.characterSet"))
        self.assertTrue(panel.js("document.documentElement.lang"))
        self.assertEqual(1, self.shown(panel).count("Volume"), self.shown(panel))
        panel.control().click("increment")
        self.bed.wait_for_value(1)

    @quick
    def test_examples_of_a_label(self):
        """A label of the page is drawn, and not once more; without one the title is."""
        for body, wanted in (('<label for="v">Volume</label><stepper-control id="v" name="volume"></stepper-control>', ["Volume"]),
                             ('<label>Volume <stepper-control name="volume"></stepper-control></label>', ["Volume"]),
                             ('<label for="v">How loud</label><stepper-control id="v" name="volume"></stepper-control>', ["How loud"]),
                             ('<stepper-control name="volume"></stepper-control>', ["Volume"]),
                             ('<label for="v">A</label><stepper-control id="v" name="volume" label="B"></stepper-control>', ["A", "B"])):
            panel = self.show(body)
            texts = [text for text in self.shown(panel) if text not in ("Test", "0", "+", "-")]
            self.assertEqual(wanted, texts, body)
        with open(f"{EXAMPLES}/form.html", encoding="utf-8") as file:
            shutil.copy(f"{EXAMPLES}/form.css", self.bed.web.pages)
            shutil.copy(f"{EXAMPLES}/form.js", self.bed.web.pages)
            panel = self.page(file.read())
        self.assertEqual(1, self.shown(panel).count("How loud"), self.shown(panel))

    def test_examples_of_frameworks(self):
        """Plain TypeScript, React and Vue of Debian: they follow the knob, and set the control."""
        for name, library in (("plain", None), ("react", "react-dom"), ("vue", "vue")):
            with self.subTest(name):
                if library and not os.path.isdir(f"{LIBRARIES}/{library}"):
                    self.skipTest(f"node-{library} is not installed")
                shutil.copy(f"{EXAMPLES}/frameworks/{name}.html", self.bed.web.pages)
                subprocess.run(["esbuild", f"{EXAMPLES}/frameworks/{name}.ts", "--bundle", "--minify", "--format=esm", "--log-level=warning",
                                f"--outfile={self.bed.web.pages}/{name}.js"], check=True, env={**os.environ, "NODE_PATH": LIBRARIES})
                self.bed.set(1)
                panel = self.blank().goto(f"/pages/{name}.html").ready()
                self.bed.turn(2)
                pump(panel.page, lambda: "3" in panel.js("document.querySelector('#app p, p').textContent"), "the knob is followed")
                panel.page.locator("button", has_text="Set to 50").click()
                self.bed.wait_for_value(50)
                pump(panel.page, lambda: "50" in panel.js("document.querySelector('#app p, p').textContent"), "and its own change")

    def test_examples_have_the_right_types(self):
        """stepper.d.ts as the examples use it, with the types of React and Vue that Debian's packages have."""
        if not shutil.which("tsc"):
            self.skipTest("node-typescript is not installed")
        libraries = {"plain": [], "react": ["@types/react", "@types/react-dom", "@types/scheduler"], "vue": ["vue"]}
        with tempfile.TemporaryDirectory() as folder:
            names = [name for name, needed in libraries.items() if all(os.path.isdir(f"{LIBRARIES}/{one}") for one in needed)]
            os.makedirs(f"{folder}/node_modules/@types")
            for name in names:
                with open(f"{EXAMPLES}/frameworks/{name}.ts", encoding="utf-8") as file:
                    text = file.read().replace("/usr/share/stepperd/panel/", "./")
                with open(f"{folder}/{name}.ts", "w", encoding="utf-8") as file:
                    file.write(text)
                for one in libraries[name]:
                    os.symlink(f"{LIBRARIES}/{one}", f"{folder}/node_modules/{one}")
            shutil.copy(f"{PANEL}/stepper.d.ts", folder)

            def compiled(*files):
                return subprocess.run(["tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext", "--moduleResolution", "node",
                                       "--esModuleInterop", "--preserveSymlinks", "--lib", "es2022,dom,dom.iterable", *files],
                                      cwd=folder, capture_output=True, text=True, check=False).stdout
            self.assertEqual("", compiled(*(f"{name}.ts" for name in names)))
            # What is wrong is found: no type is "any".
            for name in names:
                with open(f"{folder}/{name}.ts", "a", encoding="utf-8") as file:
                    file.write("(null as unknown as StepperControl).state?.txt;\n")
            if "react" in names:
                with open(f"{folder}/react.ts", "a", encoding="utf-8") as file:
                    file.write("useState<number>('');\n")
            found = compiled(*(f"{name}.ts" for name in names))
            for name in names:
                self.assertRegex(found, rf"{name}\.ts.*'txt' does not exist on type 'StepperState'")
            if "react" in names:
                self.assertRegex(found, r"react\.ts.*Argument of type 'string' is not assignable", "React's own types are read")
