"""A program of somebody else on the fabric, with nothing of hilbridge.

fabric_stranger.py PORT get KEY [PAYLOAD]      prints the replies as JSON: [[key, content], ...]
fabric_stranger.py PORT hear KEY NUMBER        prints the first so many samples in the same way
fabric_stranger.py PORT answer KEY             answers questions with its standard input, until it is killed
fabric_stranger.py PORT count KEY SECONDS      prints how many samples come in this time, from the first one on
"""

import json
import queue
import sys
import time
from typing import Any

import zenoh

PATIENCE = 60.0


def main(port: str, deed: str, key: str, more: str = "") -> None:
    config = {
        "mode": "client",
        "scouting": {"multicast": {"enabled": False}},
        "connect": {"endpoints": [f"tcp/127.0.0.1:{port}"], "timeout_ms": 60_000, "exit_on_failure": True},
    }
    heard: list[Any] = []
    with zenoh.open(zenoh.Config.from_json5(json.dumps(config))) as session:
        if deed == "get":
            for reply in session.get(key, payload=more, timeout=5.0):
                assert reply.ok is not None
                heard.append([str(reply.ok.key_expr), json.loads(reply.ok.payload.to_bytes())])
        elif deed == "answer":
            content = sys.stdin.buffer.read()
            with session.declare_queryable(key, lambda query: query.reply(key, content), complete=True):
                print("ready", flush=True)
                time.sleep(PATIENCE)
            return
        elif deed == "count":
            print(count(session, key, float(more)))
            return
        else:
            samples: queue.SimpleQueue[zenoh.Sample] = queue.SimpleQueue()
            with session.declare_subscriber(key, samples.put):
                while len(heard) < int(more):
                    sample = samples.get(timeout=PATIENCE)
                    heard.append([str(sample.key_expr), json.loads(sample.payload.to_bytes())])
    print(json.dumps(heard))


def count(session: zenoh.Session, key: str, seconds: float) -> int:
    """Return how many samples come in so long a time, which begins with the first."""
    samples: queue.SimpleQueue[zenoh.Sample] = queue.SimpleQueue()
    with session.declare_subscriber(key, samples.put):
        samples.get(timeout=PATIENCE)
        time.sleep(seconds)
    return samples.qsize()


if __name__ == "__main__":
    main(*sys.argv[1:])
