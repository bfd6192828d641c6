import Glibc
import TestSupport

/// A connection to a web program, which blocks.
final class Browser {
  struct Answer {
    let status: Int
    let headers: [String: String]
    let body: String
  }

  private let descriptor: CInt
  private var received: [UInt8] = []

  /// Connects to the loopback address.
  init(port: Int) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw PeerError("cannot connect to port \(port)") }
    setPatience()
  }

  /// Connects to a Unix socket.
  init(socket path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw PeerError("cannot connect to \(path)") }
    setPatience()
  }

  private func setPatience() {
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Ends the connection.
  func hangUp() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(truncatingIfNeeded: MSG_NOSIGNAL))
      }
      guard count > 0 else { throw PeerError("the connection was closed") }
      rest = rest.dropFirst(count)
    }
  }

  /// What comes up to `end`, which is taken as well; nil: the connection was closed before.
  func text(upTo end: String) throws -> String? {
    let mark = Array(end.utf8)
    var searched = 0
    while true {
      if let index = received.indices.dropFirst(searched).first(where: { received[$0...].starts(with: mark) })
      {
        defer { received.removeFirst(index + mark.count) }
        return String(decoding: received[..<index], as: UTF8.self)
      }
      searched = max(0, received.count - mark.count)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      // A peer that has not read everything resets the connection.
      if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
      guard count > 0 else { throw PeerError("waited too long for an answer") }
      received += buffer[..<count]
    }
  }

  /// The next answer; nil: the connection was closed instead.
  func answer(hasBody: Bool = true) throws -> Answer? {
    guard let head = try text(upTo: "\r\n\r\n") else { return nil }
    let lines = head.split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    let length = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
    while received.count < length {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw PeerError("the answer ended before its end") }
      received += buffer[..<count]
    }
    defer { received.removeFirst(length) }
    return Answer(
      status: status, headers: headers, body: String(decoding: received[..<length], as: UTF8.self))
  }

  /// The next event of a stream that is no tick, and of no type in `skipped`.
  func event(skipping skipped: Set<String> = []) throws -> (type: String, data: String, id: String?)? {
    while let text = try text(upTo: "\n\n") {
      var fields: [String: String] = [:]
      // Each event is a chunk, whose sizes are lines of their own.
      for line in text.split(whereSeparator: \.isNewline) {
        guard let colon = line.firstIndex(of: ":") else { continue }
        fields[String(line[..<colon])] = String(line[line.index(after: colon)...].drop { $0 == " " })
      }
      guard let type = fields["event"], type != "tick", !skipped.contains(type) else { continue }
      return (type, fields["data"] ?? "", fields["id"])
    }
    return nil
  }
}
