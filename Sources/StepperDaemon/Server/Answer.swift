package import StepperCore
package import Varlink

/// The reply, or the replies, to a call.
package enum Answer {
  /// One reply with these results.
  case reply(any JSONWritable)
  /// One reply with the JSON object that the function appends.
  case written(by: (inout [UInt8]) throws(VarlinkMessageError) -> Void)
  /// A known number of replies to a call with `more`; the last one ends it. Not empty.
  case replies([any JSONWritable])
  /// Replies until the client disconnects or the stream ends.
  case stream(any ReplyStream)
}

/// The replies to a call that is not answered at once. Each is encoded when the client can receive it.
package protocol ReplyStream: AnyObject {
  /// The time of the next reply; nil without one. The server looks at it after the call and after each reply; of what
  /// becomes due in between it is told with ``VarlinkServer/noteDue(_:)``.
  var due: Instant? { get }
  /// Sends one reply with everything that is due at `now`. Returns the time of the input that caused it; nil if it
  /// was not an input.
  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant?
  /// The error that ends the stream when the service stops.
  var stopping: VarlinkFailure { get }
}
