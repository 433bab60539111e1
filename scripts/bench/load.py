#!/usr/bin/env python3
"""Load test of a running `heed serve`: many clients at once; reports requests per second, latency, errors and memory.

  heed serve --model M --port 8080 &
  scripts/bench/load.py --clients 64 --seconds 60 --text test.en

Each client sends one sentence after another over a connection of its own, each when the previous one is answered.
Standard library only.
"""
import argparse
import http.client
import json
import sys
import threading
import time
from collections import Counter

from measuring import at_least, fail, positive


def port(text):
    value = at_least(1)(text)
    if value > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port, which is at most 65535")
    return value


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="address of the server (default: 127.0.0.1)")
    parser.add_argument("--port", type=port, default=8080, metavar="N", help="default: 8080")
    parser.add_argument("--clients", type=at_least(1), default=64, metavar="N", help="number of concurrent clients (default: 64)")
    parser.add_argument("--seconds", type=positive, default=60, help="duration of the test (default: 60)")
    parser.add_argument("--text", metavar="FILE", help="sentences, one per line (default: a few built-in ones)")
    parser.add_argument("--beam", type=at_least(1), metavar="N", help="default: the server's")
    parser.add_argument("--sentences", type=at_least(1), default=1, metavar="N", help="of a request (default: 1)")
    parser.add_argument("--new-connections", action="store_true", help="one per request (default: one per client)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON (default: one per line)")
    return parser.parse_args()


def read_sentences(path):
    if not path:
        return ["A dog runs through the grass.", "Two men are talking.",
                "A woman in a red coat is standing next to a bus that is about to leave the station."]
    try:
        with open(path, encoding="utf-8") as lines:
            sentences = [line.strip() for line in lines if line.strip()]
    except OSError as problem:
        fail(f"--text {path}: {problem.strerror}; give a file of sentences")
    except UnicodeDecodeError:
        fail(f"--text {path} is not in UTF-8; give a file of sentences that is")
    if not sentences:
        fail(f"--text {path} has no sentence; give a file of sentences, one per line")
    return sentences


def resident_bytes(options):
    """The server's resident memory from /metrics; None if it is not reported. Raises OSError or HTTPException without an answer."""
    connection = http.client.HTTPConnection(options.host, options.port, timeout=60)
    try:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode(errors="replace")
    finally:
        connection.close()
    found = [line.split()[1] for line in text.splitlines() if line.startswith("heed_resident_memory_bytes ")]
    return float(found[0]) if found else None


def resident_at_start(options):
    """Ends the script if no server can be measured."""
    where = f"{options.host}:{options.port}"
    start = f"start one with heed serve --model M --port {options.port}, or give its --host and --port"
    try:
        resident = resident_bytes(options)
    except (OSError, UnicodeError, http.client.HTTPException) as problem:
        fail(f"no server answers at {where} ({getattr(problem, 'strerror', None) or problem}); {start}")
    if resident is None:
        fail(f"what answers at {where} is not heed serve; {start}")
    return resident


def resident_at_end(options):
    try:
        return resident_bytes(options)
    except (OSError, http.client.HTTPException):
        return None  # the server has ended: the clients' errors report it


class Client(threading.Thread):
    def __init__(self, options, sentences, number, end):
        super().__init__(daemon=True)
        self.options, self.sentences, self.next, self.end = options, sentences, number * 101, end
        self.connection = None
        self.times, self.errors = [], Counter()

    def body(self):
        count = self.options.sentences
        texts = [self.sentences[(self.next + i) % len(self.sentences)] for i in range(count)]
        self.next += count
        request = {"text": texts[0] if count == 1 else texts}
        if self.options.beam:
            request["beam"] = self.options.beam
        return json.dumps(request).encode()

    def ask(self):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.options.host, self.options.port, timeout=120)
        self.connection.request("POST", "/translate", self.body(), {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise ValueError(f"status {response.status}")
        if len(json.loads(answer)["translations"]) != self.options.sentences:
            raise ValueError("another number of translations")

    def run(self):
        while time.monotonic() < self.end:
            begin = time.monotonic()
            try:
                self.ask()
                self.times.append(time.monotonic() - begin)
            except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
                self.errors[str(error) or type(error).__name__] += 1
                self.connection = None
                time.sleep(0.05)
            if self.options.new_connections and self.connection:
                self.connection.close()
                self.connection = None


def percentile(ordered, share):
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def rounded(value, factor):
    return None if value is None else round(factor * value, 1)


def main():
    options = parse()
    sentences = read_sentences(options.text)
    before = resident_at_start(options)
    begin = time.monotonic()
    clients = [Client(options, sentences, number, begin + options.seconds) for number in range(options.clients)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    seconds = time.monotonic() - begin
    times = sorted(time for client in clients for time in client.times)
    errors = sum((client.errors for client in clients), Counter())
    figures = {
        "clients": options.clients,
        "seconds": round(seconds, 1),
        "requests": len(times),
        "requests_per_second": round(len(times) / seconds, 1),
        "p50_ms": rounded(percentile(times, 0.5), 1000),
        "p99_ms": rounded(percentile(times, 0.99), 1000),
        "errors": sum(errors.values()),
        "resident_mb_before": rounded(before, 1e-6),
        "resident_mb_after": rounded(resident_at_end(options), 1e-6),
    }
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:20} {'-' if value is None else value}")
    for message, count in errors.most_common(5):
        print(f"load.py: {count} times: {message}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
