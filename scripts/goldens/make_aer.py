#!/usr/bin/env python3
"""Writes the alignment error rates that tests/eval compares heed with, computed by NLTK (needs: pip install nltk).

    python3 scripts/goldens/make_aer.py > tests/golden/aer.json

NLTK scores single sentences; the sentences of a case are concatenated, so that its sums are those of the corpus. Each
case is given as Pharaoh gold counted from 0 and as NAACL gold counted from 1.
"""
import json
import random

import nltk
from nltk.metrics.scores import precision, recall
from nltk.translate import Alignment, alignment_error_rate

APART = 1000  # between the positions of two sentences, more than any has


def sentence(draw, share_right, share_possible):
    """Links, sure and possible gold links of a sentence; the gold has at least one sure link."""
    source, target = draw.randint(1, 14), draw.randint(1, 14)
    every = [(i, j) for i in range(source) for j in range(target)]
    gold = draw.sample(every, draw.randint(1, max(1, min(len(every), source + target) // 2)))
    sure = [link for link in gold if draw.random() >= share_possible] or gold[:1]
    links = {link for link in gold if draw.random() < share_right}
    links |= set(draw.sample(every, draw.randint(0, len(every) // 6)))
    return sorted(links), sorted(sure), sorted(gold)


def apart(sentences, part):
    return {(APART * k + i, APART * k + j) for k, parts in enumerate(sentences) for i, j in parts[part]}


def case(draw):
    count = draw.randint(1, 12)
    sentences = [sentence(draw, draw.choice([0, 0.3, 0.6, 0.9, 1]), draw.choice([0, 0.3, 0.7])) for _ in range(count)]
    links, sure, possible = (apart(sentences, part) for part in range(3))
    if not links:  # NLTK cannot compute the precision of no links
        return case(draw)
    return {
        "links": [" ".join(f"{i}-{j}" for i, j in parts[0]) for parts in sentences],
        "pharaoh": [" ".join(f"{i}{'-' if (i, j) in parts[1] else 'p'}{j}" for i, j in parts[2]) for parts in sentences],
        "naacl": [f"{k} {i + 1} {j + 1} {'S' if (i, j) in parts[1] else 'P'}"
                  for k, parts in enumerate(sentences, 1) for i, j in parts[2]],
        "aer": alignment_error_rate(Alignment(sure), Alignment(links), Alignment(possible)),
        "precision": precision(possible, links),
        "recall": recall(sure, links),
    }


def main():
    draw = random.Random(3)
    golden = {"made_by": "python3 scripts/goldens/make_aer.py > tests/golden/aer.json", "nltk_version": nltk.__version__,
              "cases": [case(draw) for _ in range(24)]}
    print(json.dumps(golden, indent=0))


if __name__ == "__main__":
    main()
