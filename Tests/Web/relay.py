#!/usr/bin/python3
"""The least that brings a control into a browser: the bare relay which the web program is measured beside.

    relay.py --address SOCKET --port PORT

One subscription to the daemon for each stream; each reply goes out as one event as it came, without being read. One
thread waits in epoll. It checks nothing: it is no way to serve a panel. `/` is a page that shows the value of `volume`
and writes when it was painted into `window.painted`; a POST to /step makes one step.
"""

import argparse
import json
import select
import socket

PAGE = b"""<!doctype html><meta charset=utf-8><title>Relay</title><button id=plus>+</button> <output id=value></output><script>
const output = document.getElementById('value');
window.painted = [];
new EventSource('/events').onmessage = (event) => {
  const state = JSON.parse(event.data).parameters.states.find((one) => one.control === 'volume');
  if (!state) return;
  requestAnimationFrame(() => {
    output.textContent = state.text;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.painted.push([state.text, performance.now()]);
    channel.port2.postMessage(0);
  });
};
document.getElementById('plus').addEventListener('pointerdown', () => fetch('/step', { method: 'POST', body: '' }));
</script>"""
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n"


def call(method, more=False, **parameters):
    """A call of Varlink."""
    message = {"method": f"org.stepperd.control.{method}", "parameters": parameters, **({"more": True} if more else {})}
    return json.dumps(message).encode() + b"\0"


class Relay:
    """All connections by descriptor: what is done when one can be read."""

    def __init__(self, address, port):
        self.address, self.readers, self.poll = address, {}, select.epoll()
        self.listener = socket.create_server(("127.0.0.1", port))
        self.calls = self.dial()
        self.watch(self.listener, self.accept)

    def dial(self):
        """A connection to the daemon."""
        daemon = socket.socket(socket.AF_UNIX)
        daemon.connect(self.address)
        return daemon

    def watch(self, one, read):
        """Calls `read` whenever there is something."""
        self.readers[one.fileno()] = read
        self.poll.register(one, select.EPOLLIN)

    def leave(self, *sockets):
        """Closes connections."""
        for one in sockets:
            self.readers.pop(one.fileno(), None)
            one.close()

    def accept(self):
        """A browser."""
        browser, _ = self.listener.accept()
        browser.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.watch(browser, lambda: self.serve(browser))

    def serve(self, browser):
        """A request, which comes in one piece on the loopback."""
        try:
            request = browser.recv(65536)
        except ConnectionError:
            request = b""
        if request.startswith(b"GET /events"):
            daemon = self.dial()
            daemon.sendall(call("Subscribe", more=True))
            browser.sendall(STREAM)
            self.watch(daemon, lambda: self.forward(daemon, browser))
        elif request.startswith(b"POST /step"):
            self.calls.sendall(call("Step", control="volume", steps=1))
            while not self.calls.recv(65536).endswith(b"\0"):
                pass
            browser.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        elif request.startswith(b"GET / "):
            browser.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(PAGE) + PAGE)
        elif request:
            browser.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        else:
            self.leave(browser)

    def forward(self, daemon, browser):
        """Replies become events."""
        data = daemon.recv(1 << 20)
        while data and not data.endswith(b"\0"):
            data += daemon.recv(1 << 20)
        try:
            browser.sendall(b"".join(b"data: " + reply + b"\n\n" for reply in data.split(b"\0") if reply))
        except OSError:
            data = b""
        if not data:
            self.leave(daemon, browser)

    def run(self):
        """For ever."""
        while True:
            for descriptor, _ in self.poll.poll():
                if descriptor in self.readers:
                    self.readers[descriptor]()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A bare relay of a daemon's changes to browsers.")
    parser.add_argument("--address", required=True)
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    Relay(options.address, options.port).run()
