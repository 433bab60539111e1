"""gru.json and lstm.json: one layer over padded sentences, each direction separately, against PyTorch's packed RNNs.

The loss is sum(loss_weights.output * output) + sum(loss_weights.final * final) (+ the same of final_cell for
"gradients_with_cell" of the LSTM); loss_weights.output is zero at padding.
"""

import torch
from common import Numbers, bidirectional, gradients, valid_mask, write

S, B, E, H = 5, 3, 3, 4
LENGTHS = [5, 1, 3]


def direction_golden(number, cell, out, final, initial, n, leaves, mask):
    """The golden of direction `number` (0 forward, 1 backward)."""
    out = out[:, :, number * H : (number + 1) * H]
    final = [f[number] for f in final]
    carried = torch.where(mask[..., None], out, final[0] if number == 0 else initial[0])
    weights = {"output": (n(S, B, H) * mask[..., None]).detach(), "final": n(B, H).detach()}
    loss = (weights["output"] * out).sum() + (weights["final"] * final[0]).sum()
    golden = {"output": carried, "final": final[0], "loss_weights": weights, "loss": loss}
    golden["gradients"] = gradients(loss, leaves)
    if cell == "lstm":
        weights["final_cell"] = n(B, H).detach()
        loss = loss + (weights["final_cell"] * final[1]).sum()
        golden.update(final_cell=final[1], loss_with_cell=loss, gradients_with_cell=gradients(loss, leaves))
    return golden


def make(cell, gates, seed):
    n = Numbers(seed)
    x = n(S, B, E)
    names = ["W", "U", "b_ih", "b_hh"] if cell == "gru" else ["W", "U", "b"]
    states = ["h0"] if cell == "gru" else ["h0", "c0"]
    shapes = {"W": (E, gates * H), "U": (H, gates * H)}
    directions = [
        {**{k: n(*shapes.get(k, (gates * H,))) for k in names}, **{k: n(B, H) for k in states}} for _ in range(2)
    ]
    weights = [[d[k] for k in names] + [torch.zeros(gates * H)] * (4 - len(names)) for d in directions]
    initial = [[d[k] for k in states] for d in directions]
    out, final = bidirectional(cell, x, LENGTHS, initial, weights)
    mask = valid_mask(LENGTHS, S)
    content = {"sizes": {"S": S, "B": B, "E": E, "H": H}, "lengths": LENGTHS, "input": x}
    for i, name in enumerate(["forward", "backward"]):
        golden = direction_golden(i, cell, out, final, initial[i], n, {"input": x, **directions[i]}, mask)
        content[name] = {"parameters": directions[i], **golden}
    order = {"gru": "r, z, n", "lstm": "i, f, g, o"}[cell]
    about = (
        f"one-layer {cell}, gates in the order {order}; W [E,{gates}H] of the input, U [H,{gates}H] of the state; "
        "output [S,B,H] at padding: the final state (forward), the initial state (backward)"
    )
    write(cell, seed, about, content)


make("gru", 3, 11)
make("lstm", 4, 12)
