#!/usr/bin/env python3
"""Tells how often a method of `heed explain` finds the word that decides how "bank" is translated.

Counted are the sentences in which the translation has "rive" and exactly one word of the source calls for it (river,
boat, fisherman or bridge). The word is found where, in the row of "rive", it has the largest value of all source words
but "bank" itself and the end of the sentence; values count by their size, without sign.
"""
import argparse
import json
import sys

SENSE = "rive"
DECIDING = {"river": "river", "rivers": "river", "boat": "boat", "boats": "boat", "fisherman": "fisherman",
            "fishermen": "fisherman", "bridge": "bridge", "bridges": "bridge"}


def fail(message):
    sys.exit(f"explain_bank.py: {message}")


def read_records(path):
    try:
        with open(path, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except ValueError as error:
        fail(f"{path}: no dump of heed explain ({error})")


def deciding_place(record):
    """The column of the one word that calls for the sense, or None where there is not exactly one."""
    places = [i for i, word in enumerate(record["source"]) if word in DECIDING]
    is_case = "bank" in record["source"] and record["target"].count(SENSE) == 1 and len(places) == 1
    return places[0] if is_case else None


def largest_place(record, matrix):
    """The column with the largest value in the row of the sense, of those that count."""
    row = matrix[record["target"].index(SENSE)]
    columns = [i for i, word in enumerate(record["source"]) if word not in ("bank", "</s>")]
    return max(columns, key=lambda i: abs(row[i]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", help="what heed explain --output wrote for data/bank/test.en and data/bank/test.fr")
    parser.add_argument("--matrix", default="erasure", help="attention, gradient, integrated or erasure (default)")
    parser.add_argument("--at-least", type=float, metavar="PERCENT", help="exit with 1 when the share is smaller")
    options = parser.parse_args()

    found, cases = {}, {}
    for number, record in enumerate(read_records(options.dump), 1):
        place = deciding_place(record)
        if place is None:
            continue
        if options.matrix not in record:
            fail(f"{options.dump}:{number}: has no \"{options.matrix}\"; run heed explain with that --method")
        word = DECIDING[record["source"][place]]
        cases[word] = cases.get(word, 0) + 1
        found[word] = found.get(word, 0) + (largest_place(record, record[options.matrix]) == place)
    if not cases:
        fail(f"{options.dump}: no sentence in which one word decides for {SENSE}")
    for word in sorted(cases):
        print(f"{options.matrix}: {word} has the most to do with {SENSE} in {found[word]} of {cases[word]} sentences")
    total, right = sum(cases.values()), sum(found.values())
    share = 100 * right / total
    print(f"{options.matrix}: the deciding word is found in {right} of {total} sentences ({share:.1f} %)")
    if options.at_least is not None and share < options.at_least:
        fail(f"{share:.1f} % is below the {options.at_least:g} % asked for")


if __name__ == "__main__":
    main()
