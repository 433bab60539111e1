#!/usr/bin/env python3
"""Reports how often a method of `heed explain` finds the word that decides how "bank" is translated.

It uses the sentences whose translation has "rive" (or "banque") once and whose source has exactly one word that requires
it. The word counts as found if, in the row of "rive", it has the largest absolute value of all source words except
"bank" itself and </s>. Two groups of sentences are reported separately: in one the translation of the deciding word
comes after "rive", so that only the source can determine it; in the other it comes before, and the decoder can also read
it from its own output.
"""
import argparse
import collections
import json
import sys

import make_toys

# For each sense, all forms of the source words that require it, with their translations.
DECIDING = {sense: {form: french for noun in nouns for form, french in ((noun.en, noun.fr), (noun.en_plural, noun.fr_plural))}
            for word, senses in make_toys.AMBIGUOUS if word == "bank" for sense, _, nouns in senses}


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
        fail(f"{path}: not a dump of heed explain ({error})")


def deciding_place(record, sense):
    """The column of the one word that requires the sense, or None if there is not exactly one."""
    places = [i for i, word in enumerate(record["source"]) if word in DECIDING[sense]]
    is_case = "bank" in record["source"] and record["target"].count(sense) == 1 and len(places) == 1
    return places[0] if is_case else None


def row_of(record, matrix, sense, where):
    """The values of the source words in the row of the sense."""
    if matrix not in record:
        fail(f"{where}: has no \"{matrix}\"; run heed explain with that --method")
    return record[matrix][record["target"].index(sense)]


def largest_place(words, row):
    """The candidate column with the largest value."""
    columns = [i for i, word in enumerate(words) if word not in ("bank", "</s>")]
    return max(columns, key=lambda i: abs(row[i]))


def is_open(record, sense, place):
    """Whether the word at this position is translated after the word of the sense."""
    words = record["target"]
    translation = DECIDING[sense][record["source"][place]]
    return translation not in words[:words.index(sense)]


def report(records, matrix, sense, name):
    """Prints how often the word is found; returns the percentage for sentences where only the source determines the sense."""
    cases, found = collections.Counter(), collections.Counter()
    for number, record in enumerate(records, 1):
        place = deciding_place(record, sense)
        if place is None:
            continue
        group = is_open(record, sense, place)
        cases[group] += 1
        row = row_of(record, matrix, sense, f"{name}:{number}")
        found[group] += largest_place(record["source"], row) == place
    if not cases[True]:
        fail(f"{name}: no sentence in which one word decides for {sense} and is translated after it")
    for group, what in ((True, "only the source tells"), (False, "it has been translated already")):
        print(f"{matrix}, {sense}: the deciding word is found in {found[group]} of {cases[group]} sentences where {what}"
              f" ({100 * found[group] / max(1, cases[group]):.1f} %)")
    print(f"{matrix}, {sense}: in {found.total()} of all {cases.total()} ({100 * found.total() / cases.total():.1f} %)")
    return 100 * found[True] / cases[True]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", help="output of heed explain --output for data/bank/test.en and data/bank/test.fr")
    parser.add_argument("--matrix", default="erasure", help="attention, gradient, integrated or erasure (default)")
    parser.add_argument("--sense", default="rive", choices=sorted(DECIDING), help="default: rive")
    parser.add_argument("--at-least", type=float, metavar="PERCENT",
                        help="exit with 1 if the share where only the source determines the sense is smaller")
    options = parser.parse_args()

    share = report(read_records(options.dump), options.matrix, options.sense, options.dump)
    if options.at_least is not None and share < options.at_least:
        fail(f"{share:.1f} % is below the {options.at_least:g} % asked for")


if __name__ == "__main__":
    main()
