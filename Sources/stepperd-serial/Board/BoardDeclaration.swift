internal import StepperInterfaces

/// What a board has said that it has. Inputs get codes of the kernel in the order in which they are declared, those whose names
/// are such codes get these.
struct BoardDeclaration: Hashable {
  let name: String
  let serial: String?
  /// The codes by the names, and what they are.
  private(set) var inputs: [String: Input] = [:]
  private var knobs: [ProviderInterface.RelativeAxis] = []
  private var keys: [String] = []
  private var faders: [ProviderInterface.AbsoluteAxis] = []
  private(set) var outputs: [ProviderInterface.Output] = []

  enum Input: Hashable {
    case knob(code: String)
    case button(code: String)
    case fader(code: String, range: ClosedRange<Int64>)

    var code: String {
      switch self {
      case .knob(let code), .button(let code), .fader(let code, _): code
      }
    }
  }

  private static let knobCodes = ["DIAL", "MISC", "X", "Y", "Z", "RX", "RY", "RZ"].map { "REL_\($0)" }
  private static let buttonCodes = (0...9).map { "BTN_\($0)" } + (1...40).map { "BTN_TRIGGER_HAPPY\($0)" }
  private static let faderCodes = ["X", "Y", "Z", "RX", "RY", "RZ", "THROTTLE", "RUDDER"].map { "ABS_\($0)" }
  private static let mostOutputs = 32

  init(name: String, serial: String?) { (self.name, self.serial) = (name, serial) }

  var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty }

  /// The input of this name.
  @discardableResult func find(_ name: String) throws(BoardLine.Misfit) -> Input {
    guard let input = inputs[name] else { throw .init(name, noneOf: inputs) }
    return input
  }

  /// Adds what the board has; false: `line` is no declaration.
  mutating func add(_ line: BoardLine) throws(BoardLine.Misfit) -> Bool {
    switch line {
    case .hello, .event: return false
    case .knob(let name, let counts):
      let code = try code(for: name, "REL_", Self.knobCodes, knobs.map(\.code))
      inputs[name] = .knob(code: code)
      knobs.append(.init(code: code, countsPerDetent: counts))
    case .button(let name):
      let code = try code(for: name, name.hasPrefix("KEY_") ? "KEY_" : "BTN_", Self.buttonCodes, keys)
      inputs[name] = .button(code: code)
      keys.append(code)
    case .fader(let name, let minimum, let maximum):
      let code = try code(for: name, "ABS_", Self.faderCodes, faders.map(\.code))
      inputs[name] = .fader(code: code, range: minimum...maximum)
      faders.append(.init(code: code, minimum: minimum, maximum: maximum))
    case .light(let name): try addOutput(.init(name: name, kind: .light))
    case .effects(let name): try addOutput(.init(name: name, kind: .effect))
    case .motor(let name):
      guard case .fader(let code, _)? = inputs[name] else {
        throw .init(reason: "a motor has the name of a fader that is declared before it")
      }
      try addOutput(.init(name: name, kind: .position, axis: code))
    case .detents(let name):
      guard case .knob(let code)? = inputs[name] else {
        throw .init(reason: "detents have the name of a knob that is declared before them")
      }
      try addOutput(.init(name: name, kind: .detents, axis: code))
    case .display(let name):
      guard let input = inputs[name] else {
        throw .init(
          reason: "a display has the name of a knob, a button or a fader that is declared before it")
      }
      // No output of another kind is called so.
      try addOutput(.init(name: "display of \(name)", kind: .text, axis: input.code))
    }
    return true
  }

  private func code(
    for name: String, _ prefix: String, _ codes: [String], _ taken: [String]
  ) throws(BoardLine.Misfit) -> String {
    guard inputs[name] == nil else { throw .init(reason: "\(name) is declared twice") }
    let isCode = name.hasPrefix(prefix)
    guard let code = isCode ? name : codes.first(where: { !taken.contains($0) }) else {
      throw .init(reason: "there are more than \(codes.count) of them")
    }
    guard !taken.contains(code) else { throw .init(reason: "another one has the code \(code)") }
    guard taken.count < codes.count else { throw .init(reason: "there are more than \(codes.count) of them") }
    return code
  }

  private mutating func addOutput(_ output: ProviderInterface.Output) throws(BoardLine.Misfit) {
    guard !outputs.contains(where: { $0.name == output.name }) else {
      throw .init(reason: "the output \(output.name) is declared twice")
    }
    if output.kind == .effect, outputs.contains(where: { $0.kind == .effect }) {
      throw .init(reason: "another output plays effects, and a board has one")
    }
    guard outputs.count < Self.mostOutputs else {
      throw .init(reason: "there are more than \(Self.mostOutputs) outputs")
    }
    outputs.append(output)
  }

  /// For the daemon. `path` is where the board is plugged in.
  func attach(path: String, leaseMilliseconds: Int64) -> ProviderInterface.Attach.Parameters {
    .init(
      identity: .init(provider: "serial", name: name, path: path, serial: serial), keys: keys,
      relative: knobs,
      absolute: faders, outputs: outputs, leaseMilliseconds: leaseMilliseconds)
  }

  /// Whether it has this output. Others are ordered by nobody who has read the declaration.
  func has(_ output: String, _ kind: ProviderInterface.OutputKind) -> Bool {
    outputs.contains { $0.name == output && $0.kind == kind }
  }

  /// What a display is called by its board: the input of this output.
  func name(ofDisplay output: String) -> String? {
    outputs.first { $0.name == output }.flatMap { display in
      inputs.first { $0.value.code == display.axis }?.key
    }
  }

  /// The range of the fader that a motor moves.
  func range(ofMotor name: String) -> ClosedRange<Int64>? {
    guard case .fader(_, let range)? = inputs[name] else { return nil }
    return range
  }
}
