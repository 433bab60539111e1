#!/usr/bin/env python3
"""Uses the page of `heed serve` in headless Chromium as a person does.

    tests/browser/serve_test.py --heed BINARY [--pictures DIR]

Needs the Debian packages chromium, chromium-driver and python3-selenium; without them it says so and exits with 77,
which ctest counts as skipped. With --pictures it also leaves screenshots there.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    webdriver = None

SKIPPED = 77
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
ROOT = pathlib.Path(__file__).resolve().parents[2]
MIXED = "the <b>bank</b> & \U0001f600 \u0643\u062a\u0627\u0628"  # an emoji and the Arabic for "book"
arguments = None


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


def train_model(folder):
    """A model that has hardly learnt anything: enough to answer."""
    small = [f"--model.{key}=16" for key in ("embedding", "encoder.hidden", "decoder.hidden", "attention.size")]
    command = [arguments.heed, "train", str(ROOT / "configs/toy_bank_bahdanau.yaml"), f"--run.dir={folder}",
               "--data.tokenizer=sentencepiece", "--data.vocab_size=300", "--train.updates=10", "--train.valid_every=10",
               *small]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "last.heed"


class ServedPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model = train_model(pathlib.Path(cls.folder.name) / "run")
        command = [arguments.heed, "serve", "--model", str(model), "--port", "0", "--max-length", "12", "--min-length", "3"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.address = cls.server.stdout.readline().split()[-1]
        cls.browser = open_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.get(self.address)
        self.expected_complaints = 0

    def tearDown(self):
        complaints = self.browser.get_log("browser")
        self.assertEqual(len(complaints), self.expected_complaints, complaints)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        found = self.browser.find_elements(By.CSS_SELECTOR, selector)
        return [part.get_property("textContent") for part in found]

    def wait_for(self, condition):
        end = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), end, "waited for 30 s in vain")
            time.sleep(0.05)

    def type(self, selector, text):
        self.find(selector).click()
        self.browser.execute_cdp_cmd("Input.insertText", {"text": text})

    def translate(self, text):
        self.type("#text", text)
        self.find("#go").click()
        self.wait_for(lambda: self.find("#go").is_enabled())

    def picture(self, name):
        if arguments.pictures:
            pathlib.Path(arguments.pictures).mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(pathlib.Path(arguments.pictures) / f"serve-{name}.png"))

    def test_text_is_shown_as_typed_with_its_heatmap(self):
        self.translate(MIXED)
        self.assertEqual(self.texts("#state"), ["translated"])
        self.assertEqual(self.texts("thead th"), [*MIXED.split(), "</s>"])
        rows = self.texts("tbody th")
        self.assertEqual(" ".join(rows[:-1]), self.texts(".translation")[0])
        self.assertEqual(rows[-1], "</s>")
        self.assertEqual(len(self.texts("tbody td")), len(rows) * (len(MIXED.split()) + 1))
        self.assertEqual(self.texts("#result b"), [])
        self.assertIn("%", self.find("tbody td").get_property("title"))
        self.picture("mixed")

    def test_text_from_the_right_has_its_first_word_at_the_right(self):
        self.translate("\u0643\u062a\u0627\u0628 \u062c\u062f\u064a\u062f")
        first, second = self.browser.find_elements(By.CSS_SELECTOR, "thead th")[:2]
        self.assertGreater(first.rect["x"], second.rect["x"])
        self.assertEqual(first.get_property("textContent"), "\u0643\u062a\u0627\u0628")
        self.picture("right-to-left")
        self.browser.get(self.address)
        self.translate("the bank is open")
        first, second = self.browser.find_elements(By.CSS_SELECTOR, "thead th")[:2]
        self.assertLess(first.rect["x"], second.rect["x"])

    def test_each_line_has_its_own_translation(self):
        self.translate("the bank\n\nthe river")
        self.assertEqual(len(self.texts("article")), 3)
        self.assertEqual(len(self.texts("table")), 2)

    def test_more_translations_are_listed(self):
        self.type("#nbest", "3")
        self.translate("the bank")
        self.assertEqual(len(self.texts("article ol li")), 3)

    def test_pieces_can_be_seen_in_the_place_of_words(self):
        self.find("#pieces").click()
        self.translate("the bank")
        self.assertTrue(self.texts("thead th")[0].startswith("\u2581"))

    def test_what_the_server_refuses_is_told(self):
        self.type("#beam", "999")
        self.translate("the bank")
        self.assertTrue(self.find("#error").is_displayed())
        self.assertIn("beam 999", self.texts("#error")[0])
        self.assertEqual(self.texts("article"), [])
        self.expected_complaints = 1  # the browser's own, of the status 400

    def test_light_and_dark(self):
        self.translate("the bank")
        colors = []
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            colors.append(self.find("body").value_of_css_property("background-color"))
            self.picture(scheme)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.assertEqual(len(set(colors)), 2)


def main():
    global arguments
    parser = argparse.ArgumentParser(description="Browser tests of the page of heed serve.")
    parser.add_argument("--heed", required=True, help="the program")
    parser.add_argument("--pictures", help="folder for screenshots")
    parser.add_argument("tests", nargs="*", help="names of tests (default: all)")
    arguments = parser.parse_args()
    if webdriver is None or BROWSER is None or DRIVER is None:
        print("skipped: needs a browser; apt-get install chromium chromium-driver python3-selenium")
        return SKIPPED
    names = [sys.argv[0], *arguments.tests]
    return 0 if unittest.main(argv=names, exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
