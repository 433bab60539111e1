#!/usr/bin/env python3
"""heed's model in numpy, from nothing but a checkpoint: the equations of docs/formats.md as code.

    heed translate --model M --format json --input F | scripts/numpy_model.py M

Computes log p and the attention of each translation again, prints both log p and the largest difference of a weight,
and exits with 1 if a log p differs by more than 0.001. Reads models of any cell, style, score and number of layers.
"""
import base64
import json
import struct
import sys

import numpy as np

START, END = 1, 2


def read_tensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    metadata, kinds = header.pop("__metadata__"), {"F32": np.float32, "F64": np.float64, "I8": np.int8}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(data[begin:end], kinds[entry["dtype"]]).reshape(entry["shape"])
    for name in [name for name in tensors if tensors[name].dtype == np.int8]:
        rows, columns = tensors.get(name + ".row_scale"), tensors.get(name + ".column_scale")
        tensors[name] = tensors[name] * (columns if rows is None else rows[:, None])
    return metadata, tensors


def varint(data, at):
    value = shift = 0
    while True:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """The fields of a protobuf message that have a length: (number, bytes)."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        size = {1: 8, 5: 4}.get(tag & 7, 0)
        if tag & 7 in (0, 2):
            size, at = varint(data, at)
        if tag & 7 == 2:
            yield tag >> 3, data[at:at + size]
        at += 0 if tag & 7 == 0 else size


def read_pieces(text):
    kind, _, encoded = text.partition("\n")
    data = base64.b64decode(encoded)
    if kind == "word":
        return ["<unk>", "<s>", "</s>"] + data.decode().split("\n")[1:-1]
    return [dict(fields(piece))[1].decode() for number, piece in fields(data) if number == 1]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class NumpyModel:
    def __init__(self, path):
        self.metadata, self.t = read_tensors(path)
        self.source, self.target = ({piece: i for i, piece in enumerate(read_pieces(self.metadata[side + "_vocabulary"]))}
                                    for side in ("source", "target"))
        self.bahdanau, self.feeds = "decoder.0.context" in self.t, "decoder.0.feed" in self.t
        self.layers = sum(name.startswith("decoder.initial.") and name.endswith(".bias") for name in self.t)
        config = self.metadata["config"]
        self.score = config[config.index("score: ") + 7:].split()[0]

    def words(self, side, ids):
        table = self.t.get(side + ".embedding", self.t["target.embedding"])
        return np.sqrt(table.shape[1]) * table[ids]

    def step(self, name, x, state):
        """One step of a cell from its input products x, without their bias."""
        h, c = state
        x = x + self.t[name + ".input_bias"]
        product = h @ self.t[name + ".recurrent"]
        if name + ".recurrent_bias" in self.t:  # GRU: r, z, n
            (xr, xz, xn), (hr, hz, hn) = np.split(x, 3), np.split(product + self.t[name + ".recurrent_bias"], 3)
            z, n = sigmoid(xz + hz), np.tanh(xn + sigmoid(xr + hr) * hn)
            return (1 - z) * n + z * h, c
        i, f, g, o = np.split(x + product, 4)  # LSTM
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(c), c

    def read(self, name, inputs):
        state = (np.zeros(self.t[name + ".recurrent"].shape[0]),) * 2
        states = []
        for x in inputs @ self.t[name + ".input"]:
            state = self.step(name, x, state)
            states.append(state[0])
        return np.array(states)

    def encode(self, ids):
        states, layer = self.words("source", ids), 0
        while f"encoder.{layer}.forward.input" in self.t:
            forward, backward = f"encoder.{layer}.forward", f"encoder.{layer}.backward"
            sides = [self.read(forward, states)]
            summary = [sides[0][-1]]
            if backward + ".input" in self.t:
                sides.append(self.read(backward, states[::-1])[::-1])
                summary.append(sides[1][0])
            states, layer = np.concatenate(sides, 1), layer + 1
        return states, np.concatenate(summary)

    def attend(self, states, s):
        keys = states @ self.t["attention.key"] if "attention.key" in self.t else states
        if "attention.v" in self.t:
            scores = np.tanh(s @ self.t["attention.query"] + keys + self.t.get("attention.bias", 0)) @ self.t["attention.v"]
        else:
            scores = keys @ s / (np.sqrt(keys.shape[1]) if self.score == "scaled_dot" else 1)
        weights = np.exp(scores - scores.max())
        return weights / weights.sum()

    def decode_step(self, memory, e, layers, feed):
        states, summary = memory
        query, weights, context, x = layers[-1][0], None, summary, e @ self.t["decoder.0.input"]
        if self.bahdanau and self.score != "none":
            weights = self.attend(states, query)
            context = weights @ states
        if self.bahdanau:
            x = x + context @ self.t["decoder.0.context"]
        if self.feeds:
            x = x + feed @ self.t["decoder.0.feed"]
        for l in range(self.layers):
            x = x if l == 0 else layers[l - 1][0] @ self.t[f"decoder.{l}.input"]
            layers[l] = self.step(f"decoder.{l}", x, layers[l])
        s = layers[-1][0]
        if not self.bahdanau and self.score != "none":
            weights = self.attend(states, s)
            context = weights @ states
        sum = s @ self.t["readout.state"] + context @ self.t["readout.context"] + self.t["readout.bias"]
        return np.tanh(sum + e @ self.t["readout.embedding"] if self.bahdanau else sum), weights

    def score_pair(self, source, target):
        """Pieces of both sides, </s> last: log p and the attention [target][source]."""
        ids = [self.target.get(piece, 0) for piece in target]
        states, summary = self.encode([self.source.get(piece, 0) for piece in source])
        layers = []
        for l in range(self.layers):
            h = np.tanh(summary @ self.t[f"decoder.initial.{l}.weight"] + self.t[f"decoder.initial.{l}.bias"])
            layers.append((h, np.zeros_like(h)))
        readout, log_p, rows = np.zeros_like(self.t["readout.bias"]), 0, []
        for e, word in zip(self.words("target", [START] + ids[:-1]), ids):
            readout, weights = self.decode_step((states, summary), e, layers, readout)
            logits = self.t.get("output.weight", self.t["target.embedding"]) @ readout + self.t["output.bias"]
            log_p += logits[word] - logits.max() - np.log(np.exp(logits - logits.max()).sum())
            rows.append(weights)
        return log_p, rows


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    model, worst = NumpyModel(sys.argv[1]), 0
    for line in map(json.loads, sys.stdin):
        for translation in line["translations"] if line["source"] else []:
            log_p, rows = model.score_pair(line["source"], translation["tokens"])
            given = translation["attention"]
            apart = max((np.abs(row - other).max() for row, other in zip(rows, given)), default=0) if given else 0
            print(f"{line['id']}\t{log_p:.4f}\t{translation['logp']:.4f}\t{apart:.6f}")
            worst = max(worst, abs(log_p - translation["logp"]))
    sys.exit(f"a log p differs by {worst:.4f}" if worst > 0.001 else 0)


if __name__ == "__main__":
    main()
