"""Calls a Varlink service as another user.

    call_as.py SOCKET USER GROUP SUPPLEMENTARY < CALLS

USER and GROUP are numbers, SUPPLEMENTARY is a list of numbers with commas between, or "". Needs root. CALLS are JSON
objects, one a line, each of which goes over a connection of its own that stays open until the end of the input. For each
it prints the name of the error that its first answer has, "ok", or "closed". The line `end N` is answered with the error
that ends the stream of the call N, from 0.
"""

import os
import sys

from connection import Connection, Gone

address, user, group, supplementary = sys.argv[1:]
os.setgroups([int(number) for number in supplementary.split(",") if number])
os.setresgid(int(group), int(group), int(group))
os.setresuid(int(user), int(user), int(user))

connections = []
for line in sys.stdin:
    if line.startswith("end "):
        while "error" not in (reply := connections[int(line.split()[1])].reply()):
            pass
        print(reply["error"], flush=True)
        continue
    try:
        connections.append(Connection(address, timeout=10))
    except OSError as error:
        print(f"cannot connect: {error}", flush=True)
        continue
    try:
        connections[-1].write(line.strip().encode() + b"\0")
        # A stream may go on behind the first answer.
        print(connections[-1].reply().get("error", "ok"), flush=True)
    except Gone:
        print("closed", flush=True)
