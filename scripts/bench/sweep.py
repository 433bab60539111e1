#!/usr/bin/env python3
"""How heed's speed changes with batch, sizes, vocabulary, threads, options and sentence length: Markdown tables and a picture.

  scripts/bench/sweep.py [--parts NAME...] [--rounds 3] [--seconds 3] [--model M.heed] [--picture F.svg]

Every point is measured once per round, so that a drifting machine speed does not distort a curve. Figures are the median
over the rounds, with (minimum-maximum). Three rounds of all parts take some 20 minutes on two cores, half of them
for `options`. Needs the standard library only. `lengths` translates sentences of one length each, so it needs a trained
model. How speed and memory change with the size of the text: corpus.py.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

from chart import write_charts
from measuring import at_least, check_program, fail, positive, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULT_HEED = ROOT / "build/release/heed"
DEFAULT_MODEL = ROOT / "runs/multi30k_ende/best.heed"
LENGTHS = [10, 20, 40, 80, 160]  # source words
SENTENCES = 256  # of each length
SCORES = ("additive", "concat", "general", "dot", "scaled_dot", "none")


def middle(figures, name):
    return statistics.median(f[name] for f in figures)


def spread(figures, name, form="{:.0f}"):
    """The median over rounds, with minimum and maximum if there are several."""
    values = [f[name] for f in figures]
    median, least, greatest = (form.format(x) for x in (statistics.median(values), min(values), max(values)))
    return f"{median} ({least}-{greatest})" if len(values) > 1 else median


def print_table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def training_figures(args, *words):
    f = json.loads(run([args.heed, "bench", *words, "--seconds", args.seconds, "--json"]))
    return {"tokens/s": f["target_tokens_per_second"], "MFLOP": f["flops_per_target_token"] / 1e6,
            "share, %": 100 * f["share_of_peak"], "MB": f["peak_memory_bytes"] / 1e6}


class Training:
    """Updates for several values of one key."""

    def __init__(self, title, key, points):
        self.title, self.key, self.points = title, key, points
        self.drawn = len(points) > 2

    def measure(self, args, value):
        return training_figures(args, "--" + self.key, value)

    def print(self, measured):
        rows = [(f"{value:,}", spread(f, "tokens/s", "{:,.0f}"), f"{middle(f, 'MFLOP'):.1f}", spread(f, "share, %"),
                 f"{middle(f, 'MB'):,.0f}") for value, f in measured.items()]
        print_table(self.title, [self.key, "target tokens/s", "MFLOP a token", "of the peak, %", "MB"], rows)

    def chart(self, measured):
        return self.title, "% of the GEMM peak", [(x, middle(f, "share, %")) for x, f in measured.items()], True


class Options:
    """Every cell, decoder style and score, to find one that is slower than the others."""

    title, drawn = "Share of the GEMM peak by cell, style and score, %", False
    points = [(cell, style, score) for cell in ("gru", "lstm") for style in ("bahdanau", "luong") for score in SCORES]

    def measure(self, args, point):
        cell, style, score = point
        return training_figures(args, "--model.encoder.cell", cell, "--model.decoder.cell", cell, "--model.decoder.style",
                                style, "--model.attention.score", score)

    def print(self, measured):
        rows = {}
        for (cell, style, _), figures in measured.items():
            rows.setdefault(f"{cell}, {style}", []).append(spread(figures, "share, %"))
        print_table(self.title, ["", *SCORES], [(name, *cells) for name, cells in rows.items()])


def of_length(lines, words):
    """Sentences with this number of words, made by joining those of a text."""
    made, sentence = [], []
    while len(made) < SENTENCES:
        for line in lines:
            sentence += line.split()
            if len(sentence) >= words:
                made.append(" ".join(sentence[:words]))
                sentence = []
    return made[:SENTENCES]


def translation_seconds(args, lines):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as source:
        source.write("\n".join(lines) + "\n")
        source.flush()
        start = time.perf_counter()
        # A model that was trained on captions ends early; the translation shall be as long as the sentence.
        output = run([args.heed, "translate", "--model", args.model, "--input", source.name, "--beam", "5",
                      "--min-length-ratio", "1"])
        return time.perf_counter() - start, len(output.split())


class Lengths:
    """Translation of sentences of one length; the start-up time of the program is measured each time and subtracted."""

    title, points, drawn = "Length of the sentence", LENGTHS, True
    text = ROOT / "data/multi30k/test_2016.en"

    def measure(self, args, words):
        text = self.text.read_text(encoding="utf-8").split("\n")[:-1]
        start_up, _ = translation_seconds(args, text[:1])
        seconds, produced = translation_seconds(args, of_length(text, words))
        seconds -= start_up
        return {"target words": produced / SENTENCES, "ms a sentence": 1e3 * seconds / SENTENCES,
                "us a target word": 1e6 * seconds / produced}

    def print(self, measured):
        rows = [(words, f"{middle(f, 'target words'):.1f}", spread(f, "ms a sentence", "{:.1f}"),
                 spread(f, "us a target word")) for words, f in measured.items()]
        print_table(self.title + " (beam 5)", ["source words", "target words", "ms a sentence", "us a target word"], rows)

    def chart(self, measured):
        points = [(words, middle(f, "ms a sentence")) for words, f in measured.items()]
        return self.title, "ms a sentence, beam 5", points, False


PARTS = {
    "batch": Training("Sentences a batch", "train.batch_sentences", [1, 8, 20, 40, 80, 160]),
    "hidden": Training("Decoder size", "model.decoder.hidden", [128, 256, 512, 1024]),
    "vocabulary": Training("Vocabulary", "data.vocab_size", [1000, 4000, 8000, 16000, 32000]),
    "threads": Training("Threads", "run.threads", [1, 2]),
    "options": Options(),
    "lengths": Lengths(),
}
DRAWN = [name for name, part in PARTS.items() if part.drawn]


def measure(args):
    """{part: {point: figures of each round}}"""
    measured = {name: {point: [] for point in PARTS[name].points} for name in args.parts}
    for number in range(args.rounds):
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr)
        for name, points in measured.items():
            for point, figures in points.items():
                figures.append(PARTS[name].measure(args, point))
                words = " ".join(map(str, point)) if isinstance(point, tuple) else point
                told = ", ".join(f"{key} {value:,.1f}" for key, value in figures[-1].items())
                print(f"  {name} | {words}: {told}", file=sys.stderr, flush=True)
    return measured


def check(args):
    """Reports what cannot be measured or drawn before measuring anything."""
    check_program(args.heed)
    if args.picture and not pathlib.Path(args.picture).absolute().parent.is_dir():
        fail(f"--picture {args.picture}: there is no such folder")
    if args.picture and not set(DRAWN) & set(args.parts):
        fail(f"--picture {args.picture}: nothing to draw; give one of {', '.join(DRAWN)} to --parts, or no --picture")
    if "lengths" in args.parts and not pathlib.Path(args.model).is_file():
        fail(f"lengths needs a trained model, but {args.model} does not exist; give --model, or --parts without it")
    if "lengths" in args.parts and not Lengths.text.is_file():
        fail("lengths needs data/multi30k; run scripts/get_data.sh multi30k --download, or give --parts without it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heed", default=str(DEFAULT_HEED), metavar="FILE",
                        help=f"the program (default: {DEFAULT_HEED.relative_to(ROOT)})")
    parser.add_argument("--model", default=str(DEFAULT_MODEL), metavar="FILE",
                        help=f"a trained model, for lengths (default: {DEFAULT_MODEL.relative_to(ROOT)})")
    parser.add_argument("--rounds", type=at_least(1), default=3, metavar="N",
                        help="how often each point is measured (default: 3)")
    parser.add_argument("--seconds", type=positive, default=3, help="of each training measurement (default: 3)")
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS), help="default: all")
    parser.add_argument("--picture", metavar="FILE",
                        help=f"SVG file to draw the medians of {', '.join(DRAWN)} in (default: none)")
    args = parser.parse_args()
    check(args)
    measured = measure(args)
    for name, points in measured.items():
        PARTS[name].print(points)
    if args.picture:
        write_charts(args.picture, [PARTS[name].chart(points) for name, points in measured.items() if name in DRAWN])


if __name__ == "__main__":
    main()
