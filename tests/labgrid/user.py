"""A user's program: drives the bench of a labgrid environment, and prints what it saw there as JSON.

It is `python -m tests.labgrid.user ENVIRONMENT`; with `--until-gone` it ends when labgrid says that the bench is gone.
"""

import json
import sys

import can
from labgrid import Environment

from hilbridge.client import ConfigurationError

from ..program import PATIENCE, database, decoded


def main(environment: str, *options: str) -> None:
    target = Environment(environment).get_target()
    bench = target.get_driver("HilbridgeDriver")
    bench.set("input.ManualGear", 0)  # the demo driver would drive off
    bench.set("input.Key", 1)
    bench.wait_until("vehicle.EngineRpm > 500", PATIENCE)
    bench.set("input.Throttle", 0.6)
    bench.wait_until("vehicle.EngineRpm > 2000", PATIENCE)
    refusal = ""
    try:
        bench.set("input.Trottle", 1.0)
    except ConfigurationError as error:
        refusal = str(error)
    channel = bench.can_channel()
    message = database().get_message_by_name("EngineData1")
    with can.Bus(interface="slcan", channel=channel, sleep_after_open=0, bitrate=500000) as bus:
        frame = next(one for one in iter(lambda: bus.recv(PATIENCE), None) if one.arbitration_id == message.frame_id)
    seen = {
        "rpm": bench.get("vehicle.EngineRpm"),
        "throttle": bench.get("input.Throttle"),
        "rpm on the bus": decoded(message, frame)["EngineRpm"],
        "channel": channel,
        "refusal": refusal,
        "control": bench._client.path.parent.name,
    }
    print(json.dumps(seen), flush=True)
    if options:
        target.await_resources([bench.bench], timeout=PATIENCE, avail=False)
        print(json.dumps({"state": bench.state.name}), flush=True)


main(*sys.argv[1:])
