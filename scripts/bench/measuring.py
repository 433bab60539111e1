"""What the measuring scripts share."""

import argparse
import subprocess
import sys


def run(command):
    """The standard output of a command that succeeds; else ends the script with its message."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def positive(text):
    """An option's number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is no number between 0 and a million")
    return value
