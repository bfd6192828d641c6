internal import StepperClient

/// The controls of `watch --bars` and the commands of its keys, as a value independent of the terminal and the daemon.
struct Bars {
  struct Row {
    var state: ControlInterface.State
    var description: ControlInterface.Description?
    /// The device that moved the control last, if known.
    var device: String?

    var isWritable: Bool { description?.writable ?? true }
  }

  enum Request: Hashable {
    case end
    /// The whole screen is drawn again.
    case redraw
    case call(ControlCall)
  }

  /// In the order in which they were first seen.
  private(set) var rows: [Row] = []
  private var descriptions: [String: ControlInterface.Description] = [:]
  /// The index of the marked row; 0 without rows.
  private(set) var marked = 0
  /// The value that is being typed.
  private(set) var entry: String?
  /// The message about the last key, such as an error of its call; empty if there is none.
  private(set) var message = ""
  private(set) var showsHelp = false
  private(set) var isConnected = true

  let values: ValueText

  init(values: ValueText = .plain) { self.values = values }

  var markedRow: Row? { rows.indices.contains(marked) ? rows[marked] : nil }

  // MARK: Replies of the daemon

  mutating func update(_ state: ControlInterface.State) {
    if let index = index(of: state.control) {
      rows[index].state = state
    } else {
      rows.append(Row(state: state, description: descriptions[state.control]))
    }
  }

  /// Updates the descriptions of all controls. Controls without a description are removed.
  mutating func describe(_ descriptions: [String: ControlInterface.Description]) {
    self.descriptions = descriptions
    let name = markedRow?.state.control
    rows.removeAll { descriptions[$0.state.control] == nil }
    for index in rows.indices { rows[index].description = descriptions[rows[index].state.control] }
    let same = name.flatMap(index(of:))
    // The typed value does not apply to the control that is marked next.
    if same == nil { entry = nil }
    marked = same ?? min(marked, max(0, rows.count - 1))
  }

  /// `device` has moved `control`.
  mutating func note(_ device: String, movingControl control: String) {
    if let index = index(of: control) { rows[index].device = device }
  }

  /// The connection was lost or restored.
  mutating func connectionChanged(isConnected: Bool) {
    self.isConnected = isConnected
    message = ""
  }

  mutating func show(message: String) { self.message = message }

  private func index(of control: String) -> Int? { rows.firstIndex { $0.state.control == control } }

  // MARK: Keys

  /// Performs the command of `key`, or returns a request for the caller to perform.
  mutating func press(_ key: TerminalKey) -> Request? {
    message = ""
    if key == .control("l") { return .redraw }
    if entry != nil { return type(key) }
    if showsHelp {
      showsHelp = false
      return key == .character("q") ? .end : nil
    }
    switch key {
    case .character("q"): return .end
    case .character("?"): showsHelp = true
    case .up, .character("k"): mark(marked - 1)
    case .down, .character("j"): mark(marked + 1)
    case .enter, .character("="): begin(with: "")
    case .character(let character) where character != "r" && Self.beginsValue(character):
      begin(with: String(character))
    default: return change(for: key)
    }
    return nil
  }

  private mutating func mark(_ index: Int) { marked = min(max(index, 0), max(0, rows.count - 1)) }

  /// The request of a key that changes the marked control.
  private mutating func change(for key: TerminalKey) -> Request? {
    switch key {
    case .left, .character("-"): call(.step(-1, .step))
    case .right, .character("+"): call(.step(1, .step))
    case .pageUp: call(.step(1, .page))
    case .pageDown: call(.step(-1, .page))
    case .home: callForEnd(isMaximum: false)
    case .end: callForEnd(isMaximum: true)
    case .character(" "): toggle()
    case .character("r"): call(.reset)
    default: nil
    }
  }

  private mutating func call(_ change: ControlCall.Change) -> Request? {
    guard let row = markedRow else { return nil }
    guard row.isWritable else {
      message = "\(row.state.control) is read-only"
      return nil
    }
    return .call(ControlCall(control: row.state.control, change: change))
  }

  private mutating func toggle() -> Request? {
    guard let row = markedRow else { return nil }
    guard [.toggle, .button].contains(row.description?.kind) else {
      message = "\(row.state.control) is not a toggle"
      return nil
    }
    return call(.step(1, .step))
  }

  private mutating func callForEnd(isMaximum: Bool) -> Request? {
    guard let row = markedRow else { return nil }
    guard let value = isMaximum ? row.range?.maximum : row.range?.minimum else {
      message = "\(row.state.control) has no \(isMaximum ? "maximum" : "minimum")"
      return nil
    }
    return call(.setValue(value))
  }

  // MARK: Typing a value

  private static func beginsValue(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "." || character == ","
  }

  private mutating func begin(with text: String) {
    // The request is discarded: it only shows whether the control can be changed.
    if call(.setText(text)) != nil { entry = text }
  }

  private mutating func type(_ key: TerminalKey) -> Request? {
    guard var text = entry else { return nil }
    entry = nil
    switch key {
    case .escape: return nil
    case .enter: return finish(text)
    case .backspace, .delete: _ = text.popLast()
    case .control("u"): text = ""
    case .character(let character) where text.utf8.count < ParameterLimit.valueBytes: text.append(character)
    default: break
    }
    entry = text
    return nil
  }

  private mutating func finish(_ text: String) -> Request? {
    do throws(CommandFailure) {
      return call(.setText(try values.parse(text, markedRow?.description)))
    } catch {
      message = error.lines.joined(separator: " ")
      return nil
    }
  }
}

extension Bars.Row {
  /// The range of the value, for choices and toggles that of their numbers; nil if it is unknown.
  var range: (minimum: Double?, maximum: Double?)? {
    guard let description else { return nil }
    switch description.kind {
    case .choice: return description.choices.map { (0, Double(max(0, $0.count - 1))) }
    case .toggle, .button: return (0, 1)
    case .continuous: return (description.minimum, description.maximum)
    }
  }

  /// The names of the values of a choice, a toggle or a button; otherwise nil.
  var names: [String]? {
    switch description?.kind {
    case .choice: description?.choices
    case .toggle, .button: ["off", "on"]
    default: nil
    }
  }
}
