"""Helpers of the measuring scripts."""

import argparse
import os
import pathlib
import subprocess
import sys


def fail(message):
    """Ends the script with a one-line message that begins with its name."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {message}")


def run(command):
    """The standard output of a command; if it fails, ends the script with its message."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def check_program(path):
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        fail(f"no program at {path}; build it (README.md) or give --heed")


def positive(text):
    """Parses an option that must be a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is no number between 0 and a million")
    return value


def at_least(least):
    """Returns a parser of integer options with bounds."""
    def read(text):
        if not (text.isdecimal() and len(text) < 16 and int(text) >= least):
            raise argparse.ArgumentTypeError(f"{text} is no whole number of {least} or more")
        return int(text)

    return read
