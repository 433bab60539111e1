#!/usr/bin/env python3
"""Writes the BLEU figures that tests/eval compares heed with, computed by sacreBLEU (needs: pip install sacrebleu).

    python3 scripts/goldens/make_bleu.py > tests/golden/bleu.json

The tests themselves need neither Python nor sacreBLEU.
"""
import json
import logging
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU

logging.disable(logging.WARNING)  # on "tokenised" text: some cases are so on purpose

ENGLISH = (
    ["The cat sat on the mat .", "There is a dog ."],
    [["The cat sat on the mat .", "There is a dog in the garden ."],
     ["The cat is sitting on the mat .", "A dog is here ."]])
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
      "Two white young men are outside near bushes.",
      "A girl (aged 5) is going into a wooden play-house.",
      "Men in hard hats operate a pulley.",
      "The little girl sits before a big rainbow which is painted."],
     ["Man in blue cleaning a window from a ladder",
      "Outside near many bushes are two young, white males.",
      "",
      "Several workers in hard hats are operating a giant pulley system.",
      "A small girl is sitting in front of a painted rainbow."]])
NUMBERS = (
    ["It costs $1,234.56, i.e. 20-25% more than in 1999.", "Call 555-1234 or 1.5, 2.5,and 3.", "He ran 10km in 2019-2020-2021.",
     "1,000,000 people; 3.14159 is pi.", "x=y+z*2/3^4 [a]{b}|c|~d`e`", "1. 2. 3.", "don't stop-it's 5 o'clock,,, ok...?"],
    [["It costs $1,234.56, that is 20-25 % more than in 1999.", "Call 555-1234 or 1.5, 2.5, and 3 .", "He ran 10 km in 2019 - 2020-2021.",
      "1,000,000 people; 3.14159 is pi .", "x=y+z*2/3^4 [a] {b}|c|~d `e`", "1 . 2 . 3.", "don't stop - it's 5 o'clock, ok...?"]])
ENTITIES = (
    ["He said &quot;yes&quot; &amp; left &lt;b&gt;now&lt;/b&gt;.", "AT&amp;T &amp;amp; co &apos; done", "a <skipped> b <SKIPPED> c & d"],
    [["He said \"yes\" & left <b>now</b> .", "AT&T &amp; co ' done", "a b <skipped> c & d"]])
EUROPE = (
    ["„Das ist schön“, sagte er – und lief los…", "¿Dónde está la biblioteca? ¡Aquí!", "L’été coûte 5 € ; c’est « cher » !",
     "Ärger über ÖLPREIS: 3,50 €/l (≈ 4 $)", "ΟΔΥΣΣΕΥΣ ΚΑΙ ΣΟΦΟΣ.", "İstanbul’da IĞDIR ve ılık", "½ Liter № 5 §12 © ™ x² ⅷ"],
    [["„Das ist schön”, sagte er — und lief los ...", "¿Dónde está la biblioteca ? ¡ Aquí !", "L'été coûte 5 € ; c’est « très cher » !",
      "Ärger über Ölpreis: 3,50 € / l (≈ 4 $)", "Οδυσσευς και σοφος .", "istanbul’da ığdır ve ılık", "½ Liter № 5 § 12 © ™ x² ⅷ ."]])
CHINESE = (
    ["我喜欢这只小猫。", "今天天气很好，我们去公园吧！", "他在2019年买了3.5公斤苹果 (iPhone 11)。", "「引用」《书名》、ＡＢＣ１２３"],
    [["我很喜欢这只小猫。", "今天的天气很好，我们一起去公园吧！", "他于2019年买了3.5公斤的苹果（iPhone 11）。", "「引用」《书》、ＡＢＣ１２３．"]])
JAPANESE = (
    ["私はこの小さな猫が好きです。", "ｶﾀｶﾅとカタカナ、100%違う?", "𠮷野家で🍚を食べた…"],
    [["私はこの小さい猫がとても好きです。", "ｶﾀｶﾅとカタカナは、100%違う？", "𠮷野家で🍚を 食べました…"]])
OTHER = (
    ["هذا كتاب، أليس كذلك؟ نعم.", "यह एक किताब है। क्या तुम आओगे?", "१२,३४५.६७ रुपये और ٣٫١٤", "한국어 문장입니다. 좋아요!", "👍🏽 ok 👨‍👩‍👧 ❤️ café cafe\u0301"],
    [["هذا كتاب ، أليس كذلك ؟ نعم .", "यह एक किताब है । क्या तुम आओगे ?", "१२,३४५.६७ रुपये और ٣٫١٤ .", "한국어 문장이다. 좋아요 !", "👍🏽 ok 👨‍👩‍👧 ❤️ café café"]])
SPACES = (
    ["  two  spaces and\ttab ", "no\u00a0break\u2003em\u3000wide\u200bzero", "unit\u001fsep\u0085next\u2028line", "\ufeffbom stays here"],
    [["two spaces and tab", "no break em wide\u200bzero", "unit sep next line", "bom stays here"]])


def random_text(seed):
    """Lines of characters from all classes that the tokenizers distinguish, and near copies as references."""
    generator = random.Random(seed)
    pool = list("aabbcdeZ0011239   ..,,--''\"!?&<>()[]{}/:;@#$%^*_+=|~`\\") + list("äßÉλЖ中文かカ。，「」٣५½€£°±¿«»“”’–—…·§†ⅣⅷＡ１！😀\u00a0\u0301")
    lines = ["".join(generator.choice(pool) for _ in range(generator.randint(0, 40))) for _ in range(60)]
    references = []
    for _ in range(2):
        references.append(["".join(c for c in line if generator.random() > 0.06) for line in lines])
    return lines, references


def cases():
    for name, texts in (("english", ENGLISH), ("captions", CAPTIONS), ("numbers", NUMBERS), ("entities", ENTITIES),
                        ("europe", EUROPE), ("chinese", CHINESE), ("japanese", JAPANESE), ("other scripts", OTHER),
                        ("spaces", SPACES), ("random", random_text(7))):
        hypotheses, references = texts
        for tokenize in ("13a", "intl", "char", "zh", "none"):
            for lowercase in (False, True):
                yield f"{name} {tokenize}{' lowercase' if lowercase else ''}", hypotheses, references[:1], tokenize, lowercase
    for count in (2, 3):
        for tokenize in ("13a", "intl", "char", "none"):
            yield f"captions {count} references {tokenize}", CAPTIONS[0], CAPTIONS[1][:count], tokenize, False
    yield "english 2 references", *ENGLISH, "13a", False
    yield "english 2 references swapped", ENGLISH[0], ENGLISH[1][::-1], "13a", False
    yield "random 2 references", *random_text(11), "intl", True
    yield "one empty hypothesis", ["", "There is a dog ."], ENGLISH[1][:1], "13a", False
    yield "all hypotheses empty", ["", ""], ENGLISH[1][:1], "13a", False
    yield "all empty", ["", ""], [["", ""]], "13a", False
    yield "empty reference lines", ENGLISH[0], [["", "There is a dog ."]], "13a", False
    yield "all references empty", ENGLISH[0], [["", ""]], "13a", False
    yield "single line", ["A single line of text ."], [["A single line of some text ."]], "13a", False
    yield "perfect", ENGLISH[0], [ENGLISH[0]], "13a", False
    yield "no match", ["a b c d e"], [["v w x y z"]], "13a", False
    yield "no 4-gram match", ["a b c x e f g y"], [["a b c d e f g h"]], "13a", False
    yield "only unigrams match", ["d c b a"], [["a b c d"]], "13a", False
    yield "too short for 4-grams", ["a b c"], [["a b c"]], "13a", False
    yield "one token", ["a"], [["a"]], "13a", False
    yield "longer than the reference", ["a b c d e f g h i j k l"], [["a b c d e f g"]], "13a", False
    yield "shorter than the reference", ["a b c d e f g h", "i j k l m"], [["a b c d e f g h i", "i j k l m n"]], "13a", False
    yield "clipped counts", ["the the the the the the the"], [["the cat is on the mat"], ["there is a cat on the mat"]], "13a", False
    yield "nearest reference length ties", ["a b c d e"], [["a b c d e f g"], ["a b c"]], "13a", False


def main():
    result = []
    for name, hypotheses, references, tokenize, lowercase in cases():
        metric = BLEU(tokenize=tokenize, lowercase=lowercase)
        score = metric.corpus_score(hypotheses, references)
        signature = str(metric.get_signature())
        result.append({
            "name": name, "hypotheses": hypotheses, "references": references, "tokenize": tokenize, "lowercase": lowercase,
            "signature": signature, "line": score.format(signature=signature),
            "score": score.score, "precisions": score.precisions, "bp": score.bp, "counts": score.counts,
            "totals": score.totals, "sys_len": score.sys_len, "ref_len": score.ref_len})
    golden = {"made_by": "python3 scripts/goldens/make_bleu.py > tests/golden/bleu.json",
              "sacrebleu_version": sacrebleu.__version__, "python_version": sys.version.split()[0], "cases": result}
    json.dump(golden, sys.stdout, ensure_ascii=True, indent=1)
    print()


main()
