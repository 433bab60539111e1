"""model.json: two complete small translation models: loss, every gradient, 10 updates of Adam, greedy translations.

A: GRU, additive attention, Bahdanau style (Bahdanau et al. 2015). B: LSTM, general attention, Luong style (Luong et
al. 2015). Both feed the previous readout into the next step. Letters: B batch, S source and T target positions,
E embedding, H encoder hidden (a direction), D = 2H, N decoder hidden, A attention, R readout, V vocabulary.
Word vectors are rows of the embedding times sqrt(E).
"""

import math
import torch
from common import Numbers, bidirectional, gradients, valid_mask, write

E, H, N, A, R, V_SOURCE, V_TARGET = 3, 4, 5, 6, 7, 9, 10
D = 2 * H
START, END = 1, 2
SOURCES = [[3, 5, 4, 8, END], [7, END], [6, 3, 8, END]]
TARGETS = [[4, 9, 3, END], [8, END], [5, 7, 4, 6, 3, END]]
SMOOTHING, LEARNING_RATE, UPDATES, MAX_LENGTH = 0.1, 0.01, 10, 12


def padded(rows):
    """Ids [length, B], padded with END."""
    size = max(map(len, rows))
    return torch.tensor([r + [END] * (size - len(r)) for r in rows]).t().contiguous()


BATCH = {
    "source": padded(SOURCES),
    "source_length": [len(s) for s in SOURCES],
    "target_in": padded([[START] + t[:-1] for t in TARGETS]),
    "target_out": padded(TARGETS),
    "target_length": [len(t) for t in TARGETS],
}


def parameters(cell, n):
    g = {"gru": 3, "lstm": 4}[cell]
    shapes = {"source.embedding": (V_SOURCE, E), "target.embedding": (V_TARGET, E)}
    for d in ["encoder.0.forward", "encoder.0.backward"]:
        shapes |= {f"{d}.input": (E, g * H), f"{d}.recurrent": (H, g * H), f"{d}.input_bias": (g * H,)}
        shapes |= {f"{d}.recurrent_bias": (g * H,)} if cell == "gru" else {}
    shapes |= {"decoder.initial.0.weight": (D, N), "decoder.initial.0.bias": (N,)}
    shapes |= {"decoder.0.input": (E, g * N), "decoder.0.feed": (R, g * N), "decoder.0.recurrent": (N, g * N)}
    shapes |= {"decoder.0.input_bias": (g * N,)}
    shapes |= {"readout.state": (N, R), "readout.context": (D, R), "readout.bias": (R,)}
    if cell == "gru":
        shapes |= {"decoder.0.recurrent_bias": (g * N,), "decoder.0.context": (D, g * N), "readout.embedding": (E, R)}
        shapes |= {"attention.query": (N, A), "attention.key": (D, A), "attention.bias": (A,), "attention.v": (A,)}
    else:
        shapes |= {"attention.key": (D, N)}
    shapes |= {"output.weight": (V_TARGET, R), "output.bias": (V_TARGET,)}
    return {name: n(*shape) for name, shape in shapes.items()}


class Model:
    def __init__(self, cell, p):
        self.cell, self.p = cell, p

    def encode(self, source, lengths):
        """source [S,B]; keeps states [S,B,D]; returns the decoder's first state."""
        p, b = self.p, source.shape[1]
        weights, zero = [], torch.zeros(b, H)
        for d in ["encoder.0.forward", "encoder.0.backward"]:
            bias = p[f"{d}.input_bias"]
            hidden_bias = p.get(f"{d}.recurrent_bias", torch.zeros_like(bias))
            weights.append((p[f"{d}.input"], p[f"{d}.recurrent"], bias, hidden_bias))
        initial = [(zero,) if self.cell == "gru" else (zero, zero)] * 2
        x = math.sqrt(E) * p["source.embedding"][source]
        self.states, final = bidirectional(self.cell, x, lengths, initial, weights)
        self.mask = valid_mask(lengths, source.shape[0]).t()  # [B,S]
        summary = torch.cat([final[0][0], final[0][1]], 1)
        s = torch.tanh(summary @ p["decoder.initial.0.weight"] + p["decoder.initial.0.bias"])
        return {"s": s, "c": torch.zeros_like(s), "feed": torch.zeros(b, R)}

    def attend(self, query):
        p = self.p
        keys = (self.states @ p["attention.key"]).transpose(0, 1)  # [B,S,A or N]
        if self.cell == "gru":
            e = torch.tanh((query @ p["attention.query"] + p["attention.bias"])[:, None] + keys) @ p["attention.v"]
        else:
            e = torch.einsum("bn,bsn->bs", query, keys)
        weights = torch.softmax(e.masked_fill(~self.mask, -torch.inf), 1)
        return weights, torch.einsum("bs,sbd->bd", weights, self.states)

    def cell_step(self, inputs, names, state):
        """The decoder cell over [inputs...] with the blocks of weights called names."""
        p = self.p
        w = torch.cat([p[f"decoder.0.{n}"] for n in names]).t()
        u, b = p["decoder.0.recurrent"].t(), p["decoder.0.input_bias"]
        x = torch.cat(inputs, 1)
        if self.cell == "gru":
            return torch.gru_cell(x, state["s"], w, u, b, p["decoder.0.recurrent_bias"]), state["c"]
        return torch.lstm_cell(x, (state["s"], state["c"]), w, u, b, torch.zeros_like(b))

    def step(self, previous, state):
        """previous ids [B]; gives logits [B,V], attention [B,S], the next state."""
        p, e = self.p, math.sqrt(E) * self.p["target.embedding"][previous]
        if self.cell == "gru":  # Bahdanau: attention from the previous state
            weights, context = self.attend(state["s"])
            s, c = self.cell_step([e, state["feed"], context], ["input", "feed", "context"], state)
            r = s @ p["readout.state"] + e @ p["readout.embedding"]
        else:  # Luong: attention from the new state
            s, c = self.cell_step([e, state["feed"]], ["input", "feed"], state)
            weights, context = self.attend(s)
            r = s @ p["readout.state"]
        r = torch.tanh(r + context @ p["readout.context"] + p["readout.bias"])
        return r @ p["output.weight"].t() + p["output.bias"], weights, {"s": s, "c": c, "feed": r}

    def run(self):
        """Loss, sum of -log p, attention [T,B,S], log p of the targets [T,B] (0 at padding)."""
        state, logits, attention = self.encode(BATCH["source"], BATCH["source_length"]), [], []
        for previous in BATCH["target_in"]:
            y, weights, state = self.step(previous, state)
            logits.append(y)
            attention.append(weights)
        real = valid_mask(BATCH["target_length"], len(logits))
        target = BATCH["target_out"].masked_fill(~real, -1).reshape(-1)
        rows = torch.cat(logits)
        entropy = torch.nn.functional.cross_entropy
        options = {"ignore_index": -1, "reduction": "none"}
        loss = entropy(rows, target, label_smoothing=SMOOTHING, **options).sum() / real.sum()
        nll = entropy(rows, target, **options)
        return loss, nll.sum(), torch.stack(attention), -nll.reshape(real.shape)

    @torch.no_grad()
    def greedy(self, source):
        """Ids up to and including END, their log p, and the smallest lead of a chosen id over the second best."""
        state = self.encode(torch.tensor(source)[:, None], [len(source)])
        ids, total, lead, previous = [], 0.0, float("inf"), START
        while previous != END and len(ids) < MAX_LENGTH:
            y, _, state = self.step(torch.tensor([previous]), state)
            best = torch.log_softmax(y[0], 0).topk(2)
            previous = int(best.indices[0])
            total += float(best.values[0])
            lead = min(lead, float(best.values[0] - best.values[1]))
            ids.append(previous)
        return {"ids": ids, "log_probability": total, "smallest_lead": lead}


def golden(cell, style, score, seed):
    p = parameters(cell, Numbers(seed, scale=1.0))
    model = Model(cell, p)
    loss, cross_entropy, attention, log_p = model.run()
    content = {
        "config": {"cell": cell, "style": style, "score": score, "input_feeding": True},
        "parameters": {name: x.detach().clone() for name, x in p.items()},
        "loss": loss,
        "cross_entropy": cross_entropy,
        "attention": attention,
        "target_log_probability": log_p,
        "gradients": gradients(loss, p),
        "greedy_at_start": [model.greedy(s) for s in SOURCES],
    }
    optimizer = torch.optim.Adam(p.values(), lr=LEARNING_RATE)
    losses = []
    for _ in range(UPDATES):
        optimizer.zero_grad()
        loss = model.run()[0]
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    content["losses"] = losses  # the loss before each update
    content["loss_after"] = model.run()[0].item()
    content["greedy"] = [model.greedy(s) for s in SOURCES]
    return content


def main(seeds):
    sizes = {"E": E, "H": H, "decoder_hidden": N, "A": A, "R": R, "source_vocabulary": V_SOURCE}
    content = {
        "sizes": sizes | {"target_vocabulary": V_TARGET},
        "training": {"label_smoothing": SMOOTHING, "optimizer": "adam", "learning_rate": LEARNING_RATE, "clip": None},
        "batch": BATCH | {"target_tokens": sum(BATCH["target_length"])},
        "A": golden("gru", "bahdanau", "additive", seeds[0]),
        "B": golden("lstm", "luong", "general", seeds[1]),
    }
    about = (
        "ids [S,B] and [T,B]: <s> 1, </s> 2, also the padding; attention [T,B,S], rows beyond a target's length mean "
        "nothing; losses: before each of the updates; greedy: after them, ids end with </s> or at 12"
    )
    write("model", seeds, about, content)


if __name__ == "__main__":
    main([59, 63])  # translations of three lengths, each chosen id with a clear lead
