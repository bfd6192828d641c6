internal import ArgumentParser
internal import StepperClient

/// Sets several controls: all of them, or none.
struct Assignments {
  private let client: StepperClient
  private let values: ValueText
  private let clamps: Bool
  private let descriptions: [String: ControlInterface.Description]

  private enum Request {
    case set(String, to: String)
    /// Sets the other one of two values.
    case flip(ControlInterface.Description)

    var name: String {
      switch self {
      case .set(let name, _): name
      case .flip(let description): description.control
      }
    }
  }

  init(_ client: StepperClient, values: ValueText = .plain, clamps: Bool = false) throws {
    (self.client, self.values, self.clamps) = (client, values, clamps)
    descriptions = ControlText.descriptions(of: try client.list())
  }

  /// Checks all assignments and then performs them in order. Calls `write` with each new state and its description. If
  /// any assignment is invalid, none is performed, and one failure with all messages is thrown.
  func perform(
    _ assignments: [(name: String, text: String)],
    _ write: (ControlInterface.State, ControlInterface.Description?) throws -> Void
  ) throws {
    var requests: [Request] = []
    var failures: [CommandFailure] = []
    for (name, text) in assignments {
      do {
        let request = try request(name, text)
        if assignments.count > 1 { try check(request) }
        requests.append(request)
      } catch {
        failures.append(failure(error))
      }
    }
    if let first = failures.first {
      let note = assignments.count > 1 ? ["nothing was changed"] : []
      throw CommandFailure(lines: failures.flatMap(\.lines) + note, code: first.code)
    }
    for (index, request) in requests.enumerated() {
      do {
        try write(perform(request), descriptions[request.name])
      } catch {
        throw failure(error, after: requests[..<index], before: requests[(index + 1)...])
      }
    }
  }

  private func failure(_ error: any Error) -> CommandFailure {
    if let failure = error as? CommandFailure { return failure }
    if let error = error as? StepperClientError { return CommandFailure(error, client: client) }
    return CommandFailure("\(error)")
  }

  /// The failure of an assignment that passed the check, after others were performed.
  private func failure(
    _ error: any Error, after done: ArraySlice<Request>, before left: ArraySlice<Request>
  ) -> CommandFailure {
    func names(_ requests: ArraySlice<Request>) -> String { requests.map(\.name).joined(separator: ", ") }
    var failure = failure(error)
    if !done.isEmpty { failure.lines.append("changed before: \(names(done))") }
    if !left.isEmpty { failure.lines.append("not changed: \(names(left))") }
    return failure
  }

  // MARK: Reading

  private func request(_ name: String, _ text: String) throws -> Request {
    // The daemon replies with an error.
    guard let description = descriptions[name] else {
      _ = try client.get(name)
      return .set(name, to: text)
    }
    switch description.kind {
    case .toggle: return try word(text, of: ["off", "on"], description)
    case .choice:
      return try description.choices.map { try word(text, of: $0, description) } ?? .set(name, to: text)
    case .button: return .set(name, to: text)
    case .continuous:
      guard Self.folded(text) != Self.toggle else {
        throw CommandFailure(
          "\(name) has more than two values: only a toggle or a choice of two can be toggled")
      }
      return .set(name, to: try values.parse(text, description))
    }
  }

  private static let toggle = "toggle"

  /// The request for a word: an exact name, a name in another case, a title that is shown, the number of a name, or
  /// `toggle` for the other one of two values.
  private func word(_ text: String, of names: [String], _ description: ControlInterface.Description) throws
    -> Request
  {
    let name = description.control
    if names.contains(text) { return .set(name, to: text) }
    let similar = names.filter { Self.folded($0) == Self.folded(text) }
    if similar.count > 1 {
      let choices = similar.map { "'\($0)'" }.joined(separator: " or ")
      throw CommandFailure("\(name) has several values like '\(text)': write \(choices)")
    }
    if let named = similar.first { return .set(name, to: named) }
    let shown = names.filter { Self.folded(values.choice($0, of: description) ?? "") == Self.folded(text) }
    if shown.count == 1 { return .set(name, to: shown[0]) }
    if let index = Int(text), names.indices.contains(index) { return .set(name, to: names[index]) }
    guard Self.folded(text) == Self.toggle else { return .set(name, to: text) }
    guard names.count == 2 else {
      throw CommandFailure(
        "\(name) has \(names.count) values: only a toggle or a choice of two can be toggled")
    }
    return .flip(description)
  }

  private static func folded(_ text: String) -> String { text.lowercased() }

  // MARK: Performing

  private func check(_ request: Request) throws {
    let text =
      switch request {
      case .set(_, let text): text
      case .flip(let description): description.choices?.first ?? "on"
      }
    do throws(StepperClientError) {
      try client.check(request.name, text, clamp: clamps)
    } catch {
      // An older daemon cannot check without setting.
      guard error.code == .invalidParameter else { throw error }
    }
  }

  private func perform(_ request: Request) throws -> ControlInterface.State {
    switch request {
    case .set(let name, let text): return try client.set(name, to: text, clamp: clamps)
    case .flip(let description):
      let state = try client.get(description.control)
      // A step of a toggle flips it, even if it has changed in between.
      if description.kind == .toggle, state.value != nil {
        return try client.step(description.control, by: 1).state
      }
      let names = description.choices ?? ["off", "on"]
      let other = state.text == names.last ? names.first : names.last
      return try client.set(description.control, to: other ?? "on", ifSequence: state.sequence)
    }
  }
}
