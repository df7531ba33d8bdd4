"""What a socketcand client writes, while frames of the bus come and its jobs and subscriptions wait for their time.

The first byte says how many bytes come at once; its highest bit opens the bus before.
"""

from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.links.socketcand_client import SocketcandClient
from hilbridge.boundary.links.socketcand_server import SocketcandServer
from hilbridge.frames.codec.frame import Frame

SEEDS = [
    b"\xff< add 0 1000 123 2 1 2 >< update 123 1 F >< subscribe 0 5 124 >< delete 123 >< rawmode >< send 7FF 1 0 >",
    b"\x07< open can0 >< echo >< filter 0 0 123 8 FF 00 F8 00 00 00 00 00 >< unsubscribe 123 >< controlmode >",
    b"\x9f< muxfilter 0 0 123 2 FF 00 00 00 00 00 00 00 33 FF FF FF FF FF FF FF >< sendrtr 1AAAAAAA 2 >",
]


def one_input(data: bytes) -> None:
    server = SocketcandServer([], "can0", lambda _frame: None, LinkStatistics())
    client = server.clients[-1] = SocketcandClient("can0", server._take, LinkStatistics())
    first = data[0] if data else 0
    if first & 0x80:
        client.receive(b"< open can0 >", 0)
    size, t = (first & 0x7F) + 1, 0
    for start in range(1, len(data), size):
        t += 1_000_000
        client.receive(data[start : start + size], t)
        client.poll(t, 8)
        server.send(Frame(0x123 + start % 2, data[start : start + 8]), t)
        client.held(t)
        client.output.clear()
    server.clients.clear()
    server.close()
