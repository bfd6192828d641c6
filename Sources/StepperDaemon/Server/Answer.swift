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
  /// Replies from this row of the server's ``ReplySource``, until the client disconnects or the last reply is sent.
  case stream(Int)
}

/// The replies to calls that are not answered at once: a table with one row for each such call. A reply is encoded when
/// the client can receive it. ``VarlinkServer/takeEnded()`` returns the rows that are no longer used.
package protocol ReplySource: AnyObject {
  /// The time of the next reply; nil without one. The server asks for it after the call and after each reply. If a
  /// reply becomes due in between, call ``VarlinkServer/noteDue(_:)``.
  func due(_ row: Int) -> Instant?
  /// Sends one reply with everything that is due at `now`. Returns the time of the input that caused it; nil if it
  /// was not an input.
  func sendReply(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) -> Instant?
  /// The error that ends the call when the service stops.
  func stopping(_ row: Int) -> VarlinkFailure
}
