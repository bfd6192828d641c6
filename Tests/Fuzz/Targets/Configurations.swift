import StepperConfiguration
import StepperCore
import StepperLinux

extension FuzzTarget {
  /// The text of a file; after a NUL, which none may contain, what its controls are then put through.
  static let configuration = FuzzTarget(
    "configuration", upTo: 8_192, within: .milliseconds(3_000)
  ) { input in
    var source = ByteSource(input)
    let bytes = source.untilNUL()
    try check(bytes, source)
  }

  static func check(_ text: [UInt8], _ source: ByteSource) throws {
    let (configuration, problems) = load(text)
    try require(
      (configuration == nil) == problems.contains { $0.severity == .error }, "it is refused without a reason")
    try require(problems.count <= 101, "\(problems.count) problems are told one by one")
    for problem in problems { try check(problem, in: text) }
    guard let configuration else { return }
    try require(load(text).configuration == configuration, "it is read in two ways")
    let engine = EngineConfiguration(
      controls: configuration.controls.map(\.settings), devices: configuration.devices.map(\.settings))
    // Many controls are only more of the same.
    guard (1...8).contains(engine.controls.count) else { return }
    try EngineRun.check([engine, engine], source)
  }

  private static func load(
    _ text: [UInt8]
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    Configuration.load(
      text, file: "f", codes: .kernel)
  }

  /// What gives a terminal orders, or ends a line.
  private static func isOrder(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Joiners stay where writing needs them.
    case .format: scalar.value != 0x200c && scalar.value != 0x200d
    default: false
    }
  }

  /// One line that says what and where, and no more than a reader can take in.
  private static func check(_ problem: ConfigurationProblem, in text: [UInt8]) throws {
    let words = problem.description
    try require(
      !words.unicodeScalars.contains(where: isOrder) && words.utf8.count < 4_096,
      "a problem is no line for people: \(words.debugDescription)")
    let lines = 1 + text.count { $0 == UInt8(ascii: "\n") }
    try require((1...lines).contains(problem.line ?? 1), "a problem in line \(problem.line ?? 0) of \(lines)")
    try require((problem.column ?? 1) >= 1, "a problem in column \(problem.column ?? 0)")
    try require(!problem.message.isEmpty, "a problem without a message")
  }
}
