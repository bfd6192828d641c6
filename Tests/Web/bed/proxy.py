"""A wire between the browser and the web program that a test may cut, freeze and delay."""

import select
import socket
import threading


class Proxy:
    """Carries bytes between its own `port` and another one, by a thread."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.others, self.kept = {}, []
        self.frozen, self.delayed = False, None
        self.wake, self.woken = socket.socketpair()
        self.running = True
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def freeze(self):
        """Loses everything from now on, and closes nothing: a cable is out."""
        self.frozen = True

    def thaw(self):
        """The cable is in again; what was under way is lost with its connections."""
        for one in list(self.others):
            self._drop(one)
        self.frozen = False
        self.wake.send(b"x")

    def delay(self, beginning):
        """Keeps back what a browser sends from the next request on that begins so, until `deliver`."""
        self.delayed = beginning

    def deliver(self):
        """Sends what was kept back."""
        self.delayed = None
        for one, data in self.kept:
            one.sendall(data)
        self.kept.clear()

    def close(self):
        """Ends it."""
        self.running = False
        self.wake.send(b"x")
        self.thread.join()
        for one in [*self.others, self.listener, self.wake, self.woken]:
            one.close()

    def _drop(self, one):
        other = self.others.pop(one, None)
        if other:
            self.others.pop(other, None)
            other.close()
        one.close()

    def _run(self):
        while self.running:
            alive = [one for one in self.others if one.fileno() >= 0]
            ready, _, _ = select.select([self.listener, self.woken, *alive], [], [], 5)
            for one in ready:
                if one is self.woken:
                    one.recv(64)
                elif one is self.listener:
                    browser, _ = self.listener.accept()
                    browser.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    server = socket.create_connection(("127.0.0.1", self.target))
                    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.others[browser], self.others[server] = server, browser
                elif one in self.others:
                    self._carry(one)

    def _carry(self, one):
        try:
            data = one.recv(65536)
        except OSError:
            data = b""
        if self.frozen and data:
            return
        if not data:
            if not self.frozen:
                self._drop(one)
            else:
                self.others.pop(one, None)
            return
        other = self.others[one]
        keeps = any(other is waiting for waiting, _ in self.kept)
        if keeps or (self.delayed and data.startswith(self.delayed)):
            self.kept.append((other, data))
            return
        try:
            other.sendall(data)
        except OSError:
            self._drop(one)
