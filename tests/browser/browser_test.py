#!/usr/bin/env python3
"""Opens reports in a real browser (Debian's Chromium, driven by Playwright) and looks at them.

  browser_test.py --tool BIN

Exit code 77 (skipped) without Chromium or the packages of tests/browser/requirements.txt.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

try:
    import numpy
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not CHROMIUM:
    print("skipped: no Chromium")
    sys.exit(77)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dumps import write_dump  # noqa: E402

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
TOOL = None


def report(folder, *dumps):
    page = folder / "report.html"
    subprocess.run([TOOL, "report", *map(str, dumps), "-o", str(page), "-f", "-q"], check=True)
    return page


def some_values():
    random = numpy.random.default_rng(1)
    nan = random.normal(size=(1, 4, 6, 6))
    nan[0, 1, 2, 3] = numpy.nan
    return [
        ("known", "Conv", "n0", numpy.arange(16).reshape(1, 1, 4, 4)),
        ("relu", "Relu", "n1", numpy.maximum(random.normal(size=(1, 8, 10, 10)), 0)),
        ("broken", "Div", "n2", nan),
        ("rows", "Gemm", "n3", random.normal(size=(12, 20)) * 100),
        ("line", "Softmax", "n4", random.normal(size=(50,))),
    ]


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.complaints = []

    def open(self, address, scheme="light"):
        page = self.browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme=scheme)
        self.addCleanup(page.close)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("a dialog"), dialog.dismiss()))
        page.goto(address)
        page.wait_for_selector("#pictures > *")
        return page

    def open_report(self, *dumps, scheme="light"):
        return self.open(report(self.folder, *dumps).as_uri(), scheme)

    def names(self, page):
        return page.eval_on_selector_all("#table tbody tr td:nth-child(2)", "cells => cells.map(cell => cell.textContent)")

    def test_opens_at_what_is_wrong_and_says_nothing(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        self.assertEqual(page.text_content("#value-name"), "broken")
        self.assertEqual(page.locator("#histogram canvas").count(), 1)
        self.assertEqual(self.complaints, [])

    def test_sorts_and_filters(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        self.assertEqual(self.names(page), ["known", "relu", "broken", "rows", "line"])
        page.click("#table th >> text=Max")
        self.assertEqual(self.names(page)[:2], ["rows", "known"])
        page.click("#table th >> text=Max")
        self.assertEqual(self.names(page)[-1], "rows")
        page.fill("#filter", "rel")
        self.assertEqual(self.names(page), ["relu"])
        page.fill("#filter", "")
        page.select_option("#op", "Gemm")
        self.assertEqual(self.names(page), ["rows"])
        page.select_option("#op", "")
        page.check("#bad-only")
        self.assertEqual(self.names(page), ["broken"])
        self.assertEqual(self.complaints, [])

    def test_keys(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        page.keyboard.press("j")
        self.assertEqual(page.text_content("#value-name"), "rows")
        page.keyboard.press("k")
        page.keyboard.press("k")
        self.assertEqual(page.text_content("#value-name"), "relu")
        page.keyboard.press("n")
        self.assertEqual(page.text_content("#value-name"), "broken")
        page.keyboard.press("/")
        self.assertEqual(page.evaluate("document.activeElement.id"), "filter")

    def test_pixels_of_a_known_tensor(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        page.click("#table tbody tr >> nth=0")
        pixels = page.evaluate("""() => {
            const canvas = document.querySelector('canvas.picture');
            return [canvas.width, canvas.height,
                    ...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data];
        }""")
        self.assertEqual(pixels[:2], [4, 4])
        colours = [tuple(pixels[2 + 4 * i:5 + 4 * i]) for i in range(16)]
        self.assertEqual(colours[0], (0x44, 0x01, 0x54))   # viridis from its beginning
        self.assertEqual(colours[15], (0xfd, 0xe7, 0x25))  # to its end
        self.assertEqual(len(set(colours)), 16)
        brightness = [sum(colour) for colour in colours]
        self.assertEqual(brightness, sorted(brightness))

    def test_nan_has_a_colour_of_its_own(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        count = page.evaluate("""() => {
            const canvas = document.querySelector('canvas.picture');
            const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            let count = 0;
            for (let i = 0; i < data.length; i += 4) if (data[i] === 214 && data[i + 1] === 39 && data[i + 2] === 160) ++count;
            return count;
        }""")
        self.assertEqual(count, 1)

    def test_two_dumps(self):
        values = some_values()[:2] + some_values()[3:]
        other = [(name, op, node, array + (0.5 if name in ("rows", "line") else 0)) for name, op, node, array in values]
        page = self.open_report(write_dump(self.folder / "a", other), write_dump(self.folder / "b", values))
        self.assertEqual(page.text_content("#value-name"), "rows")
        self.assertIn("different", page.text_content("#value-verdict"))
        self.assertEqual(page.locator("canvas.picture").count(), 3)
        self.assertEqual(page.locator("#histogram canvas").count(), 2)
        page.check("#bad-only")
        self.assertEqual(self.names(page), ["rows", "line"])
        self.assertEqual(self.complaints, [])

    def test_hostile_names_stay_text(self):
        hostile = SCRIPT + IMAGE + "</script>\u2028"
        folder = write_dump(self.folder / "d<img src=x onerror=alert(1)>",
                            [(hostile, SCRIPT, IMAGE, numpy.arange(4.0)), (IMAGE, IMAGE, SCRIPT, numpy.ones((1, 2, 3, 3)))],
                            model=SCRIPT + IMAGE)
        page = self.open_report(folder)
        self.assertEqual(page.text_content("#value-name"), hostile)
        self.assertEqual(self.names(page)[1], IMAGE)
        page.keyboard.press("j")
        page.hover("#strip")
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(self.complaints, [])

    def test_views_can_be_changed(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        page.click("#table tbody tr >> nth=1")
        sizes = []
        for view in ("nchw", "nhwc", "heat"):
            page.select_option("#view", view)
            sizes.append(page.evaluate("[...document.querySelectorAll('canvas.picture')].map(c => c.width * c.height)"))
        self.assertTrue(all(len(size) == 1 for size in sizes))
        page.select_option("#view", "line")
        self.assertEqual(page.locator("#pictures canvas").count(), 1)
        page.select_option("#view", "numbers")
        self.assertIn("0", page.text_content("#pictures pre"))
        self.assertEqual(self.complaints, [])

    def test_two_thousand_values(self):
        tensor = numpy.random.default_rng(0).normal(size=(1, 16, 28, 28))
        values = [(f"block{i // 10}/layer{i}", "Conv", f"n{i}", tensor * (i + 1)) for i in range(2000)]
        path = report(self.folder, write_dump(self.folder / "d", values))
        self.assertLess(path.stat().st_size, 50e6)
        page = self.open(path.as_uri())
        milliseconds = page.evaluate("performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart")
        print(f"2,000 values: {path.stat().st_size / 1e6:.1f} MB, {milliseconds} ms", file=sys.stderr)
        self.assertEqual(page.text_content("#shown"), "2000 of 2000")
        self.assertLess(len(self.names(page)), 200)  # those in view and some more
        self.assertEqual(page.get_attribute("#table", "aria-rowcount"), "2001")
        # A row far away is where the scroll bar says, and the keys bring the chosen one into view.
        page.evaluate("""() => { const box = document.querySelector('#table-box'); box.scrollTop = box.scrollHeight; }""")
        page.wait_for_selector("#table tr[data-id='1999']")
        self.assertEqual(page.get_attribute("#table tr[data-id='1999']", "aria-rowindex"), "2001")
        page.click("#table tr[data-id='1999']")
        self.assertEqual(page.text_content("#value-name"), "block199/layer1999")
        page.click("#table th >> text=Max")
        page.keyboard.press("j")
        page.wait_for_selector("#table tr[data-id='1998'][aria-selected]")
        page.click("#table th >> text=Max")
        page.keyboard.press("j")
        self.assertEqual(page.text_content("#value-name"), "block199/layer1999")
        self.assertTrue(page.evaluate("""() => {
            const row = document.querySelector('#table tr[aria-selected]').getBoundingClientRect();
            const box = document.querySelector('#table-box').getBoundingClientRect();
            return row.top >= box.top && row.bottom <= box.bottom;
        }"""))
        self.assertEqual(self.complaints, [])

    def test_fits_a_laptop(self):
        long = "StatefulPartitionedCall/functional_1/tf_op_layer_Pad_1/"
        values = [(f"{long}{name}_{i}", "BatchNormalization", node, array * 1.234567e-5)
                  for i, (name, _, node, array) in enumerate(some_values())]
        one, two = write_dump(self.folder / "a", values), write_dump(self.folder / "b", values)
        for dumps in ((one,), (one, two)):
            page = self.open_report(*dumps)
            for width, height in ((1440, 900), (1366, 768)):
                page.set_viewport_size({"width": width, "height": height})
                for box in ("#table-box", "#detail", "html"):
                    self.assertTrue(page.evaluate(f"""() => {{
                        const box = document.querySelector('{box}');
                        return box.scrollWidth <= box.clientWidth;
                    }}"""), f"{box} at {width} with {len(dumps)}")
            page.close()
        self.assertEqual(self.complaints, [])

    def test_accessibility(self):
        page = self.open_report(write_dump(self.folder / "d", some_values()))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page)
            self.assertEqual([(each["id"], [node["html"][:120] for node in each["nodes"]])
                              for each in found.response["violations"]], [], scheme)

    def test_served(self):
        dump = write_dump(self.folder / "d", some_values())
        server = subprocess.Popen([TOOL, "serve", str(dump), "--port", "0"], stdout=subprocess.PIPE, text=True,
                                  preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        try:
            address = server.stdout.readline().strip()
            page = self.open(address)
            self.assertEqual(page.text_content("#value-name"), "broken")
            page.click("#table tbody tr >> nth=3")
            page.wait_for_selector("canvas.picture")
            self.assertEqual(self.complaints, [])
            with urllib.request.urlopen(address + "api/values/0?slice=0,0,2") as answer:
                (self.folder / "x.npy").write_bytes(answer.read())
            self.assertEqual(numpy.load(self.folder / "x.npy").tolist(), [8, 9, 10, 11])
            start = time.monotonic()
            with urllib.request.urlopen(address + "layer/3") as answer:
                answer.read()
            print(f"/layer: {1000 * (time.monotonic() - start):.1f} ms", file=sys.stderr)
        finally:
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(10), 130)
            server.stdout.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    options, rest = parser.parse_known_args()
    TOOL = os.path.abspath(options.tool)
    unittest.main(argv=[sys.argv[0], *rest])
