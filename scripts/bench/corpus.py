#!/usr/bin/env python3
"""Measures time and memory of training for several sizes of the corpus: prints a Markdown table with one row per size.

  scripts/bench/corpus.py [--heed build/release/heed] [--work FOLDER] [--pairs 1000 10000 ...] [--updates 1000]

Each corpus is a random sample of lines of the given text and is removed after its run; ten million pairs of Multi30k
take 1.4 GB, and as much again while training reads them. The model is small, so that handling the data is a large share
of the time. The default sizes take some 30 minutes on two cores. Needs the standard library only.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time
import zlib

from measuring import at_least, check_program, fail, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULTS = {"heed": ROOT / "build/release/heed", "work": ROOT / "build/corpora", "source": ROOT / "data/multi30k/train.en",
            "target": ROOT / "data/multi30k/train.de"}
VOCABULARY = "vocabulary.model"
CONFIG = """
run: {{dir: run, threads: {threads}}}
data: {{train: {{source: source.txt, target: target.txt}}, vocab: ../{vocabulary}}}
model: {{encoder: {{hidden: 32}}, decoder: {{hidden: 32}}, attention: {{size: 32}}, embedding: 32}}
train: {{updates: {updates}, epochs: 0, batch_tokens: 2000, report_every: 1}}
"""


def lines_of(path, option):
    opened = gzip.open if str(path).endswith(".gz") else open
    try:
        with opened(path, "rb") as file:
            lines = [line.rstrip(b"\n") + b"\n" for line in file]
    except (OSError, EOFError, zlib.error) as problem:
        fail(f"--{option} {path}: {getattr(problem, 'strerror', None) or problem}; give another text, or get the default "
             "one with scripts/get_data.sh multi30k --download")
    if not lines:
        fail(f"--{option} {path} is empty; give a text with lines")
    return lines


def write_corpus(folder, pairs, source, target):
    draw = random.Random(pairs)
    with open(folder / "source.txt", "wb") as source_file, open(folder / "target.txt", "wb") as target_file:
        for begin in range(0, pairs, 10000):
            picked = draw.choices(range(len(source)), k=min(10000, pairs - begin))
            source_file.write(b"".join(source[i] for i in picked))
            target_file.write(b"".join(target[i] for i in picked))


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def train(heed, folder):
    """Seconds until the first update, processor time from there to the last one, and the peak of resident memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen([heed, "train", folder / "config.yaml"], stderr=subprocess.PIPE, text=True)
    before = first = last = None
    said = []
    for line in process.stderr:
        said.append(line)
        if "update " in line and "loss" in line:
            last = processor_seconds(process)
            if first is None:
                before, first = time.monotonic() - start, last
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or first is None:
        sys.exit(f"heed train ended with {process.returncode}: {''.join(said)[-2000:]}")
    return before, last - first, usage.ru_maxrss / 1024


def folder_of(args, pairs):
    return args.work / f"pairs_{pairs}"


def measure(args, pairs, source, target):
    folder = folder_of(args, pairs)
    folder.mkdir()
    try:
        write_corpus(folder, pairs, source, target)
        settings = CONFIG.format(threads=args.threads, updates=args.updates, vocabulary=VOCABULARY)
        (folder / "config.yaml").write_text(settings)
        before, processor, peak = train(args.heed, folder)
        inspected = json.loads(run([args.heed, "inspect", "--json", folder / "run/last.heed"]))
        tokens = inspected["training_state"]["target_tokens"] * (args.updates - 1) / args.updates
        seconds = f"{before:.1f}" if before < 100 else f"{before:.0f}"
        print(f"| {pairs:,} | {seconds} | {processor / tokens * 1e6:.1f} | {peak:,.0f} |", flush=True)
    finally:
        shutil.rmtree(folder)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, metavar, text in [("heed", "FILE", "the program"), ("work", "FOLDER", "folder for the corpora"),
                                ("source", "FILE", "text whose lines are drawn"),
                                ("target", "FILE", "the other side of the text")]:
        default = DEFAULTS[name]
        parser.add_argument(f"--{name}", type=pathlib.Path, default=default, metavar=metavar,
                            help=f"{text} (default: {default.relative_to(ROOT)})")
    sizes = [1000, 10000, 100000, 1000000, 10000000]
    parser.add_argument("--pairs", type=at_least(1), nargs="+", default=sizes, metavar="N",
                        help=f"sizes of the corpora (default: {' '.join(map(str, sizes))})")
    parser.add_argument("--updates", type=at_least(2), default=1000, metavar="N",
                        help="of each training; time is measured from the first to the last (default: 1000)")
    parser.add_argument("--threads", type=at_least(0), default=0, metavar="N", help="0: all cores (default: 0)")
    return parser.parse_args()


def check(args):
    """Reports what cannot be measured before measuring anything; returns the text."""
    check_program(args.heed)
    source, target = lines_of(args.source, "source"), lines_of(args.target, "target")
    if len(source) != len(target):
        fail(f"--source {args.source} has {len(source)} lines, --target {args.target} has {len(target)}: give the two "
             "sides of one text")
    try:
        args.work.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        fail(f"--work {args.work}: {problem.strerror}; give a folder that can be written to")
    for pairs in args.pairs:
        if folder_of(args, pairs).exists():
            fail(f"--work: {folder_of(args, pairs)} was left by a run that was interrupted; remove it")
    return source, target


def main():
    args = arguments()
    source, target = check(args)
    args.heed = args.heed.resolve()
    vocabulary = args.work / VOCABULARY
    if not vocabulary.exists():
        run([args.heed, "vocab", "--input", args.source, args.target, "--size", 8000, "--output", vocabulary])
    print("| pairs | seconds until the first update | processor seconds for a million target tokens | peak MB |")
    print("|---|---|---|---|", flush=True)
    for pairs in args.pairs:
        measure(args, pairs, source, target)


if __name__ == "__main__":
    main()
