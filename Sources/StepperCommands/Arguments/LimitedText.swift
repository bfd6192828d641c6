internal import ArgumentParser
internal import StepperClient
internal import Varlink

/// Words of the command line for parameters of calls. A word that is too long for its parameter is refused here, because
/// the daemon's reply does not say which of several words it is about, and how long it may be.
enum LimitedText {
  /// A name, or a pattern for names.
  @Sendable static func name(_ text: String) throws -> String {
    try text.checked(atMost: ParameterLimit.nameBytes)
  }

  /// The tag of a language.
  @Sendable static func language(_ text: String) throws -> String {
    try text.checked(atMost: ParameterLimit.languageBytes)
  }

  /// `DEVICE:INPUT`.
  @Sendable static func input(_ text: String) throws -> InputName {
    guard let input = InputName(text) else {
      throw ValidationError("expected a device and an input, as in panel:plus")
    }
    _ = try (name(input.device), name(input.input))
    return input
  }

  /// Throws if there are more names and patterns than one call may have.
  static func checkCount(_ names: [String]) throws(CommandFailure) {
    let most = ParameterLimit.mostPatterns
    guard names.count <= most else {
      throw CommandFailure("there are \(names.count) names, and at most \(most) are possible", code: .usage)
    }
  }
}

extension String {
  fileprivate func checked(atMost bytes: Int) throws(ValidationError) -> String {
    if let problem = problem(atMost: bytes) { throw ValidationError(problem) }
    return self
  }

  /// The reason why this text cannot be a parameter of at most `bytes` bytes; nil if it can.
  func problem(atMost bytes: Int) -> String? {
    utf8.count <= bytes ? nil : "it has \(utf8.count) bytes, and at most \(bytes) are possible"
  }
}
