#!/usr/bin/env python3
"""Trains small models in both directions with each attention score and reports how well their attention aligns words.

The training text is that of --source and --target (several files are concatenated), as lowercased words
(plain_words.py), plus the test text: as usual for unsupervised aligners, training sees the test text but no gold link.
The test text must be tokenised like its gold links. Models and links are kept in runs/alignment/NAME; a model that
exists there is not trained again. Prints a row of a Markdown table for each score, with the alignment
error rate (AER, percent) of the forward model, of the backward model, and of both together (grow-diag-final-and).
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCORES = ("additive", "general", "dot", "scaled_dot", "concat")
HELD_OUT = 500  # pairs for validation


def fail(message):
    sys.exit(f"alignment_table.py: {message}")


def run(command, **options):
    result = subprocess.run(command, text=True, capture_output=True, encoding="utf-8", **options)
    if result.returncode != 0:
        fail(f"{' '.join(command[:2])} failed: {result.stderr.strip().splitlines()[-1:] or result.returncode}")
    return result.stdout


def read(path):
    try:
        with open(path, encoding="utf-8", newline="\n") as text:
            return text.read()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path}: {error}")


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(line + "\n" for line in lines)


def plain_words(paths, french):
    command = [sys.executable, os.path.join(ROOT, "scripts", "plain_words.py")] + (["--french"] if french else [])
    return run(command, input="".join(read(path) for path in paths)).splitlines()


def prepare(folder, options):
    """Writes the training, validation and test text of both sides; returns the number of training pairs."""
    os.makedirs(folder, exist_ok=True)
    sizes = {}
    for side, paths, test in (("source", options.source, options.test[0]), ("target", options.target, options.test[1])):
        lines = plain_words(paths, side == options.french)
        tested = [" ".join(line.lower().split()) for line in read(test).splitlines()]
        write(f"{folder}/valid.{side}", lines[-HELD_OUT:])
        write(f"{folder}/train.{side}", lines[:-HELD_OUT] + tested)
        write(f"{folder}/test.{side}", tested)
        sizes[side] = (len(lines), len(tested))
    if sizes["source"] != sizes["target"]:
        fail(f"the sides differ: {sizes['source']} and {sizes['target']} lines of training and test text")
    if sizes["source"][0] <= HELD_OUT:
        fail(f"{sizes['source'][0]} training pairs, of which {HELD_OUT} are for validation: give more")
    return sum(sizes["source"]) - HELD_OUT


def train(options, folder, score, sides):
    """Trains one direction unless its checkpoint exists; returns the checkpoint."""
    source, target = sides
    home = f"{folder}/{score}.{source}"
    if not os.path.exists(f"{home}/done"):
        run([options.heed, "train", os.path.join(ROOT, "configs", "alignment.yaml"), "--run.dir", home,
             "--run.threads", str(options.threads), "--run.precision", options.precision,
             "--model.attention.score", score,
             "--data.train.source", f"{folder}/train.{source}", "--data.train.target", f"{folder}/train.{target}",
             "--data.valid.source", f"{folder}/valid.{source}", "--data.valid.target", f"{folder}/valid.{target}"])
        write(f"{home}/done", [])
    return f"{home}/best.heed"


def align(options, folder, models, sides, links):
    """Links of the test text by the first model, or by both together."""
    source, target = sides
    run([options.heed, "align", "--model", models[0], "--source", f"{folder}/test.{source}", "--words",
         "--target", f"{folder}/test.{target}", "--links", links, "--threads", str(options.threads)]
        + (["--reverse-model", models[1]] if len(models) > 1 else []))
    return links


def exchange(links):
    """Writes a copy of the file with j-i for i-j, so that a backward model's links match the gold links."""
    exchanged = links + ".exchanged"
    write(exchanged, (" ".join("-".join(reversed(link.split("-"))) for link in line.split())
                      for line in read(links).splitlines()))
    return exchanged


def error_rate(options, links):
    out = run([options.heed, "evaluate", "--links", links, "--gold", options.gold, "--gold-base", options.gold_base,
               "--json"])
    return 100 * json.loads(out)["aer"]


def row(options, folder, score):
    forward, backward = ("source", "target"), ("target", "source")
    models = [train(options, folder, score, sides) for sides in (forward, backward)]
    links = f"{folder}/{score}"
    rates = [
        error_rate(options, align(options, folder, models[:1], forward, links + ".forward")),
        error_rate(options, exchange(align(options, folder, models[1:], backward, links + ".backward"))),
        error_rate(options, align(options, folder, models, forward, links + ".both")),
    ]
    return " | ".join([f"| {options.name}", f"`{score}`"] + [f"{rate:.1f}" for rate in rates]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", required=True, help="of the pair, such as de-en; also that of the folder")
    parser.add_argument("--source", required=True, nargs="+", metavar="FILE", help="training text")
    parser.add_argument("--target", required=True, nargs="+", metavar="FILE", help="its translation")
    parser.add_argument("--test", required=True, nargs=2, metavar=("SOURCE", "TARGET"), help="the text with gold links")
    parser.add_argument("--gold", required=True, metavar="FILE", help="gold links, Pharaoh")
    parser.add_argument("--gold-base", default="0", choices=("0", "1"), help="number of the first word (default: 0)")
    parser.add_argument("--french", choices=("source", "target"), help="this side of the training text is French")
    parser.add_argument("--scores", nargs="+", default=SCORES, choices=SCORES, metavar="SCORE", help="default: all")
    parser.add_argument("--threads", type=int, default=0, help="default: all cores")
    parser.add_argument("--precision", default="f32", choices=("f32", "bf16"), help="of training (default: f32)")
    parser.add_argument("--heed", default=os.path.join(ROOT, "build", "release", "heed"), help="the program")
    options = parser.parse_args()
    if not os.access(options.heed, os.X_OK):
        fail(f"no program at {options.heed}; build it (README.md) or give --heed")

    folder = os.path.join(ROOT, "runs", "alignment", options.name)
    pairs = prepare(folder, options)
    print(f"| pair ({pairs:,} to train on) | score | forward | backward | both |\n|---|---|---|---|---|", flush=True)
    for score in options.scores:
        print(row(options, folder, score), flush=True)


if __name__ == "__main__":
    main()
