#!/usr/bin/env python3
"""Writes text as lowercased words separated by spaces, as hand-made word alignments count words.

    scripts/plain_words.py [--french] < text > words

Raw and Moses-tokenised text give the same words, except for abbreviations. --french also undoes elisions and contractions
(l'homme: le homme, du: de le), as the French gold alignments of the HLT-NAACL 2003 task do.
"""
import argparse
import html
import re
import signal
import sys

# A number with its separators, a word with inner hyphens, dots or apostrophes, or one other character.
WORD = re.compile(r"\d+(?:[.,]\d+)*\b|[^\W_]+(?:[-.'’][^\W_]+)*|[^\s\w]|_")
ELIDED = {"l": "le", "d": "de", "n": "ne", "j": "je", "c": "ce", "s": "se", "m": "me", "t": "te", "qu": "que",
          "lorsqu": "lorsque", "puisqu": "puisque", "jusqu": "jusque"}
CONTRACTED = {"du": "de le", "des": "de les", "au": "à le", "aux": "à les"}
APART = re.compile(r"(\w) ?['’] ?(?=(?:s|re|ve|ll|d|m)\b)")
ENGLISH_CLITIC = re.compile(r"['’](s|re|ve|ll|d|m)$")


def french(word):
    before, mark, after = word.replace("’", "'").partition("'")
    if mark and before in ELIDED:
        return [ELIDED[before], *french(after)]
    return CONTRACTED.get(word, word).split()


def other(word):
    clitic = ENGLISH_CLITIC.search(word)
    return [word[:clitic.start()], "'" + clitic.group(1)] if clitic else [word]


def words(line, is_french):
    # Moses writes an apostrophe as &apos; and puts spaces around it where it separates words; Europarl has "year' s".
    text = html.unescape(line).lower()
    text = APART.sub(r"\1'", text) if not is_french else re.sub(r"(\w['’]) (?=\w)", r"\1", text)
    part = french if is_french else other
    return [piece for word in WORD.findall(text) for piece in part(word)]


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--french", action="store_true", help="undo French elisions and contractions")
    options = parser.parse_args()
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for line in sys.stdin:
        print(" ".join(words(line, options.french)) or ".")


if __name__ == "__main__":
    main()
