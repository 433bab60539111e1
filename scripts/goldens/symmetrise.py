#!/usr/bin/env python3
"""Golden of the symmetrisation of links: the output of Moses's symal for random alignments of both directions.

  scripts/goldens/symmetrise.py SYMAL > tests/golden/symmetrise.json

SYMAL reads alignments in Moses's .bal form from standard input and takes u, i or g (grow-diag-final-and: -a=g -d=yes
-f=yes -b=yes) as its argument. Made with symal.cpp of moses-smt/mosesdecoder at 14d2a671, its option parser left out.
"""

import json
import random
import subprocess
import sys


def near(place, length, draw):
    """0: no link; else a position counted from 1, mostly near the same part of the other sentence."""
    if draw.random() < 0.15:
        return 0
    if draw.random() < 0.2:
        return draw.randint(1, length)
    return min(length, max(1, place + draw.choice([-1, 0, 0, 1])))


def make_case(draw):
    source, target = draw.randint(1, 12), draw.randint(1, 12)
    of_target = [near(round(i * source / target), source, draw) for i in range(1, target + 1)]
    of_source = [near(round(j * target / source), target, draw) for j in range(1, source + 1)]
    return of_target, of_source


def bal(of_target, of_source):
    side = lambda links: f"{len(links)} {'w ' * len(links)} # {' '.join(map(str, links))}"
    return f"1\n{side(of_target)}\n{side(of_source)}\n"


def main():
    draw = random.Random(11)
    cases = [make_case(draw) for _ in range(40)]
    text = "".join(bal(*case) for case in cases)
    output = {}
    for name, option in {"union": "u", "intersection": "i", "grow-diag-final-and": "g"}.items():
        done = subprocess.run([sys.argv[1], option], input=text, capture_output=True, text=True, check=True)
        output[name] = done.stdout.split("\n")[:-1]
    golden = []
    for k, (of_target, of_source) in enumerate(cases):
        forward = " ".join(f"{s - 1}-{t}" for t, s in enumerate(of_target) if s)
        backward = " ".join(f"{s}-{t - 1}" for s, t in enumerate(of_source) if t)
        golden.append({"forward": forward, "backward": backward, **{name: lines[k] for name, lines in output.items()}})
    print(json.dumps({"made_by": "scripts/goldens/symmetrise.py SYMAL > tests/golden/symmetrise.json",
                      "symal": "moses-smt/mosesdecoder 14d2a671", "cases": golden}, indent=0))


if __name__ == "__main__":
    main()
