"""attention.json: each score with mask, softmax and context; gradients of sum(loss_weights * context)."""

import math

import torch
from common import Numbers, gradients, valid_mask, write

TQ, S, B, HD, D, A = 4, 5, 3, 4, 6, 5
LENGTHS = [5, 1, 3]
SEED = 21


def dot(q, h, p):
    return torch.einsum("tbd,sbd->tbs", q, h)


def scaled_dot(q, h, p):
    return dot(q, h, p) / math.sqrt(h.shape[2])


def general(q, h, p):
    return torch.einsum("tbi,sbd,di->tbs", q, h, p["Wk"])


def additive(q, h, p):
    return torch.tanh((q @ p["Wq"])[:, :, None] + (h @ p["Wk"]).transpose(0, 1)[None] + p["b"]) @ p["v"]


def concat(q, h, p):
    t, s = q.shape[0], h.shape[0]
    both = torch.cat([q[:, :, None].expand(-1, -1, s, -1), h.transpose(0, 1)[None].expand(t, -1, -1, -1)], dim=3)
    return torch.tanh(both @ p["W"]) @ p["v"]


SCORES = {
    "dot": (dot, {}),
    "scaled_dot": (scaled_dot, {}),
    "general": (general, {"Wk": (D, HD)}),
    "additive": (additive, {"Wq": (HD, A), "Wk": (D, A), "b": (A,), "v": (A,)}),
    "concat": (concat, {"W": (HD + D, A), "v": (A,)}),
}


def golden(score, shapes, state_size, n):
    leaves = {"queries": n(TQ, B, HD), "states": n(S, B, state_size)}
    parameters = {name: n(*shape) for name, shape in shapes.items()}
    loss_weights = n(TQ, B, state_size).detach()
    mask = valid_mask(LENGTHS, S).t()[None]  # [1,B,S]
    scores = score(leaves["queries"], leaves["states"], parameters).masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=2)
    context = torch.einsum("tbs,sbd->tbd", weights, leaves["states"])
    loss = (loss_weights * context).sum()
    return {
        **leaves,
        "parameters": parameters,
        "weights": weights,
        "context": context,
        "loss_weights": loss_weights,
        "loss": loss,
        "gradients": gradients(loss, {**leaves, **parameters}),
    }


numbers = Numbers(SEED, scale=1.0)
content = {"lengths": LENGTHS}
for name, (score, shapes) in SCORES.items():
    content[name] = golden(score, shapes, HD if "dot" in name else D, numbers)
write(
    "attention",
    SEED,
    "queries [Tq,B,Hd], states [S,B,D] (keys come from them, values are them), weights [Tq,B,S], context [Tq,B,D]; "
    "dot q.h, scaled_dot q.h/sqrt(D), general q.(h Wk), additive v.tanh(q Wq + h Wk + b), concat v.tanh([q;h] W)",
    content,
)
