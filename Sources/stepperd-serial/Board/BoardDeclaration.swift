internal import StepperInterfaces
internal import StepperProgram

/// Everything that a board has declared. Inputs get kernel codes in the order of their declaration; inputs whose names are kernel codes
/// get those codes.
struct BoardDeclaration: Hashable {
  let name: String
  let serial: String?
  /// The code and the kind of each input, by name.
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

  private static let knobCodes = DeviceDefaults.knobCodes.prefix(8)
  private static let buttonCodes = DeviceDefaults.buttonCodes.prefix(50)
  private static let faderCodes = DeviceDefaults.faderCodes.prefix(8)
  private static let mostOutputs = 32

  init(name: String, serial: String?) { (self.name, self.serial) = (name, serial) }

  var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty }

  /// Returns the input of this name.
  @discardableResult func find(_ name: String) throws(BoardLine.Misfit) -> Input {
    guard let input = inputs[name] else { throw .init(name, noneOf: inputs) }
    return input
  }

  /// Adds a declaration of the board. Returns false if `line` is not a declaration.
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
        throw .init(reason: "a motor needs a fader of the same name, declared before it")
      }
      try addOutput(.init(name: name, kind: .position, axis: code))
    case .detents(let name):
      guard case .knob(let code)? = inputs[name] else {
        throw .init(reason: "detents need a knob of the same name, declared before them")
      }
      try addOutput(.init(name: name, kind: .detents, axis: code))
    case .display(let name):
      guard let input = inputs[name] else {
        throw .init(
          reason: "a display needs a knob, a button or a fader of the same name, declared before it")
      }
      // No output of another kind has such a name.
      try addOutput(.init(name: "display of \(name)", kind: .text, axis: input.code))
    }
    return true
  }

  private func code(
    for name: String, _ prefix: String, _ codes: ArraySlice<String>, _ taken: [String]
  ) throws(BoardLine.Misfit) -> String {
    guard inputs[name] == nil else { throw .init(reason: "\(name) is declared twice") }
    let isCode = name.hasPrefix(prefix)
    guard let code = isCode ? name : codes.first(where: { !taken.contains($0) }) else {
      throw .init(reason: "there are more than \(codes.count) inputs of this kind")
    }
    guard !taken.contains(code) else { throw .init(reason: "another input has the code \(code)") }
    guard taken.count < codes.count else {
      throw .init(reason: "there are more than \(codes.count) inputs of this kind")
    }
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

  /// The call that attaches the board. `path` is where the board is plugged in; `positions` are those of the faders, by code.
  func attach(
    path: String, _ positions: [String: Int64]
  ) -> ProviderInterface.Attach.Parameters {
    var faders = faders
    for index in faders.indices { faders[index].value = positions[faders[index].code] }
    return .init(
      identity: .init(provider: "serial", name: name, path: path, serial: serial), keys: keys,
      relative: knobs, absolute: faders, outputs: outputs, leaseMilliseconds: DeviceDefaults.leaseMilliseconds
    )
  }

  /// Whether the board has this output. Anybody who has read the declaration orders no others.
  func has(_ output: String, _ kind: ProviderInterface.OutputKind) -> Bool {
    outputs.contains { $0.name == output && $0.kind == kind }
  }

  /// The board's name for a display, which is the input of this output.
  func name(ofDisplay output: String) -> String? {
    outputs.first { $0.name == output }.flatMap { display in
      inputs.first { $0.value.code == display.axis }?.key
    }
  }

  /// The range of the fader moved by this motor.
  func range(ofMotor name: String) -> ClosedRange<Int64>? {
    guard case .fader(_, let range)? = inputs[name] else { return nil }
    return range
  }
}
