internal import CLinks
internal import Glibc
internal import StepperBridge
internal import StepperCore
internal import StepperLinux
internal import StepperText
internal import SystemPackage

/// The connection from a program that serves an outside to the program that keeps the link: lines on standard output and input. A newer
/// value replaces one that was not written yet.
final class OutsidePort {
  private var lines = LineSplitter(mostBytes: OutsideLine.mostBytes)
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var write: Double?
  /// Whether the parent has closed its end, so that nothing more is asked for.
  private(set) var isEnded = false

  /// Readable when ``receive()`` has something to receive.
  var descriptor: CInt { STDIN_FILENO }

  /// Receives what is there; blocks if there is nothing.
  func receive() {
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    guard count > 0 else {
      isEnded = count == 0 || errno != EINTR
      return
    }
    for case .value(let value)? in lines.take(buffer[..<count]).map({ OutsideLine($0) }) { write = value }
  }

  /// The value to write now; nil: none. A write must be followed by ``finishWrite()``.
  func takeWrite() -> Double? {
    defer { write = nil }
    return write
  }

  func finishWrite() { send(.done) }

  func report(_ change: OutsideChange) {
    switch change {
    case .terms(let terms): send(.terms(terms))
    case .value(let value?): send(.value(value))
    case .value(nil): break
    case .away(let reason): send(.away(reason))
    }
  }

  /// Reports a failure, as the last line.
  func fail(_ failure: OutsideFailure) { send(.failed(failure.description)) }

  private func send(_ line: OutsideLine) {
    var rest = line.bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody reads the output any more.
      guard count >= 0 else { return isEnded = true }
      rest = rest.dropFirst(count)
    }
  }
}

/// An outside with descriptors that signal its changes.
protocol PolledOutside {
  var scale: RawScale { get }
  /// The descriptors with the events to wait for.
  func descriptors() throws(OutsideFailure) -> [pollfd]
  /// Handles the events of the descriptors. Returns whether the place may have changed.
  func takeEvents(_ polled: inout [pollfd]) throws(OutsideFailure) -> Bool
  func place() throws(OutsideFailure) -> Double
  func set(_ place: Double) throws(OutsideFailure)
}

extension RateLimit {
  /// How often an outside that reports changes without end is looked at: the first time at once, and then 100 times a second.
  static var looks: RateLimit { RateLimit(every: .milliseconds(10), burst: 1) }

  /// The time until the next look, in milliseconds as for poll(2); nil: it may be now.
  func pause(at now: Instant) -> CInt? {
    allows(at: now) ? nil : CInt(clamping: (next - now).milliseconds + 1)
  }
}

extension OutsidePort {
  /// Serves `outside` until the parent closes the connection.
  func serve(_ outside: some PolledOutside) throws(OutsideFailure) {
    report(.terms(outside.scale.terms))
    report(.value(try outside.place()))
    var looks = RateLimit.looks
    while !isEnded {
      // The events that the kernel queues during a pause are bounded.
      let pause = looks.pause(at: .now)
      var polled = pause == nil ? try outside.descriptors() : []
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      _ = unsafe poll(&polled, nfds_t(polled.count), pause ?? -1)
      if polled.removeLast().revents != 0 { receive() }
      var isChanged = polled.contains { $0.revents != 0 } ? try outside.takeEvents(&polled) : false
      if let place = takeWrite() {
        try outside.set(place)
        finishWrite()
        isChanged = true
      }
      if isChanged {
        _ = looks.take(at: .now)
        report(.value(try outside.place()))
      }
    }
  }
}
