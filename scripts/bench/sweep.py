#!/usr/bin/env python3
"""How heed's speed changes with batch, sizes, vocabulary, threads, options and sentence length: Markdown tables and a picture.

  scripts/bench/sweep.py [--heed build/release/heed] [--seconds 5] [--parts NAME...] [--model M.heed] [--picture F.svg]

Needs the standard library only. `lengths` translates sentences of one length each, so it needs a trained model.
How speed and memory change with the size of the text: corpus.py.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import time

from chart import write_charts
from measuring import positive, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
LENGTHS = (10, 20, 40, 80, 160)  # source words
SENTENCES = 256  # of each length
SCORES = ("additive", "concat", "general", "dot", "scaled_dot", "none")


def print_table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def training(args, title, key, values):
    rows, points = [], []
    for value in values:
        f = json.loads(run([args.heed, "bench", "--" + key, value, "--seconds", args.seconds, "--json"]))
        rows.append((f"{value:,}", f"{f['target_tokens_per_second']:,.0f}", f"{f['flops_per_target_token'] / 1e6:.1f}",
                     f"{100 * f['share_of_peak']:.0f} %", f"{f['peak_memory_bytes'] / 1e6:,.0f}"))
        points.append((value, 100 * f["share_of_peak"]))
    print_table(title, [key, "target tokens/s", "MFLOP a token", "of the peak", "MB"], rows)
    return title, "% of the GEMM peak", points, True


def of_length(lines, words):
    """Sentences of so many words: those of a text put together until they are long enough."""
    made, sentence = [], []
    while len(made) < SENTENCES:
        for line in lines:
            sentence += line.split()
            if len(sentence) >= words:
                made.append(" ".join(sentence[:words]))
                sentence = []
    return made[:SENTENCES]


def translation_seconds(args, lines, folder):
    path = pathlib.Path(folder) / "in"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    start = time.perf_counter()
    # A model that was trained on captions ends early; the translation shall be as long as the sentence.
    output = run([args.heed, "translate", "--model", args.model, "--input", path, "--beam", "5", "--min-length-ratio", "1"])
    return time.perf_counter() - start, len(output.split())


def lengths(args):
    text = (ROOT / "data/multi30k/test_2016.en").read_text(encoding="utf-8").split("\n")[:-1]
    rows, points = [], []
    with tempfile.TemporaryDirectory() as folder:
        start_up, _ = translation_seconds(args, text[:1], folder)
        for words in LENGTHS:
            seconds, produced = translation_seconds(args, of_length(text, words), folder)
            seconds -= start_up
            rows.append((words, f"{produced / SENTENCES:.1f}", f"{1e3 * seconds / SENTENCES:.1f}",
                         f"{1e6 * seconds / produced:.0f}"))
            points.append((words, 1e3 * seconds / SENTENCES))
    title = "Length of the sentence"
    print_table(title + " (beam 5)", ["source words", "target words", "ms a sentence", "us a target word"], rows)
    return title, "ms a sentence, beam 5", points, False


def options(args):
    """Every cell, decoder style and score, so that one that is slower than the others is seen."""
    rows = []
    for cell in ("gru", "lstm"):
        for style in ("bahdanau", "luong"):
            shares = []
            for score in SCORES:
                words = ["--model.encoder.cell", cell, "--model.decoder.cell", cell, "--model.decoder.style", style,
                         "--model.attention.score", score]
                f = json.loads(run([args.heed, "bench", *words, "--seconds", args.seconds, "--json"]))
                shares.append(f"{100 * f['share_of_peak']:.0f} %")
            rows.append((f"{cell}, {style}", *shares))
    print_table("Share of the GEMM peak by cell, style and score", ["", *SCORES], rows)
    return None  # nothing to draw


PARTS = {
    "batch": lambda a: training(a, "Sentences a batch", "train.batch_sentences", [1, 8, 20, 40, 80, 160]),
    "hidden": lambda a: training(a, "Decoder size", "model.decoder.hidden", [128, 256, 512, 1024]),
    "vocabulary": lambda a: training(a, "Vocabulary", "data.vocab_size", [1000, 4000, 8000, 16000, 32000]),
    "threads": lambda a: training(a, "Threads", "run.threads", [1, 2]),
    "options": options,
    "lengths": lengths,
}


def check(args):
    """What can't be measured is said before anything is."""
    if not os.access(args.heed, os.X_OK):
        sys.exit(f"sweep.py: no program at {args.heed}; build it (README.md) or give --heed")
    if args.picture and not pathlib.Path(args.picture).absolute().parent.is_dir():
        sys.exit(f"sweep.py: --picture {args.picture}: there is no such folder")
    if "lengths" in args.parts and not pathlib.Path(args.model).exists():
        sys.exit(f"sweep.py: lengths needs a trained model, {args.model} is not there; give --model, or --parts without it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heed", default=str(ROOT / "build/release/heed"))
    parser.add_argument("--model", default=str(ROOT / "runs/multi30k_ende/best.heed"))
    parser.add_argument("--seconds", type=positive, default=5, help="of each training measurement (default: 5)")
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS), help="default: all")
    parser.add_argument("--picture", help="SVG file to draw the curves in")
    args = parser.parse_args()
    check(args)
    charts = []
    for name in args.parts:
        charts.append(PARTS[name](args))
    if args.picture:
        write_charts(args.picture, [chart for chart in charts if chart and len(chart[2]) > 2])


if __name__ == "__main__":
    main()
