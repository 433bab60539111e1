#!/usr/bin/env python3
"""The scripts that measure: their tables and their refusals. A stand-in answers for heed, so nothing is measured."""

import argparse
import contextlib
import importlib
import io
import json
import pathlib
import re
import socket
import subprocess
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


# Stands in for heed bench: the n-th call finds n % of the peak, and its words are kept.
STAND_IN = f"""#!{sys.executable}
import json, pathlib, sys
calls = pathlib.Path(__file__).with_name("calls")
with calls.open("a") as file:
    print(" ".join(sys.argv[1:]), file=file)
count = len(calls.read_text().splitlines())
print(json.dumps({{"target_tokens_per_second": 1000 * count, "flops_per_target_token": 2e6,
                  "share_of_peak": count / 100, "peak_memory_bytes": 3e6}}))
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.heed = self.path / "heed"
        self.heed.write_text(STAND_IN)
        self.heed.chmod(0o755)

    def calls(self):
        calls = self.path / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def run_script(self, name, *words):
        command = [sys.executable, "-B", BENCH / name, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.path, check=False)

    def check_refused(self, said, name, *words):
        """One line, or argparse's usage and one, that holds `said`; nothing is measured, nothing printed."""
        done = self.run_script(name, *words)
        lines = done.stderr.splitlines()
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertTrue(len(lines) == 1 or lines[0].startswith("usage: "), done.stderr)
        self.assertIn(said, lines[-1])
        self.assertEqual(self.calls(), [])


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


class ComparedUpdates(unittest.TestCase):
    def test_heed_does_nothing_that_the_twin_does_not(self):
        plain = dict(zip(bench.PLAIN[::2], bench.PLAIN[1::2]))
        for key in ("weight_average", "dropout.embedding", "dropout.states", "dropout.output"):
            self.assertEqual(plain[f"--train.{key}"], "0")
        self.assertEqual(plain["--train.label_smoothing"], "0.1")


class Help(Folder):
    def test_names_the_environment_and_no_hidden_option(self):
        done = self.run_script("run.py", "--check", "--help")
        for name in ("HEED ", "HEED_BENCH_DIR", "HEED_TORCH_PYTHON"):
            self.assertIn(name, done.stdout)
        self.assertNotIn("--work", done.stdout)

    def test_tells_the_default_of_every_option(self):
        for script in ("run.py", "sweep.py", "corpus.py", "load.py"):
            said = self.run_script(script, "--help").stdout.partition("\noptions:\n")[2]
            options = re.split(r"\n  (?=--[a-z])", said)[1:]
            self.assertGreater(len(options), 5, script)
            for option in options:
                self.assertIn("default: ", " ".join(option.split()), script)


class Sweep(Folder):
    def test_measures_all_points_in_turn_and_shows_median_least_and_greatest(self):
        done = self.run_script("sweep.py", "--heed", self.heed, "--parts", "threads", "hidden", "--rounds", 3)
        keys = [" ".join(call.split()[1:3]) for call in self.calls()]
        turn = ["--run.threads 1", "--run.threads 2",
                *(f"--model.decoder.hidden {size}" for size in (128, 256, 512, 1024))]
        self.assertEqual(keys, 3 * turn)
        rows = rows_of(done.stdout)
        self.assertEqual(rows["1"], ["7,000 (1,000-13,000)", "2.0", "7 (1-13)", "3"])
        self.assertEqual(rows["1,024"], ["12,000 (6,000-18,000)", "2.0", "12 (6-18)", "3"])

    def test_one_round_has_no_spread(self):
        done = self.run_script("sweep.py", "--heed", self.heed, "--parts", "options", "--rounds", 1)
        self.assertEqual(rows_of(done.stdout)["gru, luong"], ["7", "8", "9", "10", "11", "12"])

    def test_draws_the_parts_that_have_curves(self):
        picture = self.path / "sweep.svg"
        self.run_script("sweep.py", "--heed", self.heed, "--parts", "threads", "batch", "--picture", picture)
        self.assertEqual(picture.read_text().count("Sentences a batch"), 1)
        self.assertNotIn("Threads", picture.read_text())

    def test_refuses_a_picture_of_nothing(self):
        for part in ("threads", "options"):
            self.check_refused("nothing to draw; give one of batch, hidden, vocabulary, lengths", "sweep.py", "--heed",
                               self.heed, "--parts", part, "--picture", self.path / "sweep.svg")
        self.assertFalse((self.path / "sweep.svg").exists())

    def test_refuses_what_is_not_there(self):
        self.check_refused("--picture no/where.svg: there is no such folder", "sweep.py", "--heed", self.heed, "--parts",
                           "batch", "--picture", "no/where.svg")
        self.check_refused("no program at nope", "sweep.py", "--heed", "nope")
        self.check_refused("--model", "sweep.py", "--heed", self.heed, "--model", "nope", "--parts", "lengths")
        self.check_refused("--rounds", "sweep.py", "--heed", self.heed, "--rounds", 0)


class Corpus(Folder):
    def setUp(self):
        super().setUp()
        for name, text in [("three", "a\nb\nc\n"), ("two", "a\nb\n"), ("none", ""), ("no.gz", "a\n")]:
            (self.path / name).write_text(text)

    def check_corpus_refused(self, said, *words, source="three", target="three"):
        self.check_refused(said, "corpus.py", "--heed", self.heed, "--work", "work", "--source", source, "--target",
                           target, *words)

    def test_refuses_faulty_options(self):
        self.check_corpus_refused("--updates: 1 is no", "--updates", 1)
        self.check_corpus_refused("--pairs: 0 is no", "--pairs", 10, 0)
        self.check_corpus_refused("--threads: -1 is no", "--threads=-1")
        self.check_corpus_refused("no program at nope", "--heed", "nope")

    def test_refuses_faulty_text(self):
        self.check_corpus_refused("--source nope: ", source="nope")
        self.check_corpus_refused("--target nope: ", target="nope")
        self.check_corpus_refused("--source none is empty", source="none")
        self.check_corpus_refused("--source no.gz: ", source="no.gz")
        self.check_corpus_refused("3 lines, --target two has 2", target="two")

    def test_refuses_folders_it_can_not_take(self):
        self.check_corpus_refused("--work three/below: ", "--work", "three/below")
        (self.path / "work/pairs_10").mkdir(parents=True)
        self.check_corpus_refused("pairs_10 was left by a run", "--pairs", 10)


class Load(Folder):
    def test_refuses_where_no_server_listens(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))  # taken, but nobody listens
            port = free.getsockname()[1]
            self.check_refused(f"no server answers at 127.0.0.1:{port}", "load.py", "--port", port)

    def test_refuses_another_server(self):
        code = ("import http.server as h\n"
                "server = h.HTTPServer(('127.0.0.1', 0), h.BaseHTTPRequestHandler)\n"
                "print(server.server_port, flush=True)\nserver.handle_request()")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as server:
            self.addCleanup(server.kill)
            self.check_refused("is not heed serve", "load.py", "--port", server.stdout.readline().strip())

    def test_refuses_faulty_options(self):
        self.check_refused("--text nope: ", "load.py", "--text", "nope")
        (self.path / "latin1").write_bytes("Männer\n".encode("latin1"))
        self.check_refused("not in UTF-8", "load.py", "--text", "latin1")
        for option, value in [("--port", 99999), ("--clients", 0), ("--sentences", 0), ("--beam", 0),
                              ("--seconds", "x")]:
            self.check_refused(f"{option}: {value} is no", "load.py", option, value)


if __name__ == "__main__":
    unittest.main()
