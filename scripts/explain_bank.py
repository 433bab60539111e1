#!/usr/bin/env python3
"""Tells how often a method of `heed explain` finds the word that decides how "bank" is translated.

Counted are the sentences whose translation has "rive" (or "banque") once and of whose source words exactly one calls
for it. The word is found where, in the row of "rive", it has the largest value of all source words but "bank" itself
and the end of the sentence; values count by their size, without sign.

That also counts words that say when a noun is due and not which. --against takes these away: it is the dump of the same
source with the other sense in each translation (--swap makes these), whose values are subtracted, so that what remains
is a word's part in log p(rive) - log p(banque).
"""
import argparse
import json
import sys

DECIDING = {
    "rive": {"river": "river", "rivers": "river", "boat": "boat", "boats": "boat", "fisherman": "fisherman",
             "fishermen": "fisherman", "bridge": "bridge", "bridges": "bridge"},
    "banque": {"coin": "coin", "coins": "coin", "cashier": "cashier", "cashiers": "cashier", "loan": "loan",
               "loans": "loan", "purse": "purse", "purses": "purse"},
}
OTHER = {"rive": "banque", "banque": "rive"}


def fail(message):
    sys.exit(f"explain_bank.py: {message}")


def read_lines(path):
    try:
        with open(path, encoding="utf-8") as lines:
            return [line.rstrip("\n") for line in lines]
    except OSError as error:
        fail(f"{path}: {error.strerror}")


def read_records(path):
    try:
        return [json.loads(line) for line in read_lines(path)]
    except ValueError as error:
        fail(f"{path}: no dump of heed explain ({error})")


def deciding_place(record, sense):
    """The column of the one word that calls for the sense, or None where there is not exactly one."""
    places = [i for i, word in enumerate(record["source"]) if word in DECIDING[sense]]
    is_case = "bank" in record["source"] and record["target"].count(sense) == 1 and len(places) == 1
    return places[0] if is_case else None


def row_of(record, matrix, sense, where):
    if matrix not in record:
        fail(f"{where}: has no \"{matrix}\"; run heed explain with that --method")
    if sense not in record["target"]:
        fail(f"{where}: its translation has no {sense}; --swap makes the other translations")
    return record[matrix][record["target"].index(sense)]


def values(records, number, matrix, sense, names):
    """The row of the sense, less that of the other sense where there is a second dump."""
    row = row_of(records[0][number], matrix, sense, f"{names[0]}:{number + 1}")
    if len(records) == 1:
        return row
    return [x - y for x, y in zip(row, row_of(records[1][number], matrix, OTHER[sense], f"{names[1]}:{number + 1}"))]


def largest_place(words, row):
    """The column with the largest value of those that count."""
    columns = [i for i, word in enumerate(words) if word not in ("bank", "</s>")]
    return max(columns, key=lambda i: abs(row[i]))


def report(records, matrix, sense, names):
    """Prints a line for each deciding word and one for all; returns their share in percent."""
    found, cases = {}, {}
    for number, record in enumerate(records[0]):
        place = deciding_place(record, sense)
        if place is None:
            continue
        word = DECIDING[sense][record["source"][place]]
        cases[word] = cases.get(word, 0) + 1
        row = values(records, number, matrix, sense, names)
        found[word] = found.get(word, 0) + (largest_place(record["source"], row) == place)
    if not cases:
        fail(f"{names[0]}: no sentence in which one word decides for {sense}")
    for word in sorted(cases):
        print(f"{matrix}: {word} has the most to do with {sense} in {found[word]} of {cases[word]} sentences")
    total, right = sum(cases.values()), sum(found.values())
    share = 100 * right / total
    print(f"{matrix}: what decides for {sense} is found in {right} of {total} sentences ({share:.1f} %)")
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", help="what heed explain --output wrote for data/bank/test.en and data/bank/test.fr")
    parser.add_argument("--against", metavar="DUMP", help="the same for the translations with the other sense")
    parser.add_argument("--matrix", default="erasure", help="attention, gradient, integrated or erasure (default)")
    parser.add_argument("--sense", default="rive", choices=sorted(DECIDING), help="default: rive")
    parser.add_argument("--at-least", type=float, metavar="PERCENT", help="exit with 1 when the share is smaller")
    parser.add_argument("--swap", action="store_true", help="DUMP is a text: print it with rive and banque exchanged")
    options = parser.parse_args()

    if options.swap:
        for line in read_lines(options.dump):
            print(" ".join(OTHER.get(word, word) for word in line.split(" ")))
        return
    names = [options.dump] + ([options.against] if options.against else [])
    records = [read_records(name) for name in names]
    if len(records[0]) != len(records[-1]):
        fail(f"{names[0]} has {len(records[0])} lines, {names[-1]} {len(records[-1])}; give dumps of the same source")
    share = report(records, options.matrix, options.sense, names)
    if options.at_least is not None and share < options.at_least:
        fail(f"{share:.1f} % is below the {options.at_least:g} % asked for")


if __name__ == "__main__":
    main()
