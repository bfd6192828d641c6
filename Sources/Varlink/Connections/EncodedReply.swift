/// A reply that goes to many connections as it is: it is encoded once, and its bytes are copied to each of them. The memory
/// is used again for the next reply.
///
///     var reply = EncodedReply(continues: true)
///     try reply.encode { bytes throws(VarlinkMessageError) in try results.appendJSON(to: &bytes) }
///     for connection in subscribers { connection.reply(reply) }
public struct EncodedReply: Sendable {
  /// Whether further replies to a call with `more` follow.
  public let continues: Bool
  /// The message up to what says whether it continues, which depends on the call; empty: there is none.
  private(set) var beginning: [UInt8] = []

  /// A reply without a message, which is to be encoded.
  public init(continues: Bool = false) { self.continues = continues }

  /// Replaces the parameters by the JSON object that `write` appends. Throws what `write` throws, and the reply has no
  /// message then.
  public mutating func encode(
    _ write: (inout [UInt8]) throws(VarlinkMessageError) -> Void
  ) throws(VarlinkMessageError) {
    beginning.removeAll(keepingCapacity: true)
    JSONText.append(literal: VarlinkReply.beginning, to: &beginning)
    do throws(VarlinkMessageError) {
      try write(&beginning)
    } catch {
      beginning.removeAll(keepingCapacity: true)
      throw error
    }
  }
}

extension VarlinkReply {
  /// What stands before the parameters of a reply that is not an error.
  static let beginning: StaticString = "{\"parameters\":"

  /// What stands behind the parameters.
  static func end(continues: Bool) -> StaticString { continues ? ",\"continues\":true}\0" : "}\0" }
}
