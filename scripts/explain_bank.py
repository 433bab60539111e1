#!/usr/bin/env python3
"""Tells how often a method of `heed explain` finds the word that decides how "bank" is translated.

Counted are the sentences whose translation has "rive" (or "banque") once and of whose source words exactly one calls
for it. The word is found where, in the row of "rive", it has the largest value of all source words but "bank" itself
and the end of the sentence; values count by their size, without sign. Sentences are counted apart by whether the
deciding word's own translation stands after "rive", so that the source alone tells, or before it: then the decoder has
written it already and can read it there.
"""
import argparse
import collections
import json
import sys

import make_toys

# Of each sense, the words of the source that call for it, in every form: their translations.
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
        fail(f"{path}: no dump of heed explain ({error})")


def deciding_place(record, sense):
    """The column of the one word that calls for the sense, or None where there is not exactly one."""
    places = [i for i, word in enumerate(record["source"]) if word in DECIDING[sense]]
    is_case = "bank" in record["source"] and record["target"].count(sense) == 1 and len(places) == 1
    return places[0] if is_case else None


def row_of(record, matrix, sense, where):
    """The values of the source words in the row of the sense."""
    if matrix not in record:
        fail(f"{where}: has no \"{matrix}\"; run heed explain with that --method")
    return record[matrix][record["target"].index(sense)]


def largest_place(words, row):
    """The column with the largest value of those that count."""
    columns = [i for i, word in enumerate(words) if word not in ("bank", "</s>")]
    return max(columns, key=lambda i: abs(row[i]))


def is_open(record, sense, place):
    """Whether the translation of the word at this place is still to be written when the sense is."""
    words = record["target"]
    translation = DECIDING[sense][record["source"][place]]
    return translation not in words[:words.index(sense)]


def report(records, matrix, sense, name):
    """Prints how often the word is found; returns the share in percent where only the source tells."""
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
    parser.add_argument("dump", help="what heed explain --output wrote for data/bank/test.en and data/bank/test.fr")
    parser.add_argument("--matrix", default="erasure", help="attention, gradient, integrated or erasure (default)")
    parser.add_argument("--sense", default="rive", choices=sorted(DECIDING), help="default: rive")
    parser.add_argument("--at-least", type=float, metavar="PERCENT",
                        help="exit with 1 when the share is smaller where only the source tells")
    options = parser.parse_args()

    share = report(read_records(options.dump), options.matrix, options.sense, options.dump)
    if options.at_least is not None and share < options.at_least:
        fail(f"{share:.1f} % is below the {options.at_least:g} % asked for")


if __name__ == "__main__":
    main()
