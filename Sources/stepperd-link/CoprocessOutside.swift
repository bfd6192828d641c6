internal import Glibc
internal import StepperBridge
internal import StepperLinux

extension ThreadedOutside {
  /// A program that gets a line for each value and writes one for each of its own: `value NUMBER`, in the unit of the
  /// control. `note` is called with what is odd about its lines, once for each start of it.
  static func coprocess(
    _ arguments: [String], environment: [String: String], note: @escaping @Sendable (String) -> Void
  ) -> ThreadedOutside {
    ThreadedOutside { port throws(OutsideFailure) in
      let process: Coprocess
      do throws(SpawnFailure) {
        process = try Coprocess.start(arguments, environment: environment)
      } catch {
        throw OutsideFailure("\(error)")
      }
      var session = CoprocessSession(name: arguments[0], process: process, port: port, note: note)
      try session.run()
    }
  }
}

/// One run of a coprocess, on one thread.
private struct CoprocessSession: ~Copyable {
  let name: String
  let process: Coprocess
  let port: OutsidePort
  let note: @Sendable (String) -> Void
  private var lines = CoprocessLines()
  /// Whether it may still write something; one that only listens may close its output.
  private var hasOutput = true
  private var unwritten: ArraySlice<UInt8> = []
  /// When the program is late with reading its input.
  private var deadline: SuspendingClock.Instant?
  private var hasNoted = false
  private var second = SuspendingClock.now
  private var count = 0

  /// How long it may take to read a line.
  private static let patience = Duration.seconds(5)
  /// The most lines that it may write in a second; more is a flood.
  private static let mostLines = 2_000

  init(
    name: String, process: consuming Coprocess, port: OutsidePort, note: @escaping @Sendable (String) -> Void
  ) {
    (self.name, self.port, self.note) = (name, port, note)
    self.process = process
  }

  mutating func run() throws(OutsideFailure) {
    port.report(.terms(BridgeTerms(rounding: 0)))
    port.report(.value(nil))
    while !port.isEnded {
      if unwritten.isEmpty, let value = port.takeWrite() {
        unwritten = CoprocessLines.line(value)[...]
        deadline = SuspendingClock.now.advanced(by: Self.patience)
      }
      try writeSome()
      try wait()
    }
  }

  private mutating func wait() throws(OutsideFailure) {
    var polled = [
      pollfd(fd: hasOutput ? process.outputDescriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: port.wakeDescriptor, events: Int16(POLLIN), revents: 0),
      // Without a wish it tells when the program has closed its input, for example by its end.
      pollfd(fd: process.inputDescriptor, events: unwritten.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
    ]
    var timeout: CInt = -1
    if let deadline {
      timeout = CInt(clamping: Int64(SuspendingClock.now.duration(to: deadline) / .milliseconds(1))) + 1
    }
    _ = unsafe poll(&polled, nfds_t(polled.count), max(timeout, -1))
    if polled[1].revents != 0 { port.takeWakeup() }
    if polled[0].revents != 0 { try readSome() }
    if polled[2].revents & Int16(POLLERR) != 0 { throw ended }
    if let deadline, deadline <= .now {
      throw OutsideFailure("\(name) does not read its input; it is restarted")
    }
  }

  private mutating func writeSome() throws(OutsideFailure) {
    while !unwritten.isEmpty {
      switch process.write(unwritten) {
      case .bytes(let count): unwritten = unwritten.dropFirst(count)
      case .later: return
      case .end: throw ended
      }
      if unwritten.isEmpty {
        deadline = nil
        port.finishWrite()
      }
    }
  }

  private mutating func readSome() throws(OutsideFailure) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    switch process.read(into: &buffer) {
    case .later: break
    case .end: hasOutput = false
    case .bytes(let count):
      let found = lines.take(buffer[..<count])
      try bound(found.count, count)
      for line in found {
        switch line {
        case .value(let value): port.report(.value(value))
        case .meaningless(let what):
          if !hasNoted { note("\(name) wrote \(what); what else is odd is not said") }
          hasNoted = true
        }
      }
    }
  }

  /// Counts lines, and bytes of overlong ones as if they were lines.
  private mutating func bound(_ lines: Int, _ bytes: Int) throws(OutsideFailure) {
    if second.duration(to: .now) >= .seconds(1) { (second, count) = (.now, 0) }
    count += max(lines, bytes / CoprocessLines.mostBytes)
    guard count <= Self.mostLines else {
      throw OutsideFailure("\(name) writes more than \(Self.mostLines) lines a second; it is restarted")
    }
  }

  private var ended: OutsideFailure {
    OutsideFailure(
      process.end(within: 100).map { "\(name) has ended \($0); it is restarted" }
        ?? "\(name) has closed its input; it is restarted")
  }
}
