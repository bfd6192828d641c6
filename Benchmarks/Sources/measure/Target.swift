import CLinux
import Glibc

/// A measured program and the clients that it has.
final class Target {
  let name: String
  /// The connection that calls.
  let sender: Connection
  /// Those that follow the control that is moved, and read.
  private(set) var followers: [Connection] = []
  private let processorClock: clockid_t
  private var users: Users
  private let epoll = epoll_create1(0)
  private var ready: [epoll_event] = []

  /// `NAME=SOCKET[:FOLLOWERS[:STALLED[:OTHERS]]]`: so many follow the control, so many more do and do not read, so many
  /// follow another control.
  init(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { fail("\(text) is not NAME=SOCKET", 64) }
    let fields = parts[1].split(separator: ":").map(String.init)
    let counts = fields.dropFirst().map { Int($0) ?? 0 } + [0, 0, 0]
    name = parts[0]
    users = Users(socket: fields[0])
    guard let sender = users.connect(greeting: Call.get) else { fail("cannot connect to \(name)", 69) }
    self.sender = sender
    processorClock = sender.processorClock
    followers = (0..<counts[0]).map { _ in client(Call.subscribe) }
    for _ in 0..<counts[1] { _ = client(Call.subscribe) }
    for _ in 0..<counts[2] { _ = client(Call.subscribeOther) }
    ready = Array(repeating: epoll_event(), count: max(1, followers.count))
    for (place, follower) in followers.enumerated() {
      var event = epoll_event(
        events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data_t(u32: UInt32(place)))
      epoll_ctl(epoll, EPOLL_CTL_ADD, follower.descriptor, &event)
    }
  }

  private func client(_ greeting: [UInt8]) -> Connection {
    guard let client = users.connect(greeting: greeting) else {
      fail("\(name) takes no further client; root can connect more than one user")
    }
    return client
  }

  /// The processor time that the program has used.
  var processorTime: Int64 { nanoseconds(processorClock) }

  /// Waits until each follower has read one message.
  func awaitAll() {
    // As most clients do.
    if followers.count == 1 {
      followers[0].receive()
      return
    }
    var missing = followers.count
    while missing > 0 {
      let count = epoll_wait(epoll, &ready, CInt(ready.count), 10_000)
      guard count > 0 else { fail("\(name): \(missing) followers got no message") }
      for event in ready[..<Int(count)] { missing -= followers[Int(event.data.u32)].drain() }
    }
  }

  /// Waits until everything that was caused before has been sent, and reads it; returns the number of messages. The first
  /// call may be answered before a change that came with it is published, the second one is answered after that.
  @discardableResult
  func settle() -> Int {
    for _ in 0..<2 {
      sender.send(Call.get)
      sender.receive()
    }
    return followers.reduce(0) { $0 + $1.drain() }
  }
}

/// Connects as one user after the other, because a daemon gives each a share of its connections. One who is not root has
/// only one user.
struct Users {
  let socket: String
  private var user: uid_t = geteuid()
  private var refusals = 0

  init(socket: String) { self.socket = socket }

  /// A connection whose first call has been answered; nil: no user gets one.
  mutating func connect(greeting: [UInt8]) -> Connection? {
    while refusals < 8 {
      seteuid(user)
      defer { seteuid(getuid()) }
      if let connection = Connection(to: socket) {
        // A program that refuses a connection may have closed it before the call is sent.
        if connection.sendIfOpen(greeting), connection.receiveIfOpen() != nil {
          refusals = 0
          return connection
        }
        close(connection.descriptor)
      }
      guard getuid() == 0 else { return nil }
      refusals += 1
      user = user == 0 ? 60_001 : user + 1
    }
    return nil
  }
}
