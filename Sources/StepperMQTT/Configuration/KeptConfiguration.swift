package import Varlink

/// What a board remembers, across restarts and power cuts, about the configurations that it was sent. It is written as a whole.
package struct KeptConfiguration: Hashable, Sendable {
  /// The state that a configuration has reached.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// No configuration was sent yet.
    case none
    /// The configuration is in use until the board is well or the time is up.
    case trying
    case confirmed
    /// The configuration was never put in use.
    case refused
    /// The configuration was in use, and the board was not as well as before.
    case rolledBack
    /// The bridge or the board went down during the trial.
    case interrupted
  }

  /// The version that was sent last. Neither it nor a lower version is accepted again.
  package var version: Int64 = 0
  package var digest = ""
  package var state = State.none
  package var error = ""
  /// How often the configuration was put in use.
  package var attempts: Int64 = 0
  /// The version to fall back to; 0: the configuration from before one was sent.
  package var confirmedVersion: Int64 = 0
  /// The text of the included file; also empty if there is no such file.
  package var confirmedText = ""

  package init() {}

  /// The state of a board that has kept nothing, where `file` is in use, such as one from an image. If `file` was sent, the kept state
  /// was lost, and no version up to that of `file` is accepted.
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

  /// The state as published to the broker.
  package var published: [UInt8] {
    let isThere = state != .none
    let object: JSONObject = [
      "state": state.rawValue, "version": isThere ? version : nil, "digest": isThere ? digest : nil,
      "confirmed": confirmedVersion, "error": error.isEmpty ? nil : error,
    ]
    return object.payload
  }

  /// What is wrong with the last configuration, as a sentence; nil: nothing.
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
