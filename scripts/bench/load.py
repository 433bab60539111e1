#!/usr/bin/env python3
"""Many clients at once against a running `heed serve`: requests a second, latency, errors, memory.

  heed serve --model M --port 8080 &
  scripts/bench/load.py --clients 64 --seconds 60 --text test.en

Each client sends one sentence after another, the next when the last is answered, over a connection of its own.
Standard library only.
"""
import argparse
import http.client
import json
import sys
import threading
import time
from collections import Counter


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--text", help="file of sentences, one a line (default: a few that stand here)")
    parser.add_argument("--beam", type=int, help="default: the server's")
    parser.add_argument("--sentences", type=int, default=1, help="of a request")
    parser.add_argument("--new-connections", action="store_true", help="one for each request")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser.parse_args()


def read_sentences(path):
    if not path:
        return ["A dog runs through the grass.", "Two men are talking.",
                "A woman in a red coat is standing next to a bus that is about to leave the station."]
    with open(path, encoding="utf-8") as lines:
        sentences = [line.strip() for line in lines if line.strip()]
    if not sentences:
        sys.exit(f"load.py: {path} has no sentence")
    return sentences


def resident_bytes(options):
    """Of the server, as its /metrics tells."""
    connection = http.client.HTTPConnection(options.host, options.port, timeout=60)
    connection.request("GET", "/metrics")
    for line in connection.getresponse().read().decode().splitlines():
        if line.startswith("heed_resident_memory_bytes "):
            return float(line.split()[1])
    return 0.0


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
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def main():
    options = parse()
    sentences = read_sentences(options.text)
    before = resident_bytes(options)
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
        "p50_ms": round(1000 * percentile(times, 0.5), 1),
        "p99_ms": round(1000 * percentile(times, 0.99), 1),
        "errors": sum(errors.values()),
        "resident_mb_before": round(before / 1e6, 1),
        "resident_mb_after": round(resident_bytes(options) / 1e6, 1),
    }
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:20} {value}")
    for message, count in errors.most_common(5):
        print(f"load.py: {count} times: {message}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
