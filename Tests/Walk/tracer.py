"""Notes which functions of a process are called, in which order, and its system calls between them.

Each function begins with a breakpoint. The process runs at its own pace otherwise, with all its threads. For x86-64.
"""

import collections
import ctypes
import os
import platform
import signal
import struct
import threading

SUPPORTED = platform.machine() == "x86_64"
_CONT_SYSCALL, _SINGLESTEP, _GETREGS, _SETREGS, _DETACH = 24, 9, 12, 13, 17
_SEIZE, _INTERRUPT = 0x4206, 0x4207
_SYSGOOD, _CLONE = 1, 8
_WALL = 0x40000000
_REGISTERS = struct.Struct("27Q")
_FRAME, _RAX, _SECOND, _NUMBER, _RIP, _SP = 4, 10, 13, 15, 16, 19
_TRAP = b"\xcc"
#: The system calls that a walk names.
SYSTEM_CALLS = {0: "read", 44: "sendto", 45: "recvfrom", 257: "openat", 16: "ioctl", 232: "epoll_wait", 281: "epoll_pwait"}
#: A call of a function: its address; or a system call: its name, its result, and the path of openat. With the addresses of the
#: functions on the stack.
Event = collections.namedtuple("Event", "thread address stack call result path", defaults=[None] * 4)

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def _ptrace(request, thread, address=0, data=0):
    if _libc.ptrace(request, thread, address, data) < 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request}")


class Tracer:
    """A process with breakpoints at `addresses`, relative to where its program begins in memory."""

    def __init__(self, process, addresses):
        self.process = process
        with open(f"/proc/{process}/maps", encoding="utf-8") as maps:
            program = os.readlink(f"/proc/{process}/exe")
            self.base = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(program))
        self.addresses = {self.base + address for address in addresses}
        self.events = []
        #: The functions on the stack of each thread: address, stack pointer and return address.
        self.stacks = collections.defaultdict(list)
        #: The threads that are in a system call, with the path that it has.
        self.paths = {}

    def during(self, action):
        """What happens while `action` is done."""
        failure = []

        def act():
            try:
                action()
            except BaseException as error:  # pylint: disable=broad-except
                failure.append(error)
            finally:
                os.kill(self.process, signal.SIGCONT)

        for thread in os.listdir(f"/proc/{self.process}/task"):
            _ptrace(_SEIZE, int(thread), 0, _SYSGOOD | _CLONE)
            _ptrace(_INTERRUPT, int(thread))
            os.waitpid(int(thread), _WALL)
        with open(f"/proc/{self.process}/mem", "r+b", buffering=0) as self.memory:
            self.former = {address: os.pread(self.memory.fileno(), 1, address) for address in self.addresses}
            self._write(_TRAP)
            for thread in os.listdir(f"/proc/{self.process}/task"):
                _ptrace(_CONT_SYSCALL, int(thread))
            actor = threading.Thread(target=act)
            actor.start()
            self._follow()
            actor.join()
        if failure:
            raise failure[0]
        return self.events

    def _write(self, byte=None):
        for address in self.addresses:
            os.pwrite(self.memory.fileno(), byte or self.former[address], address)

    def _follow(self):
        while True:
            thread, status = os.waitpid(-1, _WALL)
            if not os.WIFSTOPPED(status):
                continue
            stop, event = os.WSTOPSIG(status), status >> 16
            passed = 0
            if stop == signal.SIGTRAP and not event:
                self._note_call(thread)
            elif stop == signal.SIGTRAP | 0x80:
                self._note_system_call(thread)
            elif stop == signal.SIGCONT and not event:
                break
            elif not event:
                passed = stop
            _ptrace(_CONT_SYSCALL, thread, 0, passed)
        self._write()
        _ptrace(_DETACH, thread)
        for other in os.listdir(f"/proc/{self.process}/task"):
            if int(other) != thread:
                _ptrace(_INTERRUPT, int(other))
                os.waitpid(int(other), _WALL)
                _ptrace(_DETACH, int(other))

    def _registers(self, thread):
        buffer = ctypes.create_string_buffer(_REGISTERS.size)
        _ptrace(_GETREGS, thread, 0, ctypes.addressof(buffer))
        return list(_REGISTERS.unpack(buffer.raw))

    def _note_call(self, thread):
        registers = self._registers(thread)
        address = registers[_RIP] - 1
        if address not in self.addresses:
            return
        self._unwind(thread, registers)
        self.stacks[thread].append((address - self.base, registers[_SP], self._word(registers[_SP])))
        self.events.append(Event(thread, address - self.base, self._addresses(thread)))
        registers[_RIP] = address
        buffer = ctypes.create_string_buffer(_REGISTERS.pack(*registers))
        _ptrace(_SETREGS, thread, 0, ctypes.addressof(buffer))
        os.pwrite(self.memory.fileno(), self.former[address], address)
        _ptrace(_SINGLESTEP, thread)
        os.waitpid(thread, _WALL)
        os.pwrite(self.memory.fileno(), _TRAP, address)

    def _note_system_call(self, thread):
        registers = self._registers(thread)
        name = SYSTEM_CALLS.get(registers[_NUMBER])
        if thread not in self.paths:
            path = self._text(registers[_SECOND]) if name == "openat" else None
            self.paths[thread] = path
            return
        path = self.paths.pop(thread)
        if name:
            self._unwind(thread, registers)
            self.events.append(Event(thread, None, self._addresses(thread), name, ctypes.c_int64(registers[_RAX]).value, path))

    def _unwind(self, thread, registers):
        """Forgets the functions that have returned: the place of their return address has another one, or is not among those
        that the frames from here on have."""
        places = self._return_places(registers[_FRAME])
        self.stacks[thread] = [
            each for each in self.stacks[thread] if each[1] > registers[_SP] and self._word(each[1]) == each[2]
            and (each[1] in places or each[1] > max(places, default=0))]

    def _return_places(self, frame):
        """Where the return addresses are of the frame that a register points to and of its callers'."""
        places = set()
        while True:
            word = self._word(frame)
            if len(word) < 8:
                return places
            places.add(frame + 8)
            caller = int.from_bytes(word, "little")
            if not frame < caller < frame + (1 << 20):
                return places
            frame = caller

    def _addresses(self, thread):
        return tuple(address for address, _, _ in self.stacks[thread])

    def _word(self, address):
        try:
            return os.pread(self.memory.fileno(), 8, address)
        except (OSError, OverflowError):
            return b""

    def _text(self, address):
        return os.pread(self.memory.fileno(), 256, address).split(b"\0")[0].decode(errors="replace")
