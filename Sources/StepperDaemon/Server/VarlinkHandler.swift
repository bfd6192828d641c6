package import StepperCore
package import StepperSystem
package import Varlink

/// Answers the calls of a ``VarlinkServer``'s clients, except those of `org.varlink.service`.
package protocol VarlinkHandler: AnyObject {
  /// Called once per call, in the order they came; must not block.
  func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer
  /// A stream has made its last reply, or its connection is closed.
  func ended(_ stream: any ReplyStream)
  /// The connection is closed; whatever belonged to it ends.
  func ended(_ session: Session)
  /// For whom places are kept.
  func rank(of peer: PeerCredentials) -> ConnectionPlaces.Rank
}

extension VarlinkHandler {
  package func rank(of peer: PeerCredentials) -> ConnectionPlaces.Rank { .user }
}

/// What a call is answered with.
package enum Answer {
  /// One reply with these results.
  case reply(any Encodable)
  /// A known number of replies to a call with `more`; the last one ends it. Not empty.
  case replies([any Encodable])
  /// Replies until the client goes or the stream ends.
  case stream(any ReplyStream)

  /// One reply with the results of `method`.
  static func reply<Method: VarlinkMethod>(_ method: Method.Type, _ results: Method.Reply) -> Answer {
    .reply(results)
  }

  /// One reply without results.
  static let done = Answer.reply(NoParameters())
}

/// The replies to a call with `more`, made when the client can take them and not before.
package protocol ReplyStream: AnyObject {
  /// When there is something to tell; nil while there is nothing.
  var due: Instant? { get }
  /// Answers with one reply that says what is due at `now`. Returns when that happened, if it was an input.
  func tell(_ connection: inout VarlinkServerConnection, at now: Instant) -> Instant?
  /// What ends it when the service stops.
  var stopping: VarlinkFailure { get }
}
