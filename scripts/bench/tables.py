"""The tables of docs/results.md, from the figures of run.py: medians, some with minimum and maximum."""

import statistics

SIZES = {"reference": "reference, GRU, Bahdanau", "luong-lstm": "LSTM, Luong, general score, input feeding",
         "large": "large, GRU, Bahdanau"}
SEARCHES = {"beam 1, batch 32": "batches of 32, greedy", "beam 5, batch 32": "batches of 32, beam 5",
            "beam 1, batch 1": "a sentence a batch, greedy", "beam 5, batch 1": "a sentence a batch, beam 5"}


class Cells:
    """Cells of one row; a dash for what was not measured."""

    def __init__(self, figures, row):
        self.figures, self.row = figures, row

    def values(self, name):
        return self.figures.get(f"{self.row} | {name}", [])

    def median(self, name, form="{:,.0f}"):
        values = self.values(name)
        return form.format(statistics.median(values)) if values else "-"

    def spread(self, name, form="{:.1f}", bold=True):
        values = self.values(name)
        if not values:
            return "-"
        median, least, greatest = (form.format(x) for x in (statistics.median(values), min(values), max(values)))
        return f"{f'**{median}**' if bold else median} ({least}-{greatest})"

    def faster(self, names):
        measured = [(statistics.median(self.values(name)), name) for name in names if self.values(name)]
        return self.median(max(measured)[1]) if measured else "-"


def training(cells, precision):
    mode = " bf16" if precision == "bf16" else ""
    common = [cells.spread(f"heed {precision} share of the GEMM peak, %", "{:.0f}", False),
              cells.faster([f"torch {kind}{mode} tokens/s" for kind in ("eager", "compiled")]),
              cells.spread(f"heed / torch's best, {precision}")]
    speed = cells.median(f"heed {precision} tokens/s")
    if precision == "bf16":
        return [speed, cells.spread("heed bf16 / heed f32", bold=False), *common]
    return [speed, *common, cells.median("memory, torch / heed", "{:.1f}")]


def translation(cells):
    seconds = [cells.median(name, "{:.1f}") for name in ("heed s without start-up", "torch eager s", "torch compiled s")]
    return [*seconds, cells.spread("torch's best / heed"), cells.median("f32 / int8", "{:.1f}")]


def table(head, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"


def readme_tables(figures):
    """figures: {"ROW | FIGURE": values over rounds}; while a run is in progress, rows and rounds are incomplete."""
    measured = {name.split(" | ")[0] for name in figures}
    sizes = [size for size in SIZES if size in measured]
    parts = []
    for title, head, precision in [
            ("training, target tokens/s", ["heed f32", "of the GEMM peak, %", "PyTorch f32", "heed / PyTorch",
                                           "memory, PyTorch / heed"], "f32"),
            ("the same in bf16", ["heed bf16", "/ heed f32", "of the bf16 GEMM peak, %", "PyTorch bf16",
                                  "heed / PyTorch"], "bf16")]:
        rows = [[SIZES[size], *training(Cells(figures, size), precision)] for size in sizes]
        parts += [table([title, *head], rows)] if rows else []
    rows = [[SEARCHES[row], *translation(Cells(figures, row))] for row in SEARCHES if row in measured]
    if rows:
        parts.append(table(["translation of 1,000 sentences (test_2016), s", "heed f32", "PyTorch eager", "compiled",
                            "PyTorch / heed", "heed f32 / int8"], rows))
    return "\n".join(parts)
