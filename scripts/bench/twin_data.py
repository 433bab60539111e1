"""Reads texts and makes batches as heed does."""

import random

import torch

from twin_model import END


def pad(rows):
    size = max(map(len, rows))
    return torch.tensor([r + [END] * (size - len(r)) for r in rows]).t().contiguous()


def make_batch(pairs):
    source, target = [s for s, _ in pairs], [t for _, t in pairs]
    lengths = torch.tensor([len(t) for t in target])
    real = torch.arange(int(lengths.max()))[:, None] < lengths[None, :]
    return pad(source), torch.tensor([len(s) for s in source]), pad(target), real


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def read_pairs(pieces, args):
    ids = lambda path: [s + [END] for s in pieces.encode(read_lines(path))]
    return list(zip(ids(args.source), ids(args.target)))


def epoch_batches(pairs, seed):
    """Batches of 80 sentences out of sorted pools, as in heed."""
    pairs = random.Random(seed).sample(pairs, len(pairs))
    pools = [sorted(pairs[i : i + 4000], key=lambda p: (len(p[0]), len(p[1]))) for i in range(0, len(pairs), 4000)]
    batches = [pool[i : i + 80] for pool in pools for i in range(0, len(pool), 80)]
    random.Random(seed + 1).shuffle(batches)
    return batches
