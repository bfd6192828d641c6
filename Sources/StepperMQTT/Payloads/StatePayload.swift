import StepperInterfaces
import Varlink

/// The latest state of a control, and what the broker has of it. It is as small as possible: ten thousand simulated boards have several
/// each.
struct PublishedControl: Hashable, Sendable {
  let name: String
  var value: Double?
  var text: String?
  var sequence: Int64
  var microseconds: Int64
  var origin: ControlInterface.Origin
  var limit: ControlInterface.Limit
  var isEditing: Bool

  /// Whether the broker was not sent this state yet.
  var isDirty = true
  /// Whether the broker was sent any state since it accepted the connection.
  var isSent = false
  /// The text that the broker was last sent since then.
  var sentText: String?
  /// The earliest time at which the next state may be sent, in nanoseconds.
  var nextState = Int64.min

  init(_ state: ControlInterface.State) {
    name = state.control
    (value, text) = (state.value, state.text)
    (sequence, microseconds) = (state.sequence, state.monotonicMicroseconds)
    (origin, limit, isEditing) = (state.origin, state.limit, state.editing)
  }

  /// Takes a state. If it is another one, it has to be published.
  mutating func update(_ state: ControlInterface.State) {
    var new = PublishedControl(state)
    (new.isDirty, new.isSent, new.sentText, new.nextState) = (isDirty, isSent, sentText, nextState)
    guard new != self else { return }
    new.isDirty = true
    self = new
  }

  /// Records that, as far as is known, the broker no longer has anything of the control.
  mutating func forgetSent() {
    (isDirty, isSent, sentText, nextState) = (true, false, nil, .min)
  }

  /// The text for people and for Home Assistant.
  var plainText: String { text.map(PlainPayload.text) ?? PlainPayload.unset }
}

/// The JSON form of a state.
struct StatePayload {
  let instance: String
  /// CLOCK_REALTIME minus CLOCK_MONOTONIC, in microseconds.
  let realtimeOffset: Int64

  func bytes(_ control: PublishedControl) -> [UInt8] { object(control).payload }

  private func object(_ control: PublishedControl) -> JSONObject {
    let time = control.microseconds.addingReportingOverflow(realtimeOffset).partialValue
    return [
      "value": nullable(control.value.flatMap(PlainDecimal.init)), "text": nullable(control.text),
      "sequence": control.sequence, "instance": instance, "origin": control.origin.rawValue,
      "editing": control.isEditing, "limit": control.limit.rawValue,
      "time": UTCTime(microseconds: time).description,
    ]
  }

  /// A result: `{"id": …, "ok": true, "state": {…}}`, or with `"error"` and `"message"`.
  func result(
    _ id: CommandID?, _ failure: MQTTCallFailure?, _ control: PublishedControl?
  ) -> [UInt8] {
    let result: JSONObject = [
      "id": nullable(id), "error": failure?.code, "message": failure?.message,
      "ok": failure == nil ? true : nil,
      "state": control.map(object),
    ]
    return result.payload
  }
}
