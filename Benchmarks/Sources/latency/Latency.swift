import Glibc
import Histogram

/// Measures how long a change takes from the program that moves an input to the client that follows: through
/// stepperd, through one that has feedback and a slow hook besides, and through a relay in C that does nothing
/// but copy. All in one run and in turns, because only their ratios mean something on a machine that does other
/// things too.
@main
enum Latency {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let samples = Int(arguments[4]), samples > 0 else {
      fail("usage: latency STEPPERD-SOCKET FEEDBACK-SOCKET RELAY-SOCKET SAMPLES", 64)
    }
    let (stepperd, feedback) = (daemon("stepperd", arguments[1]), daemon("feedback", arguments[2]))
    let relay = Path("C relay", at: arguments[3], messages: ["0123456789abcdef01234567\0"], greeting: nil)

    let paths = [stepperd, feedback, relay]
    for path in paths { for _ in 0..<200 { path.sample() } }
    for path in paths { path.histogram.reset() }
    // Each in turn the first: what was just awake makes the next one faster.
    for round in 0..<samples {
      for place in paths.indices { paths[(round + place) % paths.count].sample() }
    }

    print(
      "\(samples) changes each, one at a time; microseconds from the sender's write to the follower's read")
    print("            p50     p90     p99")
    for path in paths { print(path.row) }
    print("stepperd to the relay     " + ratios(stepperd, relay))
    print("with feedback to without  " + ratios(feedback, stepperd))
  }

  private static func daemon(_ name: String, _ socket: String) -> Path {
    Path(
      name, at: socket,
      // Back and forth, so that there is always something to publish.
      messages: [1, -1].map { detents in
        """
        {"method":"org.stepperd.device.Turn","oneway":true,"parameters":\
        {"device":"panel","input":"dial","detents":\(detents)}}\0
        """
      },
      greeting: "{\"method\":\"org.stepperd.control.Subscribe\",\"more\":true}\0")
  }

  private static func ratios(_ path: Path, _ other: Path) -> String {
    [50.0, 90, 99].map { percentile in
      let ratio = path.microseconds(at: percentile) / other.microseconds(at: percentile)
      let hundredths = Int((ratio * 100).rounded())
      return padded("×\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)", to: 7)
    }.joined(separator: " ")
  }
}

/// One way from a sender to a follower.
final class Path {
  let name: String
  var histogram = Histogram<UInt64>(
    lowestDiscernibleValue: 100, highestTrackableValue: 10_000_000_000, numberOfSignificantValueDigits: .three
  )
  private let sender: CInt
  private let follower: CInt
  private let messages: [[UInt8]]
  private var sent = 0

  /// `greeting` is what the follower says first; its reply is waited for.
  init(_ name: String, at socket: String, messages: [String], greeting: String?) {
    self.name = name
    self.messages = messages.map { Array($0.utf8) }
    sender = connectTo(socket)
    follower = connectTo(socket)
    if let greeting {
      send(Array(greeting.utf8), on: follower)
      receiveMessage()
    }
  }

  func sample() {
    let message = messages[sent % messages.count]
    sent += 1
    let start = nanoseconds()
    send(message, on: sender)
    receiveMessage()
    histogram.record(nanoseconds() - start)
  }

  func microseconds(at percentile: Double) -> Double {
    Double(histogram.valueAtPercentile(percentile)) / 1_000
  }

  var row: String {
    let numbers = [50.0, 90, 99].map { padded(decimal(microseconds(at: $0)), to: 7) }
    return padded(name, to: -8) + numbers.joined(separator: " ")
  }

  private func send(_ bytes: [UInt8], on descriptor: CInt) {
    guard write(descriptor, bytes, bytes.count) == bytes.count else { fail("\(name): cannot send", 71) }
  }

  /// Waits for one whole message, which ends with NUL.
  private func receiveMessage() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(follower, &buffer, buffer.count)
      guard count > 0 else { fail("\(name): the connection ended", 71) }
      if buffer[count - 1] == 0 { return }
    }
  }
}

func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func connectTo(_ path: String) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
  let result = withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard result == 0 else { fail("cannot connect to \(path)", 69) }
  return descriptor
}

/// One digit after the point.
func decimal(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// Filled up with blanks at the left, or at the right for a negative width.
func padded(_ text: String, to width: Int) -> String {
  let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width > 0 ? blanks + text : text + blanks
}

func fail(_ message: String, _ code: CInt) -> Never {
  let line = Array("latency: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(code)
}
