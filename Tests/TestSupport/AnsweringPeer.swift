internal import Synchronization
package import Varlink

/// A service that answers every call by `answer`, on a thread for each client, until it goes away.
package final class AnsweringPeer: Sendable {
  private let listener: PeerListener
  private let log = Log()

  /// Where it listens.
  package var path: String { listener.path }

  /// The methods called so far, without their interface, with their parameters as JSON.
  package var heard: [String] { log.calls.withLock { $0 } }

  /// `answer` returns the replies to a call; after an empty list the connection is closed.
  package init(answer: @escaping @Sendable (VarlinkCall) throws -> [VarlinkReply]) throws {
    listener = try PeerListener()
    startThread { [listener, log] in
      while let connection = listener.acceptUntilShutdown() {
        let connection = Handed(connection)
        startThread { Self.serve(connection.value, answer, log) }
      }
    }
  }

  deinit { listener.shutDown() }

  private static func serve(
    _ connection: PeerConnection, _ answer: @Sendable (VarlinkCall) throws -> [VarlinkReply], _ log: Log
  ) {
    while let call = connection.nextCallUntilClosed() {
      let name = call.method.split(separator: ".").last ?? ""
      log.calls.withLock { $0.append("\(name) \(String(decoding: call.parameters.json, as: UTF8.self))") }
      do {
        let replies = try answer(call)
        if replies.isEmpty { return }
        for reply in replies { try connection.send(reply.encoded()) }
      } catch {
        return
      }
    }
  }
}

/// What outlives the peer in its threads.
private final class Log: Sendable {
  let calls = Mutex<[String]>([])
}

/// A connection on its way to the thread that owns it from then on: nobody else keeps it.
private final class Handed: @unchecked Sendable {
  let value: PeerConnection
  init(_ value: PeerConnection) { self.value = value }
}

extension VarlinkReply {
  /// The reply to a call of `method`.
  package static func of<Method: VarlinkMethod>(
    _ method: Method.Type, _ results: Method.Reply, continues: Bool = false
  ) throws -> VarlinkReply {
    VarlinkReply(parameters: try VarlinkParameters(encoding: results), continues: continues)
  }
}
