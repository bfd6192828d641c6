internal import StepperCore
internal import Varlink

/// A line from a board.
enum BoardLine: Hashable {
  /// The board has started: its name and its serial number.
  case hello(name: String, serial: String?)
  /// What the board has.
  case knob(String, countsPerDetent: Int64?)
  case button(String)
  case fader(String, minimum: Int64, maximum: Int64)
  case light(String)
  case motor(String)
  case detents(String)
  case display(String)
  case effects(String)
  /// An event, such as `down`, `up`, `+3` or `512`.
  case event(String, word: String)

  /// The most bytes of a line, and of a name.
  static let limit = 128
  static let nameLimit = 32

  /// Why a line is not valid, for people.
  struct Misfit: Error, Hashable {
    private let what: String
    private let known: [String: BoardDeclaration.Input]?

    init(reason: String) { (what, known) = (reason, nil) }

    /// The name is none of the known ones.
    init(_ name: String, noneOf known: [String: BoardDeclaration.Input]) {
      (what, self.known) = (name, known)
    }

    /// Whether the line names an undeclared input.
    var isOfUnknownInput: Bool { known != nil }

    var reason: String {
      guard let known else { return what }
      let names = known.isEmpty ? "none" : known.keys.sorted().joined(separator: ", ")
      return "there is no input \(what); declared are: \(names)"
    }
  }

  /// nil: the line is empty or a comment.
  static func read(_ bytes: [UInt8]) throws(Misfit) -> BoardLine? {
    guard bytes.count <= limit else { throw Misfit(reason: "it is longer than \(limit) bytes") }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) || $0 == 0x09 }) else {
      throw Misfit(reason: "it is not ASCII; baud may be wrong")
    }
    // The bytes are ASCII, as checked above.
    let words = bytes.split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    let rest = Array(words.dropFirst())
    guard let keyword = Keyword(rawValue: first) else {
      guard rest.count == 1 else { throw Misfit(reason: "an event is a name and one word") }
      return .event(try name(first), word: rest[0])
    }
    guard keyword.counts.contains(rest.count) else {
      throw Misfit(reason: "the line is \"\(keyword.form)\"")
    }
    // The name of a board may be a word of the protocol, such as `knob`; the name of an input or an output may not.
    let name = try keyword == .hello ? text(rest[0]) : name(rest[0])
    switch keyword {
    case .hello: return .hello(name: name, serial: rest.count > 1 ? try text(rest[1]) : nil)
    case .knob:
      return .knob(
        name, countsPerDetent: rest.count > 1 ? try number(rest[1], DeviceSettings.countsOfDetent) : nil)
    case .button: return .button(name)
    case .light: return .light(name)
    case .motor: return .motor(name)
    case .detents: return .detents(name)
    case .display: return .display(name)
    case .effects: return .effects(name)
    case .fader:
      let all = -1_000_000...Int64(1_000_000)
      let (minimum, maximum) = (try number(rest[1], all), try number(rest[2], all))
      guard minimum < maximum else { throw Misfit(reason: "the minimum is not below the maximum") }
      return .fader(name, minimum: minimum, maximum: maximum)
    }
  }

  private enum Keyword: String {
    case hello, knob, button, fader, light, motor, detents, display, effects

    /// The permitted number of words that follow.
    var counts: ClosedRange<Int> {
      switch self {
      case .hello, .knob: 1...2
      case .button, .light, .motor, .detents, .display, .effects: 1...1
      case .fader: 3...3
      }
    }

    var form: String {
      switch self {
      case .hello: "hello NAME [SERIAL]"
      case .knob: "knob NAME [COUNTS-PER-DETENT]"
      case .button, .light, .motor, .detents, .display, .effects: "\(rawValue) NAME"
      case .fader: "fader NAME MINIMUM MAXIMUM"
      }
    }
  }

  /// The name of an input or an output. It stands where a word of the protocol could stand.
  private static func name(_ word: String) throws(Misfit) -> String {
    guard Keyword(rawValue: word) == nil else {
      throw Misfit(reason: "\(word) is a word of the protocol, and no name")
    }
    return try text(word)
  }

  private static func text(_ word: String) throws(Misfit) -> String {
    let isName = word.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: ".") }
    guard isName, word.utf8.count <= nameLimit else {
      throw Misfit(reason: "a name has letters, digits, ., _ and -, up to \(nameLimit)")
    }
    return word
  }

  static func number(_ word: String, _ range: ClosedRange<Int64>) throws(Misfit) -> Int64 {
    guard let number = Int64(word), range.contains(number) else {
      throw Misfit(reason: "\(word) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
