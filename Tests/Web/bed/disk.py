"""A disk that hangs: fanotify(7) lets the opens of a folder's files wait."""

import ctypes
import os
import select
import struct

CLASS_CONTENT, MARK_ADD, OPEN_PERM, EVENT_ON_CHILD, ALLOW = 0x04, 0x01, 0x10000, 0x08000000, 0x01
EVENT = struct.Struct("=IBBHQii")


class HungFolder:
    """Files in `folder` are not opened until `release`. Raises PermissionError where this process may not do that."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.fanotify_init(CLASS_CONTENT, os.O_RDONLY | os.O_CLOEXEC)
        self.waiting = []
        mask = ctypes.c_uint64(OPEN_PERM | EVENT_ON_CHILD)
        if self.descriptor < 0 or libc.fanotify_mark(self.descriptor, MARK_ADD, mask, -1, folder.encode()) < 0:
            raise PermissionError(ctypes.get_errno(), "fanotify")

    def count(self, timeout=0.0):
        """How many opens wait, after at most so many seconds without another one."""
        while select.select([self.descriptor], [], [], timeout)[0]:
            events = os.read(self.descriptor, 4096)
            while events:
                length, *_, opened, _ = EVENT.unpack_from(events)
                self.waiting.append(opened)
                events = events[length:]
        return len(self.waiting)

    def release(self):
        """Lets all go on, those to come as well."""
        self.count()
        for opened in self.waiting:
            os.write(self.descriptor, struct.pack("=iI", opened, ALLOW))
            os.close(opened)
        self.waiting = []
        os.close(self.descriptor)
