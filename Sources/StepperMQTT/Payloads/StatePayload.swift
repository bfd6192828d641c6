import StepperInterfaces
import Varlink

/// The latest state of a control, and what the broker has of it. As small as can be: ten thousand simulated boards have
/// some each.
struct PublishedControl: Hashable, Sendable {
  let name: String
  var value: Double?
  var text: String?
  var sequence: Int64
  var microseconds: Int64
  var origin: ControlInterface.Origin
  var limit: ControlInterface.Limit
  var isEditing: Bool

  /// Whether the broker has not been sent this state.
  var isDirty = true
  /// Whether the broker has been sent any state since it accepted the connection.
  var isSent = false
  /// The text that the broker was sent last since then.
  var sentText: String?
  /// When the next state may be sent, in nanoseconds.
  var nextState = Int64.min

  init(_ state: ControlInterface.State) {
    name = state.control
    (value, text) = (state.value, state.text)
    (sequence, microseconds) = (state.sequence, state.monotonicMicroseconds)
    (origin, limit, isEditing) = (state.origin, state.limit, state.editing)
  }

  /// Takes a newer state; whether it has to be published.
  mutating func update(_ state: ControlInterface.State) {
    let new = PublishedControl(state)
    let isEqual =
      value == new.value && text == new.text && sequence == new.sequence && origin == new.origin
      && limit == new.limit && isEditing == new.isEditing && microseconds == new.microseconds
    guard !isEqual else { return }
    (value, text, sequence, microseconds) = (new.value, new.text, new.sequence, new.microseconds)
    (origin, limit, isEditing, isDirty) = (new.origin, new.limit, new.isEditing, true)
  }

  /// Nothing of it is at the broker any more, as far as is known.
  mutating func forgetSent() {
    (isDirty, isSent, sentText, nextState) = (true, false, nil, .min)
  }

  /// What people and Home Assistant read.
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

  /// `{"id": …, "ok": true, "state": {…}}`, or with `"error"` and `"message"`.
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
