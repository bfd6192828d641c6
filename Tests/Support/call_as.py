"""Calls a Varlink service as another user.

    call_as.py SOCKET USER GROUP SUPPLEMENTARY < CALLS

USER and GROUP are numbers, SUPPLEMENTARY is a list of numbers with commas between, or "". Needs root. CALLS are JSON
objects, one a line, each of which goes over a connection of its own that stays open until the end of the input. For each
it prints the name of the error that it is answered with, "ok", or "closed".
"""

import json
import os
import socket
import sys


def answer(connection, call):
    try:
        connection.sendall(call.encode() + b"\0")
        message = b""
        while not message.endswith(b"\0"):
            part = connection.recv(65536)
            if not part:
                return "closed"
            message += part
    except ConnectionError:
        return "closed"
    return json.loads(message[:-1]).get("error", "ok")


address, user, group, supplementary = sys.argv[1:]
os.setgroups([int(number) for number in supplementary.split(",") if number])
os.setresgid(int(group), int(group), int(group))
os.setresuid(int(user), int(user), int(user))

connections = []
for line in sys.stdin:
    connection = socket.socket(socket.AF_UNIX)
    connections.append(connection)
    try:
        connection.connect(address)
    except OSError as error:
        print(f"cannot connect: {error}", flush=True)
        continue
    connection.settimeout(10)
    print(answer(connection, line.strip()), flush=True)
