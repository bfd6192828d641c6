internal import StepperClient
import StepperText

/// The bar of a control, as text of at most `width` columns.
struct BarText {
  var width: Int
  var style: TerminalStyle

  /// The text of a row: a bar for numbers, the names for choices and toggles.
  func text(of row: Bars.Row) -> String {
    guard width > 0 else { return "" }
    if let names = row.names { return text(of: names, current: row.state.value.flatMap { Int(exactly: $0) }) }
    guard let minimum = row.range?.minimum, let maximum = row.range?.maximum else {
      return openEnded(hasMinimum: row.range?.minimum != nil, hasMaximum: row.range?.maximum != nil)
    }
    return bar(filled: row.state.value.map { Self.fraction(of: $0, from: minimum, to: maximum) } ?? 0)
  }

  /// The position of `value` in the range, from 0 to 1.
  static func fraction(of value: Double, from minimum: Double, to maximum: Double) -> Double {
    // The halves of the ends are subtracted, because the full range may overflow.
    let length = maximum / 2 - minimum / 2
    guard length > 0 else { return 1 }
    let fraction = (value / 2 - minimum / 2) / length
    return fraction.isFinite ? min(max(fraction, 0), 1) : 0
  }

  private func bar(filled fraction: Double) -> String {
    guard style.isUnicode else {
      let count = Int((fraction * Double(width)).rounded())
      return String(repeating: "#", count: count) + String(repeating: "-", count: width - count)
    }
    let eighths = Int((fraction * Double(width * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let text = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    return text + String(repeating: "░", count: width - text.count)
  }

  /// The text for a range without a minimum or a maximum. Arrows point to where the range is unbounded.
  private func openEnded(hasMinimum: Bool, hasMaximum: Bool) -> String {
    guard width > 2 else { return String(repeating: ".", count: width) }
    let middle = String(repeating: style.isUnicode ? "·" : ".", count: width - 2)
    return (hasMinimum ? "|" : "<") + middle + (hasMaximum ? "|" : ">")
  }

  /// The names, with the current one in brackets. If there is not enough room, only those around the current one.
  private func text(of names: [String], current: Int?) -> String {
    // Each name takes at least one character and a space, so no more names than these can fit.
    let present = current.flatMap { names.indices.contains($0) ? $0 : nil }
    let middle = present ?? 0
    let first = max(0, middle - width / 2)
    let shown = first..<min(names.count, middle + width / 2 + 1)
    var parts = shown.map { index in
      let name = style.shown(names[index].onOneLine())
      return index == present ? "[\(name)]" : name
    }
    guard !parts.isEmpty else { return "" }
    var index = middle - first
    while parts.count > 1, parts.joined(separator: " ").displayWidth > width {
      if index > parts.count - 1 - index {
        parts.removeFirst()
        index -= 1
      } else {
        parts.removeLast()
      }
    }
    return style.clipped(parts.joined(separator: " "), to: width)
  }
}
