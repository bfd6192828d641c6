import StepperCore
import StepperDaemon

extension FuzzTarget {
  /// The file in which values are kept: anything, or one that was written and then damaged.
  static let state = FuzzTarget("state", upTo: 512, within: .milliseconds(300)) { input in
    var source = ByteSource(input)
    if source.index(below: 4) == 0 { try checkAnyFile(source.remainder()) } else { try checkDamage(&source) }
  }

  /// Whatever is read of a file is written and read again.
  private static func checkAnyFile(_ bytes: [UInt8]) throws {
    let values = SavedValues(ValueFile.decode(bytes).values)
    let again = ValueFile.decode(ValueFile.encode(values))
    try require(again.damage == nil, "what was written is damaged: \(again.damage ?? "")")
    try require(isEqual(again.values, values.all), "\(values.all) is read back as \(again.values)")
  }

  private static func checkDamage(_ source: inout ByteSource) throws {
    let truth = SavedValues((0..<source.index(below: 5)).map { _ in source.entry() })
    let bytes = ValueFile.encode(truth)
    let whole = ValueFile.decode(bytes)
    try require(
      whole.damage == nil && isEqual(whole.values, truth.all), "\(truth.all) is read back as \(whole.values)")
    var lines = bytes.split(separator: newLine, omittingEmptySubsequences: false).map(Array.init)
    // What each of the lines is the whole of.
    var names: [String?] = [nil] + truth.all.map(\.name) + [nil, nil]
    for _ in 0..<source.index(below: 4) { source.damage(&lines, &names) }
    let damaged = Array(lines.joined(separator: [newLine]))
    let contents = ValueFile.decode(damaged)
    try require(
      contents.damage != nil || damaged == bytes, "damage is not noticed: \(text(damaged)) of \(text(bytes))")
    let pairs = Dictionary(truth.all.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for (name, value) in contents.values {
      try require(pairs[name] == value, "\(name) is \(value), which was never written: \(text(damaged))")
    }
    let found = Set(contents.values.map(\.name))
    for case let name? in names {
      try require(found.contains(name), "\(name) is lost with another's line: \(text(damaged))")
    }
  }

  private static let newLine = UInt8(ascii: "\n")

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).debugDescription
  }

  private static func isEqual(
    _ left: [(name: String, value: SavedValue)], _ right: [(name: String, value: SavedValue)]
  ) -> Bool {
    left.elementsEqual(right) { $0.name == $1.name && $0.value == $1.value }
  }
}

extension ByteSource {
  /// As a control may be called; also as the file's own keys are.
  fileprivate mutating func name() -> String {
    let names = [
      "number", "crc32c", "version", "values", "unset", "word", "entries", "a", "b-1", "c.d_e",
    ]
    return element(of: names) ?? "a"
  }

  /// As a control may have: no value has more than eighteen digits.
  fileprivate mutating func number() -> FixedPoint {
    let most = Int64(FixedPoint.mostUnits)
    return FixedPoint(units: min(max(integer(), -most), most), digits: index(below: 10))
  }

  fileprivate mutating func entry() -> (name: String, value: SavedValue) {
    let name = name()
    switch index(below: 3) {
    case 0: return (name, .unset)
    case 1:
      // As the configuration lets names of choices through.
      let word = String((0..<index(below: 12)).map { _ in Character(UnicodeScalar(32 + byte() % 95)) })
      return (name, .word(word))
    default: return (name, .number(number()))
    }
  }

  /// Damages one line in a way that a checksum of 32 bits finds: a few bits, its end, or all of it. `names` loses those
  /// that are not whole any more.
  fileprivate mutating func damage(_ lines: inout [[UInt8]], _ names: inout [String?]) {
    guard !lines.isEmpty else { return }
    let line = index(below: lines.count)
    let place = lines[line].isEmpty ? 0 : Int(byte()) % lines[line].count
    switch index(below: 6) {
    case 0 where !lines[line].isEmpty:
      lines[line][place] ^= 1 << (byte() & 7)
      names[line] = nil
    case 1:
      // The rest of the file is missing.
      lines[line].removeLast(lines[line].count - place)
      lines.removeLast(lines.count - line - 1)
      names.removeLast(names.count - line)
      names.append(nil)
    case 2:
      // A page of zeros, as a file system leaves behind.
      lines[line].replaceSubrange(place..., with: Array(repeating: 0, count: lines[line].count - place))
      names[line] = nil
    case 3:
      lines.remove(at: line)
      names.remove(at: line)
    case 4:
      let other = index(below: lines.count)
      lines.swapAt(line, other)
      names.swapAt(line, other)
    default:
      lines[line].insert(contentsOf: [byte(), byte()], at: place)
      names[line] = nil
    }
  }
}
