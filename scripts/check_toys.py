#!/usr/bin/env python3
"""Checks the toy data without its generator: links, splits, and that distant words determine the translation of "bank".

Prints file:line for each breach and exits with 1 if there is one.
"""
import os
import sys

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
RIVER = "river rivers boat boats fisherman fishermen bridge bridges".split()
MONEY = "coin coins cashier cashiers loan loans purse purses".split()
SIZES = {"reverse": (20000, 500, 500), "bank": (10000, 300, 500)}
breaches = 0


def breach(path, number, text):
    global breaches
    breaches += 1
    print(f"data/{path}:{number}: {text}")


def read(path):
    with open(os.path.join(DATA, path), encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n").split(" ") for line in lines]


def check_links(stem, source, target, links):
    for number, (words, translation, pairs) in enumerate(zip(source, target, links), 1):
        pairs = [tuple(map(int, pair.split("-"))) for pair in pairs]
        if {i for i, _ in pairs} != set(range(len(words))):
            breach(f"{stem}.align", number, "source words and linked source words differ")
        if {j for _, j in pairs} != set(range(len(translation))):
            breach(f"{stem}.align", number, "target words and linked target words differ")
        if stem.startswith("reverse/") and any(words[i] != translation[j] for i, j in pairs):
            breach(f"{stem}.align", number, "a letter is linked with another letter")


def check_reverse(stem, source, target):
    for number, (words, translation) in enumerate(zip(source, target), 1):
        if translation != words[::-1]:
            breach(f"{stem}.target", number, "not the source backwards")
        if not 3 <= len(words) <= 30:
            breach(f"{stem}.source", number, f"{len(words)} letters, not 3 to 30")


def check_bank(stem, source, target):
    for number, (words, translation) in enumerate(zip(source, target), 1):
        if not 5 <= len(words) <= 20 or not 5 <= len(translation) <= 20:
            breach(f"{stem}.en", number, "not 5 to 20 words a side")
        river = [i for i, word in enumerate(words) if word in RIVER]
        money = [i for i, word in enumerate(words) if word in MONEY]
        if river and money:
            breach(f"{stem}.en", number, "has both kinds of cues")
        if "bank" not in words:
            continue
        if not river and not money:
            breach(f"{stem}.en", number, "nothing decides about bank")
        elif min(abs(i - words.index("bank")) for i in river + money) < 3:
            breach(f"{stem}.en", number, "the cue is next to bank")
        if ("rive" in translation, "banque" in translation) != (bool(river), bool(money)):
            breach(f"{stem}.fr", number, "bank is translated against its cue")


def check_task(task, source_name, target_name, check):
    first_seen = {}
    for split, size in zip(("train", "valid", "test"), SIZES[task]):
        stem = f"{task}/{split}"
        source, target = read(f"{stem}.{source_name}"), read(f"{stem}.{target_name}")
        if (len(source), len(target)) != (size, size):
            breach(f"{stem}.{source_name}", 1, f"{len(source)} and {len(target)} lines, not {size}")
        check(stem, source, target)
        if split != "train":
            links = read(f"{stem}.align")
            if len(links) != size:
                breach(f"{stem}.align", 1, f"{len(links)} lines, not {size}")
            check_links(stem, source, target, links)
        for number, words in enumerate(source, 1):
            earlier = first_seen.setdefault(" ".join(words), f"{stem}.{source_name}:{number}")
            if earlier != f"{stem}.{source_name}:{number}":
                breach(f"{stem}.{source_name}", number, f"occurs in {earlier} as well")


def main():
    try:
        check_task("reverse", "source", "target", check_reverse)
        check_task("bank", "en", "fr", check_bank)
    except OSError as error:
        sys.exit(f"check_toys.py: {error.filename}: {error.strerror}")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
