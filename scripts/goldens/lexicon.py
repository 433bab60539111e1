"""lexicon.json: IBM Model 1 by enumerating alignments, so that it shares only the definition with heed.

Standard library only: python3 scripts/goldens/lexicon.py
"""

import itertools
import json
import pathlib

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "lexicon.json"
ITERATIONS = 5
# (source, target); the first is the example of Koehn, Statistical Machine Translation (2010), figure 4.4.
CORPORA = {
    "koehn": [("das Haus", "the house"), ("das Buch", "the book"), ("ein Buch", "a book")],
    "repeated words": [("b b a", "y x y"), ("a", "x x"), ("c b", "z"), ("a c", "x z w")],
}


def em_step(pairs, table):
    """Expected counts over all alignments a of p(t, a | s) = prod_j table[s[a_j]][t_j], then normalised."""
    counts = {}
    for source, target in pairs:
        alignments = list(itertools.product(range(len(source)), repeat=len(target)))
        weights = []
        for alignment in alignments:
            weight = 1.0
            for j, i in enumerate(alignment):
                weight *= table[source[i]][target[j]]
            weights.append(weight)
        for alignment, weight in zip(alignments, weights):
            for j, i in enumerate(alignment):
                row = counts.setdefault(source[i], {})
                row[target[j]] = row.get(target[j], 0.0) + weight / sum(weights)
    return {s: {t: c / sum(row.values()) for t, c in row.items()} for s, row in counts.items()}


def train(pairs, null):
    pairs = [((["NULL"] if null else []) + s.split(), t.split()) for s, t in pairs]
    words = sorted({t for _, target in pairs for t in target})
    table = {s: {t: 1 / len(words) for t in words} for source, _ in pairs for s in source}
    for _ in range(ITERATIONS):
        table = em_step(pairs, table)
    return table


cases = [
    {"name": name, "pairs": pairs, "null": null, "table": train(pairs, null)}
    for name, pairs in CORPORA.items()
    for null in (False, True)
]
golden = {"made_by": "python3 scripts/goldens/lexicon.py", "iterations": ITERATIONS, "cases": cases}
OUT.write_text(json.dumps(golden, indent=1) + "\n")
