import CLinux
import Glibc

/// A connection to a measured program. Every wait on it ends after 10 seconds at the latest.
struct Connection {
  let descriptor: CInt

  /// nil if the program does not take it.
  init?(to path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// The clock of the processor time that the program at the other end has used.
  var processorClock: clockid_t {
    var clock = clockid_t()
    guard clock_getcpuclockid(peer_process(descriptor), &clock) == 0 else {
      fail("the program's processor time cannot be read")
    }
    return clock
  }

  func send(_ bytes: [UInt8]) {
    guard sendIfOpen(bytes) else { fail("cannot send") }
  }

  /// As ``send(_:)``; false if the connection has ended.
  func sendIfOpen(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// Sends what the program takes at once, and removes it from `bytes`.
  func sendSome(_ bytes: inout ArraySlice<UInt8>) {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    bytes.removeFirst(max(0, count))
  }

  /// Waits for one message or more; returns how many came.
  @discardableResult
  func receive() -> Int {
    guard let messages = receiveIfOpen() else { fail("a connection ended, or gave no answer") }
    return messages
  }

  /// As ``receive()``; nil if the connection has ended.
  func receiveIfOpen() -> Int? {
    var messages = 0
    while messages == 0 {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      messages = ends(count)
    }
    return messages
  }

  /// Reads what is there; returns how many messages ended in it.
  func drain() -> Int {
    var messages = 0
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
      guard count > 0 else { return messages }
      messages += ends(count)
    }
  }

  /// The bytes of the next message.
  func message() -> UnsafeRawBufferPointer {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    guard count > 0, buffer[count - 1] == 0 else { fail("a connection ended, or gave no answer") }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// How many messages end in the first bytes of the buffer: each ends with NUL.
  private func ends(_ count: Int) -> Int {
    var messages = 0
    for byte in buffer[..<count] { messages &+= byte == 0 ? 1 : 0 }
    return messages
  }
}

/// What all connections read into.
nonisolated(unsafe) let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)

func nanoseconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func fail(_ message: String, _ code: CInt = 71) -> Never {
  let line = Array("measure: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(code)
}
