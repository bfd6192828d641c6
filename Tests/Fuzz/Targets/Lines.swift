import StepperCore
import StepperText
import Varlink

extension FuzzTarget {
  /// A text of anybody's on its way to a log or a terminal; the first byte limits it.
  static let lines = FuzzTarget("lines", upTo: 512, within: .milliseconds(100)) { input in
    var source = ByteSource(input)
    let limit = source.byte()
    let text = source.remainingText()
    let line = text.onOneLine()
    try check(line)
    let short = text.onOneLine(limit: Int(limit))
    try check(short)
    try require(short.utf8.count <= max(Int(limit), 3), "\(short.utf8.count) bytes are more than \(limit)")
    try require(
      short.onOneLine(limit: Int(limit)) == short, "cut again it is another: \(short.debugDescription)")
    try require(line.utf8.count > Int(limit) || short == line, "it is cut although there is room")
    try require(
      text.clipped(toBytes: Int(limit)).utf8.count <= max(Int(limit), 3), "a clipped text is too long")
  }

  private static func check(_ line: String) throws {
    for scalar in line.unicodeScalars {
      let properties = scalar.properties
      let isOrder =
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        // Joiners stay where writing needs them.
        case .format: scalar.value != 0x200c && scalar.value != 0x200d
        default: false
        }
      try require(!isOrder, "U+\(String(scalar.value, radix: 16)) is left in \(line.debugDescription)")
    }
    try require(line.onOneLine() == line, "a second time it is another: \(line.debugDescription)")
  }
}
