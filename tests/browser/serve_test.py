#!/usr/bin/env python3
"""Uses the page of `heed serve` in headless Chromium as a user does.

    tests/browser/serve_test.py --heed BINARY [--pictures DIR]

browser.py lists what it needs.
"""

import pathlib
import subprocess
import sys
import tempfile

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIXED = "the <b>bank</b> & \U0001f600 \u0643\u062a\u0627\u0628"  # an emoji and the Arabic for "book"


def train_model(heed, folder):
    """A model that has hardly learnt anything: enough to answer."""
    small = [f"--model.{key}=16" for key in ("embedding", "encoder.hidden", "decoder.hidden", "attention.size")]
    command = [heed, "train", str(ROOT / "configs/toy_bank_bahdanau.yaml"), f"--run.dir={folder}",
               "--data.tokenizer=sentencepiece", "--data.vocab_size=300", "--train.updates=10", "--train.valid_every=10",
               *small]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "last.heed"


class ServedPage(browser.BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        model = train_model(cls.options.heed, pathlib.Path(folder.name) / "run")
        command = [cls.options.heed, "serve", "--model", str(model), "--port", "0", "--max-length", "12", "--min-length", "3"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.addClassCleanup(server.stdout.close)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        cls.address = server.stdout.readline().split()[-1]

    def setUp(self):
        self.browser.get(self.address)
        self.expected_complaints = 0

    def tearDown(self):
        complaints = self.complaints()
        self.assertEqual(len(complaints), self.expected_complaints, complaints)

    def type(self, selector, text):
        self.find(selector).click()
        self.browser.execute_cdp_cmd("Input.insertText", {"text": text})

    def translate(self, text):
        self.type("#text", text)
        self.find("#go").click()
        self.wait_for(lambda: self.find("#go").is_enabled())

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
        self.picture("serve-mixed")

    def test_text_from_the_right_has_its_first_word_at_the_right(self):
        self.translate("\u0643\u062a\u0627\u0628 \u062c\u062f\u064a\u062f")
        first, second = self.all("thead th")[:2]
        self.assertGreater(first.rect["x"], second.rect["x"])
        self.assertEqual(first.get_property("textContent"), "\u0643\u062a\u0627\u0628")
        self.picture("serve-right-to-left")
        self.browser.get(self.address)
        self.translate("the bank is open")
        first, second = self.all("thead th")[:2]
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
        self.assertIn("beam must be from 1 to 20", self.texts("#error")[0])
        self.assertEqual(self.texts("article"), [])
        self.expected_complaints = 1  # the browser's own, of the status 400

    def test_light_and_dark(self):
        self.translate("the bank")
        colors = []
        for scheme in ("light", "dark"):
            self.prefer(scheme)
            colors.append(self.find("body").value_of_css_property("background-color"))
            self.picture(f"serve-{scheme}")
        self.prefer(None)
        self.assertEqual(len(set(colors)), 2)


if __name__ == "__main__":
    sys.exit(browser.run_tests("Browser tests of the page of heed serve."))
