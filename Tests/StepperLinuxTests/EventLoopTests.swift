import Glibc
import StepperCore
import StepperLinux
import SystemPackage
import TestSupport
import Testing

/// A pipe whose ends are closed when it goes away.
struct Pipe: ~Copyable {
  let reading: OwnedFileDescriptor
  let writing: OwnedFileDescriptor

  init() throws {
    let ends = try makePipe()
    reading = OwnedFileDescriptor(owning: ends.read)
    writing = OwnedFileDescriptor(owning: ends.write)
  }

  func write(_ byte: UInt8 = 0) { _ = unsafe Glibc.write(writing.rawValue, [byte], 1) }
  func read() {
    var byte: UInt8 = 0
    _ = unsafe Glibc.read(reading.rawValue, &byte, 1)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct EventLoopTests {
  @Test func `a descriptor that is ready is served once per wakeup`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var served = 0
    try loop.watch(pipe.reading.rawValue, priority: .client) { readiness, _ in
      #expect(readiness == .readable)
      served += 1
      if served == 3 { loop.stop() }
    }
    pipe.write()
    try loop.run { _ in nil }
    #expect(served == 3)
  }

  @Test func `a deadline wakes the loop at its time and not before`() throws {
    let loop = try EventLoop()
    let due = Instant.now + .milliseconds(20)
    var wakeups: [Instant] = []
    try loop.run { now in
      wakeups.append(now)
      if now >= due { loop.stop() }
      return due
    }
    #expect(wakeups.count == 2, "once at the start and once at the deadline")
  }

  @Test(arguments: [Instant.distantFuture, Instant(nanoseconds: 1 << 61)])
  func `a deadline that does not come in centuries wakes nobody`(deadline: Instant) throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var isServed = false
    try loop.watch(pipe.reading.rawValue, priority: .client) { _, _ in
      isServed = true
      loop.stop()
    }
    try loop.run { _ in
      pipe.write()
      return deadline
    }
    #expect(isServed && loop.wakeups == 1)
  }

  @Test func `a deadline in the past wakes the loop at once`() throws {
    let loop = try EventLoop()
    var turns = 0
    try loop.run { now in
      turns += 1
      if turns == 2 { loop.stop() }
      return now + .seconds(-5)
    }
  }

  @Test func `devices are served before clients, with the same instant`() throws {
    let loop = try EventLoop()
    let first = try Pipe()
    let second = try Pipe()
    var order: [(String, Instant)] = []
    try loop.watch(first.reading.rawValue, priority: .client) { _, now in order.append(("client", now)) }
    try loop.watch(second.reading.rawValue, priority: .device) { _, now in
      order.append(("device", now))
      loop.stop()
    }
    first.write()
    second.write()
    try loop.run { _ in nil }
    #expect(order.map(\.0) == ["device", "client"])
    #expect(order[0].1 == order[1].1)
  }

  @Test func `a device is served in the first wakeup, before however many clients that are ready`() throws {
    let loop = try EventLoop()
    let clients = try (0..<200).map { _ in try makePipe() }
    defer { for ends in clients { [ends.read, ends.write].forEach { close($0) } } }
    var served: [String] = []
    for ends in clients {
      try loop.watch(ends.read, priority: .client) { _, _ in served.append("client") }
      _ = unsafe Glibc.write(ends.write, [0], 1)
    }
    let device = try Pipe()
    try loop.watch(device.reading.rawValue, priority: .device) { _, _ in
      served.append("device")
      loop.stop()
    }
    device.write()
    try loop.run { _ in nil }
    #expect(served.first == "device" && served.count == 201)
    #expect(loop.wakeups == 1)
  }

  @Test func `a handler may take away a source that is ready in the same wakeup`() throws {
    let loop = try EventLoop()
    let first = try Pipe()
    let second = try Pipe()
    var served: [String] = []
    try loop.watch(first.reading.rawValue, priority: .device) { _, _ in
      served.append("first")
      loop.unwatch(second.reading.rawValue)
      loop.stop()
    }
    try loop.watch(second.reading.rawValue, priority: .client) { _, _ in served.append("second") }
    first.write()
    second.write()
    try loop.run { _ in nil }
    #expect(served == ["first"])
  }

  @Test func `writability is told only where it was asked for`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var told: [EventLoop.Readiness] = []
    try loop.watch(pipe.writing.rawValue, for: [], priority: .client) { readiness, _ in
      told.append(readiness)
      loop.stop()
    }
    var turns = 0
    try loop.run { now in
      turns += 1
      if turns == 2 { loop.change(pipe.writing.rawValue, to: .writable) }
      return now + .milliseconds(1)
    }
    #expect(told == [.writable])
    #expect(turns >= 2)
  }

  @Test func `a hang-up is told although nothing was asked for`() throws {
    let loop = try EventLoop()
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try Errno.check(unsafe socketpair(AF_UNIX, type, 0, &ends))
    let mine = OwnedFileDescriptor(owning: ends[0])
    var told = EventLoop.Readiness()
    try loop.watch(mine.rawValue, for: [], priority: .client) { readiness, _ in
      told = readiness
      loop.stop()
    }
    close(ends[1])
    try loop.run { _ in nil }
    #expect(told.isBroken)
  }

  @Test func `watching a closed descriptor is an error`() throws {
    let loop = try EventLoop()
    #expect(throws: Errno.badFileDescriptor) {
      try loop.watch(9_999, priority: .client) { _, _ in }
    }
  }
}
