internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import NIOPosix
internal import StepperLinux
internal import Synchronization
internal import SystemPackage

typealias Listener = NIOAsyncChannel<Connection, Never>

/// The listening sockets. Connections wait in them until a ``WebServer`` serves them.
struct WebListening: Sendable {
  /// The kernel's send buffer, in bytes. It is so small that a reader which stops reading gets few outdated events. Nothing else is
  /// buffered.
  private static let sendBuffer = 32 << 10
  private static let receiveSize = 16 << 10
  private static var fewestDescriptors: Int { 64 + 4 * WebThreads.loops }

  let connections: ConnectionTable
  let listeners: [Listener]
  private let sockets: [OwnSocket]
  /// The addresses, with their actual ports.
  let addresses: [WebAddress]
  /// What could not be done, in words.
  let problems: [String]

  /// Listens on `addresses`, or on the default ones, or uses the sockets that were `inherited`.
  init(
    _ addresses: [WebAddress], inherited: [CInt], proxies: TrustedProxies, logger: Logger
  ) async throws(WebStartFailure) {
    let limit = Self.descriptorLimit
    // With fewer descriptors than its threads need, NIO ends the process.
    guard limit >= Self.fewestDescriptors else {
      throw WebStartFailure(
        .unavailable,
        "only \(limit) files may be open: raise the limit to \(Self.fewestDescriptors) or more (ulimit -n)")
    }
    var (listeners, sockets, problems): ([Listener], [OwnSocket], [String]) = ([], [], [])
    let connections = ConnectionTable(
      descriptors: limit, threads: WebThreads.loops, proxies: proxies)
    self.connections = connections
    let wanted = addresses.isEmpty ? WebAddress.loopback(port: WebAddress.usualPort) : addresses
    let sources = inherited.isEmpty ? wanted.map(Source.address) : inherited.map(Source.inherited)
    for source in sources {
      do {
        listeners.append(try await Self.listen(at: source, connections, &sockets))
      } catch {
        let reason = (error as? IOError).map { "\(Errno(rawValue: $0.errnoCode))" } ?? "\(error)"
        // This failure already says where.
        let problem = (error as? ListenFailure)?.description ?? "cannot listen at \(source): \(reason)"
        // A machine without IPv6 lacks that loopback address.
        guard source.isOptional, !listeners.isEmpty else {
          for listener in listeners { await Self.close(listener) }
          for socket in sockets { socket.close() }
          throw WebStartFailure(.unavailable, problem)
        }
        logger.notice("\(problem)")
        problems.append(problem)
      }
    }
    (self.listeners, self.sockets) = (listeners, sockets)
    self.problems = problems
    self.addresses = listeners.compactMap { $0.channel.localAddress.flatMap(WebAddress.init) }
  }

  /// The number of descriptors that this process may have open.
  private static var descriptorLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  func close() async {
    for listener in listeners { await Self.close(listener) }
    removeSockets()
  }

  /// Removes the files of the Unix sockets that this program has bound.
  func removeSockets() { for socket in sockets { socket.close() } }

  private static func close(_ listener: Listener) async {
    // The listener is closed in any case.
    try? await listener.executeThenClose { _ in }
  }

  fileprivate enum Source {
    case address(WebAddress)
    case inherited(CInt)
  }

  private static func listen(
    at source: Source, _ connections: ConnectionTable, _ sockets: inout [OwnSocket]
  ) async throws -> Listener {
    var bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause())
        }
      }
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(sendBuffer))
      .childChannelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(receiveSize))
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 2))
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: receiveSize))
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.autoRead, value: false)
    if source.isInternet { bootstrap = bootstrap.childChannelOption(.tcpOption(.tcp_nodelay), value: 1) }
    let prepare: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
      channel.eventLoop.makeCompletedFuture { try Self.prepare(channel, connections) }
    }
    switch source {
    case .address(.internet(let host, let port)):
      return try await bootstrap.bind(
        to: try SocketAddress(ipAddress: host, port: port), childChannelInitializer: prepare)
    case .address(.unix(let path)):
      let socket = try OwnSocket(path)
      sockets.append(socket)
      return try await bootstrap.bind(try socket.descriptor(), childChannelInitializer: prepare)
    case .inherited(let descriptor):
      return try await bootstrap.bind(descriptor, childChannelInitializer: prepare)
    }
  }

  private static func prepare(_ channel: any Channel, _ connections: ConnectionTable) throws -> Connection {
    guard let connection = connections.connection(channel) else {
      channel.close(promise: nil)
      throw ChannelError.ioOnClosedChannel
    }
    // A connection that is not admitted is not in the table, and is closed when its turn to be served comes.
    _ = connections.admit(connection)
    channel.closeFuture.whenComplete { _ in connections.remove(connection) }
    let feed = RequestFeed(RequestProgress(connection), turns: connections.turns(of: connection))
    let pipeline = channel.pipeline.syncOperations
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = RequestProgress.headLimit
    limits.maxHeaderListSize = RequestProgress.headLimit
    limits.maxHeaderFieldCount = RequestProgress.fieldLimit
    try pipeline.addHandler(feed)
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: true,
      withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(RequestWatch(feed))
    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    return connection
  }
}

/// A Unix socket that this program has bound, and its file, which is removed with it.
private final class OwnSocket: Sendable {
  private let listener: Mutex<UnixListener?>

  init(_ path: String) throws(ListenFailure) {
    // Access is decided by the permissions of the folder, as it is by the network for other addresses.
    listener = Mutex(try UnixListener(path: path, mode: 0o666, group: nil))
  }

  /// A duplicate of the socket's descriptor, which the caller closes.
  func descriptor() throws(Errno) -> CInt {
    let descriptor = listener.withLock { $0?.rawDescriptor ?? -1 }
    return try OwnedFileDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)).release()
  }

  func close() { listener.withLock { $0 = nil } }
}

extension WebListening.Source: CustomStringConvertible {
  var description: String {
    switch self {
    case .address(let address): address.description
    case .inherited(let descriptor): "the inherited socket \(descriptor)"
    }
  }

  fileprivate var isOptional: Bool {
    if case .address(.internet("::1", _)) = self { true } else { false }
  }

  fileprivate var isInternet: Bool {
    switch self {
    case .address(.internet): true
    case .address(.unix): false
    case .inherited(let descriptor): ListenDescriptors.family(of: descriptor) != AF_UNIX
    }
  }
}

extension WebAddress {
  /// nil: the address is of a kind that is not supported.
  fileprivate init?(_ address: SocketAddress) {
    if let path = address.pathname {
      self = .unix(path)
    } else if let host = address.ipAddress, let port = address.port {
      self = .internet(host: host, port: port)
    } else {
      return nil
    }
  }

  /// The URL to type into a browser.
  var page: String {
    switch self {
    case .unix: description
    case .internet: "http://\(description)/"
    }
  }
}
