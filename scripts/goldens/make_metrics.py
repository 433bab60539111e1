#!/usr/bin/env python3
"""Writes the figures of chrF, chrF++, TER, single sentences and significance tests that tests/eval compares heed with,
computed by sacreBLEU (needs: pip install sacrebleu).

    python3 scripts/goldens/make_metrics.py > tests/golden/metrics.json

The tests themselves need neither Python nor sacreBLEU.
"""
import json
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

CAPTIONS = (
    ["A man in a blue shirt is standing on a ladder cleaning a window.",
     "Two young, white males are outside near many bushes!",
     "A girl (aged 5) climbs into a wooden play-house.",
     "Several men in hard hats are operating a giant pulley system",
     "a Little Girl is SITTING in front of a large painted rainbow."],
    [["A man in a blue shirt is standing on a ladder and cleaning a window.",
      "Two young, White males are outside near many bushes.",
      "A little girl climbing into a wooden playhouse.",
      "Several men in hard hats are operating a giant pulley system.",
      "A little girl is sitting in front of a large painted rainbow."],
     ["A man on a ladder cleans the window.",
      "Near bushes two white young men are outside.",
      "A girl (aged 5) is going into a wooden play-house.",
      "Men in hard hats operate a pulley.",
      "In front of a large painted rainbow a little girl is sitting."],
     ["Man in blue cleaning a window from a ladder",
      "Outside near many bushes are two young, white males.",
      "",
      "Several workers in hard hats are operating a giant pulley system.",
      "A small girl is sitting in front of a painted rainbow."]])
SCRIPTS = (
    ["„Das ist schön“, sagte er – und lief los…", "ΟΔΥΣΣΕΥΣ ΚΑΙ ΣΟΦΟΣ.", "İstanbul’da IĞDIR ve ılık", "我喜欢这只小猫。",
     "今天天气很好，我们去公园吧！", "𠮷野家で🍚を食べた…", "هذا كتاب، أليس كذلك؟ نعم.", "यह एक किताब है। क्या तुम आओगे?",
     "한국어 문장입니다. 좋아요!", "👍🏽 ok 👨‍👩‍👧 ❤️ café cafe\u0301", "two\u00a0words\u3000three\u200bnot\u2028four"],
    [["„Das ist sehr schön”, sagte er — und lief los ...", "Οδυσσευς και σοφος .", "istanbul’da ığdır ve ılık",
      "我很喜欢这只小猫。", "今天的天气很好，我们一起去公园吧！", "𠮷野家で🍚を 食べました…", "هذا كتاب ، أليس كذلك ؟ نعم .",
      "क्या तुम आओगे? यह एक किताब है।", "한국어 문장이다. 좋아요 !", "👍🏽 ok 👨‍👩‍👧 ❤️ café café",
      "two words three\u200bnot four"]])
PUNCTUATION = (
    ["(hi) there", "\"quoted\" text...", "a . b , c !", "!? -- ()", "don't 'stop' #now @you", "$5 5% [x] {y} z_ ~a", "...", "wait,what?",
     "“curly” quotes»"],
    [["( hi ) there", "\" quoted \" text ...", "a. b, c!", "-- !? ( )", "do n't stop now you", "$ 5 5 % [x ] { y } z _ a", "..", "wait, what ?",
      "“ curly ” quotes »"]])
EMPTY = (["", "", "  \t ", "a", "something here"], [["", "only the reference", "x", "", "something here"]])


def words_text(seed, lines, vocabulary, shortest, longest, swaps, edits):
    """Sentences over a small vocabulary; each translation is its reference with blocks moved and words edited."""
    generator = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(vocabulary)]
    hypotheses, references = [], []
    for _ in range(lines):
        reference = [generator.choice(vocabulary) for _ in range(generator.randint(shortest, longest))]
        hypothesis = list(reference)
        for _ in range(swaps):
            size = generator.randint(1, min(13, len(hypothesis)))
            begin = generator.randint(0, len(hypothesis) - size)
            block = hypothesis[begin:begin + size]
            del hypothesis[begin:begin + size]
            at = generator.randint(0, len(hypothesis))
            hypothesis[at:at] = block
        hypothesis = edited(generator, hypothesis, edits, vocabulary)
        hypotheses.append(" ".join(hypothesis))
        references.append(" ".join(reference))
    return hypotheses, [references]


def edited(generator, words, rate, vocabulary):
    result = []
    for word in words:
        chance = generator.random()
        if chance < rate / 3:
            continue
        result.append(generator.choice(vocabulary) if chance < 2 * rate / 3 else word)
        if 2 * rate / 3 <= chance < rate:
            result.append(generator.choice(vocabulary))
    return result


def sign_text(seed):
    """Lines of all kinds of characters, and near copies as references."""
    generator = random.Random(seed)
    pool = list("aabbcdeZ011      ..,,-'\"!?&()[]") + list("äßÉλЖ中文かカ。，「」٣½€«»“”–…A１😀\u00a0\u0301")
    lines = ["".join(generator.choice(pool) for _ in range(generator.randint(0, 40))) for _ in range(40)]
    references = [["".join(c for c in line if generator.random() > 0.08) for line in lines] for _ in range(3)]
    return lines, references


def texts():
    yield "captions 1 reference", CAPTIONS[0], CAPTIONS[1][:1]
    yield "captions 2 references", CAPTIONS[0], CAPTIONS[1][:2]
    yield "captions 3 references", *CAPTIONS
    yield "captions other order", CAPTIONS[0], CAPTIONS[1][::-1]
    yield "scripts", *SCRIPTS
    yield "punctuation", *PUNCTUATION
    yield "empty lines", *EMPTY
    yield "all empty", ["", ""], [["", ""]]
    yield "all hypotheses empty", ["", ""], [["a b", "c"]]
    yield "all references empty", ["a b c", "c"], [["", ""]]
    yield "an empty reference of two", ["a b c", ""], [["", "x y"], ["a b d", ""]]
    yield "perfect", CAPTIONS[0], [CAPTIONS[0]]
    yield "no match", ["a b c d e"], [["v w x y z"]]
    yield "short", ["ab", "a", "a b"], [["ab", "b", "b a"]]
    yield "one against many", ["w3"], [[" ".join(f"w{i}" for i in range(120))]]
    yield "many against one", [" ".join(f"w{i}" for i in range(120))], [["w3"]]
    yield "three against many", ["w90 w2 w50"], [[" ".join(f"w{i}" for i in range(180))]]
    yield "halves swapped", ["e f g h a b c d", "1 2 3 4 5 6 7 8 9 10 11 12 a b"], [["a b c d e f g h", "a b 1 2 3 4 5 6 7 8 9 10 11 12"]]
    yield "far move", [" ".join(f"w{i}" for i in [*range(5, 80), *range(5)])], [[" ".join(f"w{i}" for i in range(80))]]
    yield "repeated words", ["the the the the the cat", "a b a b a b a b a b"], [["the cat is on the mat the", "b a b a b b a"]]
    yield "moved blocks", *words_text(1, 20, 60, 10, 30, 2, 0.0)
    yield "moved and edited", *words_text(2, 20, 60, 10, 40, 2, 0.15)
    yield "long moved and edited", *words_text(3, 6, 200, 60, 110, 4, 0.1)
    yield "long few words", *words_text(4, 5, 7, 60, 90, 3, 0.2)
    yield "few words", *words_text(5, 30, 4, 1, 20, 2, 0.3)
    yield "many edits", *words_text(6, 15, 30, 1, 45, 1, 0.7)
    few, other = words_text(7, 20, 12, 5, 25, 2, 0.3), words_text(8, 20, 12, 5, 25, 2, 0.3)
    yield "two references", few[0], [few[1][0], other[1][0]]
    yield "signs", *sign_text(9)


METRICS = {
    "chrf": lambda lower: CHRF(lowercase=lower), "chrf++": lambda lower: CHRF(word_order=2, lowercase=lower),
    "ter": lambda lower: TER(), "bleu": lambda lower: BLEU(lowercase=lower, effective_order=True)}


def corpus_cases():
    for text, hypotheses, references in texts():
        for name in ("chrf", "chrf++", "ter"):
            for lower in (False, True) if name != "ter" else (False,):
                metric = METRICS[name](lower)
                score = metric.corpus_score(hypotheses, references)
                yield {"text": text, "metric": name, "lowercase": lower, "score": score.score,
                       "signature": str(metric.get_signature())}


def sentence_cases():
    """Each line alone. BLEU with effective order, as sacrebleu.sentence_bleu has it."""
    for text, hypotheses, references in texts():
        for name in METRICS:
            metric = METRICS[name](False)
            scores = [metric.sentence_score(h, list(r)).score for h, *r in zip(hypotheses, *references)]
            yield {"text": text, "metric": name, "scores": scores}


def systems():
    """A reference and three translations: the second a little worse than the first, the third much worse."""
    generator = random.Random(20)
    vocabulary = [f"w{i}" for i in range(40)]
    reference = [[generator.choice(vocabulary) for _ in range(generator.randint(4, 14))] for _ in range(200)]
    made = {name: [" ".join(edited(generator, words, rate, vocabulary)) for words in reference]
            for name, rate in (("first", 0.30), ("second", 0.33), ("third", 0.42))}
    return [" ".join(words) for words in reference], made


def plain(number):
    return None if number is None else float(number)


def paired_cases(reference, made):
    metrics = {"bleu": BLEU(), "chrf": CHRF(), "chrf++": CHRF(word_order=2), "ter": TER()}
    for test, count in (("bs", 10000), ("ar", 10000)):
        for system, baseline in (("first", "second"), ("first", "third"), ("second", "third"), ("first", "first")):
            named = [(baseline, made[baseline]), (system, made[system])]
            _, results = PairedTest(named, metrics, [reference], test_type=test, n_samples=count)()
            for name, key in (("bleu", "BLEU"), ("chrf", "chrF2"), ("chrf++", "chrF2++"), ("ter", "TER")):
                of_baseline, of_system = results[key]
                yield {"test": test, "metric": name, "system": system, "baseline": baseline, "resamples": count,
                       "system_score": plain(of_system.score), "baseline_score": plain(of_baseline.score), "p": plain(of_system.p_value),
                       "system_mean": plain(of_system.mean), "system_half_interval": plain(of_system.ci)}


def main():
    reference, made = systems()
    golden = {"made_by": "python3 scripts/goldens/make_metrics.py > tests/golden/metrics.json",
              "sacrebleu_version": sacrebleu.__version__, "python_version": sys.version.split()[0],
              "texts": {name: {"hypotheses": h, "references": r} for name, h, r in texts()},
              "corpus": list(corpus_cases()), "sentences": list(sentence_cases()),
              "systems": {"reference": reference, **made}, "paired": list(paired_cases(reference, made))}
    json.dump(golden, sys.stdout, ensure_ascii=True, indent=1)
    print()


main()
