package import StepperCore
package import Varlink

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
  /// When a reply is due; nil while there is nothing to report.
  var due: Instant? { get }
  /// Answers with one reply that reports what is due at `now`. Returns when that happened, if it was an input.
  func tell(_ connection: inout VarlinkServerConnection, at now: Instant) -> Instant?
  /// What ends it when the service stops.
  var stopping: VarlinkFailure { get }
}
