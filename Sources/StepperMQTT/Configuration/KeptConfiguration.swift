package import Varlink

/// What a board keeps of the configurations that it was sent, over restarts and power cuts. It is written as a whole.
package struct KeptConfiguration: Hashable, Sendable {
  /// A step that a configuration has come to.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// There was none yet.
    case none
    /// It is in use until the board is well, or the time is up.
    case trying
    case confirmed
    /// It was never in use.
    case refused
    /// It was in use, and the board was not as well as before.
    case rolledBack
    /// The bridge or the board ended while it was tried.
    case interrupted
  }

  /// The version that was sent last, and what became of it. Nothing at or below it is taken again.
  package var version: Int64 = 0
  package var digest = ""
  package var state = State.none
  package var error = ""
  /// How often it was put in use.
  package var attempts: Int64 = 0
  /// What is in use otherwise; version 0: what was there before one was sent.
  package var confirmedVersion: Int64 = 0
  /// Of the included file; empty also where there is none.
  package var confirmedText = ""

  package init() {}

  /// Of a board that has kept nothing: `file` is in use, such as that of an image. If it was sent, what was kept is lost, and
  /// nothing at or below its version is taken.
  package init(inUse file: String) {
    confirmedText = file
    guard let (sent, text) = SignedConfiguration.read(file: file) else { return }
    (version, confirmedVersion) = (sent, sent)
    digest = StepperMQTT.digest(of: Array(text.utf8))
  }

  package var json: [UInt8] {
    let object: JSONObject = [
      "version": version, "digest": digest, "state": state.rawValue, "error": error, "attempts": attempts,
      "confirmedVersion": confirmedVersion, "confirmedText": confirmedText,
    ]
    return object.payload
  }

  /// What the broker gets.
  package var published: [UInt8] {
    let isThere = state != .none
    let object: JSONObject = [
      "state": state.rawValue, "version": isThere ? version : nil, "digest": isThere ? digest : nil,
      "confirmed": confirmedVersion, "error": error.isEmpty ? nil : error,
    ]
    return object.payload
  }

  /// What is wrong with the last one, as a sentence; nil: nothing.
  package var problem: String? {
    switch state {
    case .none, .trying, .confirmed: nil
    case .refused: "configuration \(version) was refused: \(error)"
    case .rolledBack: "configuration \(version) was rolled back: \(error)"
    case .interrupted: "configuration \(version) was interrupted while it was tried, and rolled back"
    }
  }
}

extension KeptConfiguration: JSONReadable {
  package init(json value: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(value)
    version = try members.value("version")
    digest = try members.value("digest")
    let name: String = try members.value("state")
    guard let state = State(rawValue: name) else { throw JSONMisfit("not a state") }
    self.state = state
    error = try members.value("error")
    attempts = try members.value("attempts")
    confirmedVersion = try members.value("confirmedVersion")
    confirmedText = try members.value("confirmedText")
  }
}
