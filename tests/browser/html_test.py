#!/usr/bin/env python3
"""Opens the pages of `heed plot --format html` in headless Chromium and uses them as a user does.

    tests/browser/html_test.py --heed BINARY [--pictures DIR]

browser.py lists what it needs.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    from selenium.webdriver.common.keys import Keys
except ImportError:
    pass  # run_tests reports it

import browser
import pages


class PageTest(browser.BrowserTest):
    """A test opens one page; at its end the browser must have reported no errors."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def make(self, name, *inputs):
        page = self.path / name
        command = [self.options.heed, "plot", *map(str, inputs), "--output", str(page)]
        subprocess.run(command, check=True, capture_output=True)
        return page

    def open(self, page):
        self.browser.get(page.as_uri())

    def choose(self, group, label):
        buttons = [button for button in self.all(f"{group} button") if button.text == label]
        self.assertEqual(len(buttons), 1, label)
        buttons[0].click()

    def cell(self, row, column):
        return self.find(f"#matrix tbody tr:nth-child({row}) td:nth-of-type({column})")

    def color(self, row, column):
        return self.cell(row, column).value_of_css_property("background-color")


class DumpPage(PageTest):
    def setUp(self):
        dump = self.path / "dump.jsonl"
        if not dump.exists():
            pages.write_dump(dump, pages.dump_lines())
            self.make("dump.html", dump)
        self.open(self.path / "dump.html")

    def test_the_first_sentence_is_shown_with_all_its_cells(self):
        self.assertIn("dump.jsonl", self.browser.title)
        self.assertEqual(self.text("#count"), "4 sentences")
        self.assertEqual(self.texts("#matrix thead th"), ["\u2581The", "\u2581bask", "et", "</s>"])
        self.assertEqual(self.texts("#matrix tbody th"), ["\u2581Der", "\u2581Kor", "b", "</s>"])
        self.assertEqual(len(self.all("#matrix tbody td")), 16)
        self.assertEqual(self.texts("#texts dd"), ["The basket", "Der Korb", "\u22121.500"])

    def test_a_cell_tells_its_weight_and_both_words(self):
        self.hover(self.cell(2, 3))
        self.assertEqual(self.text("#tip strong"), "0.500")
        self.assertEqual(self.texts("#tip bdi"), ["et", "\u2581Kor"])
        self.assertEqual(self.texts("#matrix th.on"), ["et", "\u2581Kor"])
        self.picture("hover")
        self.hover(self.find("#title"))
        self.assertFalse(self.find("#tip").is_displayed())

    def test_the_keyboard_walks_through_the_cells(self):
        self.browser.execute_script("document.querySelector('#matrix td[tabindex=\"0\"]').focus()")
        self.assertEqual(self.text("#tip strong"), "0.700")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.text("#tip strong"), "0.500")
        self.assertEqual(self.texts("#tip bdi"), ["et", "\u2581Kor"])
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.text("#tip strong"), "0.400")
        self.press(Keys.END, Keys.ARROW_RIGHT)
        self.assertEqual(self.text("#tip strong"), "0.050")
        self.assertEqual(len(self.all("#matrix td[tabindex='0']")), 1)
        self.assertEqual(self.text("#position"), "1 of 4", "arrows in the matrix must not change the sentence")

    def test_arrow_keys_and_buttons_go_through_the_sentences(self):
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.text("#position"), "2 of 4")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertEqual(self.text("#position"), "4 of 4")
        self.assertFalse(self.find("#next").is_enabled())
        self.find("#previous").click()
        self.assertEqual(self.text("#position"), "3 of 4")
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.text("#position"), "2 of 4")
        self.find("#sentence-3").click()
        self.assertEqual(self.text("#position"), "4 of 4")
        self.assertEqual(self.find("#list").get_attribute("aria-activedescendant"), "sentence-3")
        self.assertEqual(self.find("#sentence-3").get_attribute("aria-selected"), "true")

    def test_the_search_narrows_the_list(self):
        self.press("/")
        self.press("KATZE")
        self.assertEqual(self.texts("#list .row .number"), ["4"])
        self.assertEqual(self.text("#count"), "1 of 4")
        self.assertEqual(self.text("#position"), "1 of 1")
        self.assertEqual(self.texts("#texts dd")[1], "Hund Katze")
        self.press("xyz")
        self.assertEqual(self.text("#count"), "0 of 4")
        self.press_with(Keys.CONTROL, "a")
        self.press(Keys.BACKSPACE)
        self.assertEqual(len(self.all("#list .row")), 4)

    def test_subwords_are_merged_to_words(self):
        self.choose("#units", "words")
        self.assertEqual(self.texts("#matrix thead th"), ["The", "basket", "</s>"])
        self.assertEqual(self.texts("#matrix tbody th"), ["Der", "Korb", "</s>"])
        # Row of Korb: the mean of two rows, its column of basket the sum of two: (0.4 + 0.5 + 0.5 + 0.2) / 2.
        self.hover(self.cell(2, 2))
        self.assertEqual(self.text("#tip strong"), "0.800")
        self.hover(self.cell(2, 3))
        self.assertEqual(self.text("#tip strong"), "0.150")
        self.assertIn("basket \u2013 Korb", self.find("#links svg").get_attribute("aria-label"))
        self.picture("words")

    def test_links_are_the_largest_weights_or_those_of_the_dump(self):
        label = "The \u2013 Der, et \u2013 Kor, bask \u2013 b"
        drawn = self.find("#links svg").get_attribute("aria-label")
        self.assertEqual(drawn.replace("\u2581", ""), "Links: " + label)
        self.assertEqual(len(self.all("#links path")), 3)
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        places = [(path.get_attribute("data-source"), path.get_attribute("data-target")) for path in self.all("#links path")]
        self.assertEqual(places, [("1", "0"), ("0", "1")])
        self.assertIn("dump", self.text("#links-note"))

    def test_kinds_and_heads_can_be_chosen(self):
        self.assertEqual(self.texts("#kinds button"), ["attention", "gradient", "integrated", "erasure"])
        self.assertEqual(self.texts("#variant option"), ["all", "head 1", "head 2"])
        self.find("#variant option:nth-child(2)").click()
        self.hover(self.cell(1, 1))
        self.assertEqual(self.text("#tip strong"), "0.250")
        self.choose("#kinds", "gradient")
        self.assertFalse(self.find("#variants").is_displayed())
        self.hover(self.cell(1, 2))
        self.assertEqual(self.text("#tip strong"), "\u22122.000")
        self.assertEqual(self.texts("#scale span"), ["\u22122.000", "", "2.000"])
        red, blue = self.color(1, 2), self.color(2, 2)
        channels = [[int(part) for part in color[color.index("(") + 1 : -1].split(",")[:3]] for color in (red, blue)]
        self.assertGreater(channels[0][0], channels[0][2] + 60, "negative weights are orange")
        self.assertGreater(channels[1][2], channels[1][0] + 60, "positive ones are blue")
        self.picture("signed")
        # The next sentence has no gradient.
        self.press(Keys.ARROW_DOWN)
        self.assertIn("no gradient", self.text("#nothing"))

    def test_a_dump_without_attention_shows_what_it_has(self):
        lines = [{"source": ["a", "b"], "target": ["x"], "erasure": [[-2, 1]]}]
        pages.write_dump(self.path / "erasure.jsonl", lines)
        self.open(self.make("erasure.html", self.path / "erasure.jsonl"))
        self.assertEqual(self.texts("#kinds button"), ["erasure"])
        self.hover(self.cell(1, 1))
        self.assertEqual(self.text("#tip strong"), "\u22122.000")

    def test_a_name_of_the_data_is_shown_as_it_is(self):
        lines = [{"source": ["a", "b"], "target": ["x"], "attention": [[0.5, 0.5]], "my_own head": [[1, 0]]}]
        pages.write_dump(self.path / "named.jsonl", lines)
        self.open(self.make("named.html", self.path / "named.jsonl"))
        self.assertEqual(self.find("#matrix-title").text, "Attention")
        self.choose("#kinds", "my_own head")
        self.assertEqual(self.find("#matrix-title").text, "my_own head")

    def test_dark_turns_the_colours_around(self):
        def light(color):
            return sum(int(part) for part in color[color.index("(") + 1 : -1].split(",")[:3])

        strong, weak = light(self.color(1, 1)), light(self.color(1, 2))
        self.assertLess(strong, weak)
        paper = self.find("body").value_of_css_property("background-color")
        self.find("#theme").click()
        self.assertGreater(light(self.color(1, 1)), light(self.color(1, 2)))
        self.assertLess(light(self.find("body").value_of_css_property("background-color")), light(paper) / 3)
        self.picture("dark")
        self.find("#theme").click()
        self.assertEqual(light(self.color(1, 1)), strong)

    def test_the_systems_dark_mode_is_followed(self):
        for scheme in ("dark", "light"):
            self.prefer(scheme)
            self.wait_for(lambda: self.find("html").get_attribute("data-theme") == scheme)

    def test_any_text_appears_as_text(self):
        self.press(Keys.ARROW_DOWN)
        self.assertIn("dump.jsonl", self.browser.title)
        self.assertEqual(self.texts("#matrix thead th")[0], "\u2581" + pages.NASTY)
        self.assertEqual(self.texts("#matrix thead th")[2], "\u2581&amp;")
        self.assertEqual(self.texts("#matrix tbody th")[:2], ["\u2581<b>bold</b>", "\u2581x\u2028y"])
        self.assertEqual(self.all("#matrix b, #texts b, #list b, #viewer script"), [])
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.texts("#matrix thead th")[0], "\u2581" + pages.ARABIC)
        direction = "return getComputedStyle(document.querySelector(arguments[0])).direction"
        self.assertEqual(self.browser.execute_script(direction, "#matrix thead th:nth-of-type(1) bdi"), "rtl")
        self.assertEqual(self.browser.execute_script(direction, "#texts dd"), "rtl")
        self.assertEqual(self.browser.execute_script(direction, "#texts dd:nth-of-type(2)"), "ltr")
        self.picture("arabic")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.texts("#matrix thead th")[:2], ["\u2581" + pages.DOG, "\u2581\u732b"])
        self.picture("emoji")

    def test_numbers_can_be_shown_in_the_cells(self):
        self.assertEqual(self.cell(1, 1).get_property("textContent"), ".70")
        hidden = self.cell(1, 1).value_of_css_property("color")
        self.find("#numbers").click()
        self.assertNotEqual(self.cell(1, 1).value_of_css_property("color"), hidden)
        self.picture("numbers")

    def test_nothing_can_be_loaded_into_the_page(self):
        policy = self.find("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
        self.assertIn("default-src 'none'", policy)
        script = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        self.assertEqual(self.browser.execute_script(script), [])


class LargePage(PageTest):
    def test_a_thousand_sentences_stay_fluid(self):
        dump = self.path / "large.jsonl"
        pages.write_dump(dump, pages.long_lines(1000, 30))
        page = self.make("large.html", dump)
        self.assertLess(page.stat().st_size, 20_000_000)
        self.open(page)
        self.picture("large")
        self.assertEqual(self.text("#count"), "1,000 sentences")
        self.assertLess(len(self.all("#list .row")), 60, "only rows in sight are in the page")
        self.assertEqual(len(self.all("#matrix td")), 901)
        # The page's own time for a sentence, without the driver's; below 100 ms feels immediate. Printed, not
        # asserted, because the machine may be busy.
        script = """
            const begin = performance.now();
            for (let k = 0; k < 20; ++k) {
              document.getElementById("next").click();
              document.body.offsetHeight;
            }
            return (performance.now() - begin) / 20;"""
        print(f"{self.browser.execute_script(script):.1f} ms a sentence", file=sys.stderr)
        self.assertEqual(self.text("#position"), "21 of 1,000")
        self.find("#list").click()
        self.press(Keys.END)
        self.assertEqual(self.text("#position"), "1,000 of 1,000")
        self.assertEqual(self.find("#sentence-999").get_attribute("aria-selected"), "true")

    def go_on(self):
        """Goes to the next sentence; returns the milliseconds until it is laid out."""
        return self.browser.execute_script("""
            const begin = performance.now();
            document.getElementById("next").click();
            document.body.offsetHeight;
            return performance.now() - begin;""")

    def test_what_is_too_large_for_a_table_is_told_and_passed_at_once(self):
        dump = self.path / "huge.jsonl"
        short = pages.long_lines(2, 5)
        pages.write_dump(dump, [short[0], pages.huge_line(1001, 3011), short[1]])
        page = self.make("huge.html", dump)
        self.open(page)
        print(f"{self.go_on():.0f} ms to the huge sentence", file=sys.stderr)
        advice = "heed plot huge.jsonl --lines 2 --output picture.pdf"
        self.assertEqual(self.text("#matrix"), f"1,001 \u00d7 3,011 weights are too many to draw here: {advice}")
        self.assertFalse(self.find("#scale").is_displayed())
        self.assertEqual(len(self.all("#matrix td")), 0)
        self.assertEqual(len(self.text("#texts dd:nth-of-type(1)").split()), 3010)
        self.assertEqual(len(self.all("#links path")), 1000)
        self.picture("huge")
        self.find("#theme").click()
        self.hover(self.find("#matrix"))
        self.find("#matrix").click()
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.text("#position"), "3 of 3")
        self.assertEqual(len(self.all("#matrix tbody td")), 25)
        self.assertTrue(self.find("#scale").is_displayed())
        self.find("#previous").click()
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.text("#position"), "1 of 3")

    def test_the_largest_table_is_drawn(self):
        dump = self.path / "largest.jsonl"
        pages.write_dump(dump, [pages.huge_line(5, 5), pages.huge_line(200, 200), pages.huge_line(200, 201)])
        self.open(self.make("largest.html", dump))
        print(f"{self.go_on():.0f} ms for 40,000 cells", file=sys.stderr)
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('#matrix tbody td').length"), 40_000)
        self.find("#next").click()
        self.assertIn("200 \u00d7 201", self.text("#matrix"))

    def test_a_long_sentence_scrolls_inside_its_pane(self):
        dump = self.path / "long.jsonl"
        pages.write_dump(dump, pages.long_lines(2, 90))
        self.open(self.make("long.html", dump))
        wider = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
        self.assertFalse(self.browser.execute_script(wider))
        self.assertEqual(len(self.all("#matrix td")), 90 * 90 + 1)
        self.picture("long")
        self.browser.set_window_size(420, 800)
        self.assertFalse(self.browser.execute_script(wider))
        self.picture("narrow")
        self.browser.set_window_size(1500, 950)


class ReportPage(PageTest):
    def setUp(self):
        if not (self.path / "one").exists():
            pages.write_run(self.path / "one", ["Hund Hund", "ein Hund", "ein kleiner Hund"])
            pages.write_run(self.path / "two", ["klein", "kleiner Hund"])

    def test_curves_and_samples_of_a_run(self):
        self.open(self.make("one.html", self.path / "one"))
        titles = ["Cross-entropy per target token", "Validation BLEU", "Validation perplexity", "Learning rate"]
        titles += ["Gradient norm", "Target tokens per second"]
        self.assertEqual(self.texts("#curves figcaption > strong"), titles)
        self.assertEqual(self.texts("#texts dd")[:3], ["a small dog", "ein kleiner Hund", "ein kleiner Hund"])
        self.assertEqual(self.text("#step-label"), "update 300 \u00b7 BLEU 30 \u00b7 perplexity 33.33")
        self.picture("report")

    def test_the_slider_goes_through_the_validations(self):
        self.open(self.make("one.html", self.path / "one"))
        self.browser.execute_script("document.getElementById('step').focus()")
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.texts("#texts dd")[2], "ein Hund")
        self.assertEqual(self.texts("#matrix tbody th"), ["\u2581ein", "\u2581Hund", "</s>"])
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.text("#step-label"), "update 100 \u00b7 BLEU 10 \u00b7 perplexity 100")
        self.find("#play").click()
        self.wait_for(lambda: self.text("#play") == "Play")
        self.assertEqual(self.texts("#texts dd")[2], "ein kleiner Hund")

    def test_a_run_without_attention_shows_its_translations(self):
        pages.write_run(self.path / "fixed", ["Hund", "ein Hund"], attention=False)
        self.open(self.make("fixed.html", self.path / "fixed"))
        self.assertEqual(self.texts("#texts dd"), ["a small dog", "ein kleiner Hund", "ein Hund"])
        self.assertFalse(self.find("#panes").is_displayed())
        self.assertTrue(self.find("#nothing").is_displayed())

    def test_two_runs_share_the_curves_and_each_has_its_samples(self):
        self.open(self.make("two.html", self.path / "one", self.path / "two", "--against", "minutes"))
        self.assertEqual(self.texts("#curves figure:first-child bdi"), ["one", "two"])
        self.assertEqual(self.texts("#runs button"), ["one", "two"])
        self.choose("#runs", "two")
        self.assertEqual(self.texts("#texts dd")[2], "kleiner Hund")
        self.hover(self.find("#curves svg"))
        self.assertIn("minutes of training", self.text("#tip"))
        self.picture("runs")


if __name__ == "__main__":
    sys.exit(browser.run_tests("Browser tests of the HTML pages."))
