"""heed's model in PyTorch, built from a checkpoint of heed. Letters: B batch, S source, T target, H hidden."""

import base64
import json
import math
import struct

import sentencepiece
import torch
from torch.nn import functional as F

START, END = 1, 2


def read_checkpoint(path):
    """Tensors by name, and the SentencePiece model that both sides share."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    meta = header.pop("__metadata__")
    tensors = {}
    for name, about in header.items():
        begin, end = about["data_offsets"]
        part = torch.frombuffer(data, dtype=torch.float32, count=(end - begin) // 4, offset=begin)
        tensors[name] = part.reshape(about["shape"]).clone()
    kind, _, text = meta["source_vocabulary"].partition("\n")
    if kind != "sentencepiece":
        raise SystemExit(f"{path}: a {kind} vocabulary; the comparison is written for sentencepiece")
    return tensors, sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(text))


class Twin(torch.nn.Module):
    def __init__(self, tensors, dropout=(0.0, 0.0, 0.0)):
        super().__init__()
        t = {k: v for k, v in tensors.items() if not k.startswith(("optimizer.", "average."))}
        if any(k.startswith(("encoder.1", "decoder.1")) for k in t):
            raise SystemExit("more than one layer: the comparison is written for one")
        self.p = torch.nn.ParameterDict({k.replace(".", "/"): torch.nn.Parameter(v) for k, v in t.items()})
        self.hidden = t["decoder.0.recurrent"].shape[0]
        self.gru = t["decoder.0.recurrent"].shape[1] == 3 * self.hidden
        self.bahdanau = "decoder.0.context" in t
        self.feeding = "decoder.0.feed" in t
        self.additive = "attention.v" in t
        self.drop_embedding, self.drop_states, self.drop_output = dropout
        self.encoder = self.make_encoder(t)
        for name in list(self.p):
            if name.startswith("encoder/"):
                del self.p[name]

    def __getitem__(self, name):
        return self.p[name.replace(".", "/")]

    def has(self, name):
        return name.replace(".", "/") in self.p

    def make_encoder(self, t):
        """torch.nn.GRU or LSTM with our weights; the gates have the same order, the matrices are transposed."""
        inputs, hidden = t["encoder.0.forward.input"].shape[0], t["encoder.0.forward.recurrent"].shape[0]
        both = "encoder.0.backward.input" in t
        rnn = (torch.nn.GRU if self.gru else torch.nn.LSTM)(inputs, hidden, bidirectional=both)
        with torch.no_grad():
            for side, suffix in [("forward", ""), ("backward", "_reverse")][: 1 + both]:
                name = f"encoder.0.{side}"
                getattr(rnn, "weight_ih_l0" + suffix).copy_(t[name + ".input"].t())
                getattr(rnn, "weight_hh_l0" + suffix).copy_(t[name + ".recurrent"].t())
                getattr(rnn, "bias_ih_l0" + suffix).copy_(t[name + ".input_bias"])
                zero = torch.zeros_like(t[name + ".input_bias"])
                getattr(rnn, "bias_hh_l0" + suffix).copy_(t.get(name + ".recurrent_bias", zero))
        return rnn

    def target_table(self):
        return self["target.embedding"]

    def embed(self, ids, table):
        x = F.embedding(ids, table) * math.sqrt(table.shape[1])
        return F.dropout(x, self.drop_embedding, self.training)

    def encode(self, source, lengths):
        """source [S, B] -> states, keys, mask, all batch first, and the decoder's first state."""
        table = self["source.embedding"] if self.has("source.embedding") else self.target_table()
        packed = torch.nn.utils.rnn.pack_padded_sequence(self.embed(source, table), lengths, enforce_sorted=False)
        states, last = self.encoder(packed)
        states, _ = torch.nn.utils.rnn.pad_packed_sequence(states)
        last = last if self.gru else last[0]
        summary = torch.cat([last[0], last[1]], 1) if last.shape[0] == 2 else last[0]
        s = torch.tanh(summary @ self["decoder.initial.0.weight"] + self["decoder.initial.0.bias"])
        states = F.dropout(states, self.drop_states, self.training).transpose(0, 1).contiguous()
        keys = states
        if self.has("attention.key"):
            keys = states @ self["attention.key"]
        if self.has("attention.bias"):
            keys = keys + self["attention.bias"]
        mask = torch.arange(states.shape[1])[None, :] >= lengths[:, None]
        feed = torch.zeros(s.shape[0], self["readout.bias"].shape[0])
        return (states, keys, mask), (s, torch.zeros_like(s), feed)

    def attend(self, memory, s):
        states, keys, mask = memory
        if self.additive:
            scores = torch.tanh(keys + (s @ self["attention.query"])[:, None]) @ self["attention.v"]
        else:
            scores = torch.bmm(keys, s[:, :, None])[:, :, 0]
        weights = torch.softmax(scores.masked_fill(mask, -1e9), 1)
        return torch.bmm(weights[:, None], states)[:, 0]

    def cell(self, x, state):
        """x: the products of all inputs with their weights, including the bias."""
        s, c, _ = state
        h = s @ self["decoder.0.recurrent"]
        if not self.gru:
            i, f, g, o = (x + h).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            return torch.sigmoid(o) * torch.tanh(c), c
        xr, xz, xn = x.chunk(3, 1)
        hr, hz, hn = (h + self["decoder.0.recurrent_bias"]).chunk(3, 1)
        z = torch.sigmoid(xz + hz)
        n = torch.tanh(xn + torch.sigmoid(xr + hr) * hn)
        return (1 - z) * n + z * s, c

    def step(self, x, read, memory, state):
        """x [B, gates H] and read [B, R]: the contributions of the target word to cell and readout."""
        s, c, feed = state
        if self.feeding:
            x = x + feed @ self["decoder.0.feed"]
        if self.bahdanau:
            context = self.attend(memory, s)
            s, c = self.cell(x + context @ self["decoder.0.context"], state)
        else:
            s, c = self.cell(x, state)
            context = self.attend(memory, s)
        if not self.feeding:
            return s, context, (s, c, feed)
        feed = torch.tanh(read + s @ self["readout.state"] + context @ self["readout.context"])
        return s, context, (s, c, feed)

    def of_words(self, ids):
        """Computes for all steps at once what does not depend on earlier steps."""
        e = self.embed(ids, self.target_table())
        x = e @ self["decoder.0.input"] + self["decoder.0.input_bias"]
        read = self["readout.bias"].expand(*ids.shape, -1)
        if self.has("readout.embedding"):
            read = read + e @ self["readout.embedding"]
        return x, read

    def output(self):
        return self["output.weight"] if self.has("output.weight") else self.target_table()

    def readouts(self, read, states, contexts):
        return torch.tanh(read + states @ self["readout.state"] + contexts @ self["readout.context"])

    def hidden_rows(self, source, lengths, target_in):
        memory, state = self.encode(source, lengths)
        x, read = self.of_words(target_in)
        states, contexts, feeds = [], [], []
        for t in range(target_in.shape[0]):
            s, context, state = self.step(x[t], read[t], memory, state)
            states.append(s)
            contexts.append(context)
            feeds.append(state[2])
        if self.feeding:
            return torch.stack(feeds)
        return self.readouts(read, torch.stack(states), torch.stack(contexts))

    def logits(self, batch):
        source, lengths, target, real = batch
        first = torch.full((1, target.shape[1]), START)
        rows = self.hidden_rows(source, lengths, torch.cat([first, target[:-1]]))[real]
        rows = F.dropout(rows, self.drop_output, self.training)
        return rows @ self.output().t() + self["output.bias"]
