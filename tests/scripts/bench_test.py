#!/usr/bin/env python3
"""The scripts that measure: their tables and their refusals. Nothing here measures anything."""

import argparse
import contextlib
import importlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT / "scripts/bench"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))
tables, bench = importlib.import_module("tables"), importlib.import_module("run")


def rows_of(markdown):
    """Cells by the first one."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines() if "|" in line]
    return {row[0]: row[1:] for row in rows}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)


class ReadmeTables(Folder):
    FIGURES = {
        "reference | heed f32 tokens/s": [3000, 3200, 3100],
        "reference | heed f32 share of the GEMM peak, %": [70, 72, 71],
        "reference | torch eager tokens/s": [1500, 1600],
        "reference | heed / torch's best, f32": [2.0],
        "reference | memory, torch / heed": [1.9],
        "beam 1, batch 32 | heed s, whole process": [1.1, 1.3],
        "beam 1, batch 32 | heed s, of it start-up": [0.1],
        "beam 1, batch 32 | heed s without start-up": [1.0],
        "beam 1, batch 32 | torch eager s": [3.0],
        "beam 1, batch 32 | torch's best / heed": [3.0],
        "beam 1, batch 32 | f32 / int8": [2.5],
        "time to quality | heed f32: minutes": [15],
    }

    def test_median_with_least_and_greatest(self):
        f32, bf16, translation = map(rows_of, tables.readme_tables(self.FIGURES).split("\n\n"))
        self.assertEqual(f32["reference, GRU, Bahdanau"],
                         ["3,100", "71 (70-72)", "1,550", "**2.0** (2.0-2.0)", "1.9"])
        self.assertEqual(bf16["reference, GRU, Bahdanau"], ["-", "-", "-", "-", "-"])
        self.assertEqual(translation["batches of 32, greedy"], ["1.0", "3.0", "-", "**3.0** (3.0-3.0)", "2.5"])

    def test_any_part_of_the_figures_makes_tables(self):
        names = list(self.FIGURES)
        for count in range(len(names) + 1):
            for part in (names[:count], names[count:], names[count : count + 1]):
                tables.readme_tables({name: self.FIGURES[name] for name in part})

    def test_what_is_missing_is_a_dash(self):
        rows = rows_of(tables.readme_tables({"beam 1, batch 32 | heed s, whole process": [1.1]}))
        self.assertEqual(rows["batches of 32, greedy"], ["-", "-", "-", "-", "-"])

    def test_a_start_up_is_not_taken_off_another_rounds_time(self):
        figures = {"beam 1, batch 32 | heed s, whole process": [5.0],
                   "beam 1, batch 32 | heed s, of it start-up": [1.0, 3.0]}
        self.assertEqual(rows_of(tables.readme_tables(figures))["batches of 32, greedy"][0], "-")

    def test_no_figures_make_no_table(self):
        self.assertEqual(tables.readme_tables({}), "")

    def test_tables_are_written_after_each_figure_beside_those_of_earlier_runs(self):
        (self.path / "figures.json").write_text(json.dumps(self.FIGURES))
        measured = bench.Bench(argparse.Namespace(work=self.path))
        with contextlib.redirect_stderr(io.StringIO()):
            measured.note("beam 1, batch 32 | heed s, whole process", 7.0)
            measured.note("beam 5, batch 1 | heed s, whole process", 9.0)
        rows = rows_of((self.path / "table.md").read_text())
        self.assertEqual(rows["batches of 32, greedy"][0], "1.0")
        self.assertEqual(rows["a sentence a batch, beam 5"][0], "-")


if __name__ == "__main__":
    unittest.main()
