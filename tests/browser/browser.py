"""Helpers of the browser tests: headless Chromium, the actions of a user, and the tests' command line.

Needs the Debian packages chromium, chromium-driver and python3-selenium; without them `run_tests` prints a message and returns
77, which ctest counts as skipped. With --pictures, screenshots are saved in that folder.
"""

import argparse
import pathlib
import shutil
import sys
import time
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
except ImportError:
    webdriver = None

SKIPPED = 77
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
PATIENCE = 30  # seconds, for a busy machine


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1500,950"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class BrowserTest(unittest.TestCase):
    """One browser for all tests of a class; `options` are those of the command line."""

    options = None

    @classmethod
    def setUpClass(cls):
        cls.browser = open_browser()
        cls.addClassCleanup(cls.browser.quit)

    def complaints(self):
        """The messages of the browser's console since the last call."""
        return self.browser.get_log("browser")

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).get_property("textContent")

    def texts(self, selector):
        return [part.get_property("textContent") for part in self.all(selector)]

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def press_with(self, modifier, key):
        ActionChains(self.browser).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def hover(self, element):
        ActionChains(self.browser).move_to_element(element).perform()

    def prefer(self, scheme):
        """The system's colours: light, dark, or None for the browser's own."""
        features = [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, f"waited for {PATIENCE} s in vain")
            time.sleep(0.05)

    def picture(self, name):
        if self.options.pictures:
            folder = pathlib.Path(self.options.pictures)
            folder.mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(folder / f"{name}.png"))


def run_tests(description):
    """Runs the tests of the calling script; returns its exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--heed", required=True, help="the program")
    parser.add_argument("--pictures", help="folder for screenshots")
    parser.add_argument("tests", nargs="*", help="names of tests (default: all)")
    BrowserTest.options = parser.parse_args()
    if webdriver is None or BROWSER is None or DRIVER is None:
        print("skipped: needs a browser; apt-get install chromium chromium-driver python3-selenium")
        return SKIPPED
    names = [sys.argv[0], *BrowserTest.options.tests]
    return 0 if unittest.main(argv=names, exit=False, verbosity=2).result.wasSuccessful() else 1
