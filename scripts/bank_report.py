#!/usr/bin/env python3
"""Reports in how many test sentences "bank" is translated as its context requires: rive (river) or banque (money).

A translation is right if it has the word of the reference and not the other one.
"""
import argparse
import os
import sys

SENSES = ("rive", "banque")


def read_lines(path):
    try:
        with open(path, encoding="utf-8", newline="\n") as lines:
            return [line.rstrip("\r\n") for line in lines]
    except OSError as error:
        sys.exit(f"bank_report.py: {path}: {error.strerror}")
    except UnicodeDecodeError:
        sys.exit(f"bank_report.py: {path}: not UTF-8")


def sense(line):
    """The one sense a line has, or None when it has none or both."""
    words = line.split(" ")
    found = [word for word in SENSES if word in words]
    return found[0] if len(found) == 1 else None


def main():
    data = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "bank")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hypothesis", help="translation of the source, one sentence per line")
    parser.add_argument("--source", default=os.path.join(data, "test.en"), help="default: data/bank/test.en")
    parser.add_argument("--reference", default=os.path.join(data, "test.fr"), help="default: data/bank/test.fr")
    parser.add_argument("--at-least", type=float, metavar="PERCENT", help="exit with 1 if the share is smaller")
    options = parser.parse_args()

    source, reference, hypothesis = map(read_lines, (options.source, options.reference, options.hypothesis))
    if not len(source) == len(reference) == len(hypothesis):
        sys.exit(f"bank_report.py: {options.hypothesis} has {len(hypothesis)} lines, {options.source} {len(source)} "
                 f"and {options.reference} {len(reference)}; give three files of the same sentences")
    cases = [i for i, line in enumerate(source) if "bank" in line.split(" ")]
    if not cases:
        sys.exit(f"bank_report.py: {options.source}: no sentence has the word bank")
    right = sum(sense(hypothesis[i]) == sense(reference[i]) for i in cases)
    share = 100 * right / len(cases)
    print(f"bank by its context: {right} of {len(cases)} right ({share:.1f} %)")
    if options.at_least is not None and share < options.at_least:
        sys.exit(f"bank_report.py: {share:.1f} % is below the {options.at_least:g} % asked for")


if __name__ == "__main__":
    main()
