"""Makes the data of the browser tests' pages: a dump and two runs, small enough that every number is known."""

import json
import pathlib
import random

NASTY = "</script><script>document.title='broken'</script>"
ARABIC = "\u0643\u062a\u0627\u0628"
DOG = "\U0001f415"


def even(rows, columns):
    return [[1 / columns] * columns for _ in range(rows)]


def sentence(number, source, target, attention=None, **more):
    source, target = source + ["</s>"], target + ["</s>"]
    return {
        "id": number,
        "source": source,
        "target": target,
        "attention": attention or even(len(target), len(source)),
        "score": -1.5,
        **more,
    }


def dump_lines():
    """The first sentence has every matrix and two subwords on each side; the others have awkward texts."""
    attention = [
        [0.7, 0.1, 0.1, 0.1],
        [0.05, 0.4, 0.5, 0.05],
        [0.05, 0.5, 0.2, 0.25],
        [0.1, 0.1, 0.1, 0.7],
    ]
    signed = [[0.5, -2, 0, 0], [0, 1, 0, 0], [0, 0, 0.25, 0], [0, 0, 0, 1]]
    first = sentence(
        0,
        ["\u2581The", "\u2581bask", "et"],
        ["\u2581Der", "\u2581Kor", "b"],
        attention,
        gradient=signed,
        integrated=signed,
        erasure=signed,
        attention_head_1=even(4, 4),
        attention_head_2=attention,
    )
    return [
        first,
        sentence(1, ["\u2581" + NASTY, "\u2581a", "\u2581&amp;", '\u2581"quoted"'], ["\u2581<b>bold</b>", "\u2581x\u2028y"]),
        sentence(2, ["\u2581" + ARABIC, "\u2581\u062c\u062f\u064a\u062f"], ["\u2581new", "\u2581book"], links="1-0 0-1"),
        sentence(3, ["\u2581" + DOG, "\u2581\u732b"], ["\u2581Hund", "\u2581Katze"]),
    ]


def huge_line(rows, columns):
    """A sentence in which one cell has all the weight of its row."""
    attention = [[int(s == t) for s in range(columns)] for t in range(rows)]
    return sentence(0, [f"\u2581s{s}" for s in range(columns - 1)], [f"\u2581t{t}" for t in range(rows - 1)], attention)


def long_lines(count, length):
    """Sentences of the given length with a blurred diagonal."""
    draw = random.Random(7)
    lines = []
    for number in range(count):
        source = [f"\u2581word{draw.randrange(500)}" for _ in range(length - 1)]
        target = [f"\u2581Wort{draw.randrange(500)}" for _ in range(length - 1)]
        rows = []
        for t in range(length):
            row = [2.0 ** -abs(s - t) * draw.random() for s in range(length)]
            rows.append([round(weight / sum(row), 6) for weight in row])
        lines.append(sentence(number, source, target, rows))
    return lines


def write_dump(path, lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    pathlib.Path(path).write_text(text, encoding="utf-8")


def write_run(folder, translations, attention=True):
    """A run with a validation each 100 updates, which gave these translations of its one sample."""
    samples = pathlib.Path(folder) / "samples"
    samples.mkdir(parents=True)
    log = []
    for k, translation in enumerate(translations, 1):
        update = 100 * k
        train = {"type": "train", "update": update, "minutes": k, "cross_entropy": 4 / k}
        train |= {"learning_rate": 0.001, "gradient_norm": 1 / k, "tokens_per_second": 900 + k}
        valid = {"type": "valid", "update": update, "minutes": k, "cross_entropy": 5 / k, "perplexity": 100 / k}
        log += [train, valid | {"bleu": 10 * k}]
        words = translation.split()
        text = f"source       a small dog\nreference    ein kleiner Hund\ntranslation  {translation}\n\n"
        (samples / f"update-{update:08}.txt").write_text(text, encoding="utf-8")
        line = sentence(0, ["\u2581a", "\u2581small", "\u2581dog"], ["\u2581" + word for word in words])
        if attention:
            write_dump(samples / f"update-{update:08}.jsonl", [line])
    (pathlib.Path(folder) / "log.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in log))
