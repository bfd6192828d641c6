internal import Varlink

/// The lines that differ between two texts, with the two lines around them.
struct LineDifference {
  /// Lines that begin with "+", "-" or a blank; "…" replaces omitted lines.
  let lines: [String]

  private static let context = 2

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var all: [(mark: String, text: String)] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if removed.contains(i) {
        all.append(("-", old[i]))
        i += 1
      } else if inserted.contains(j) {
        all.append(("+", new[j]))
        j += 1
      } else if i < old.count, j < new.count {
        all.append((" ", new[j]))
        (i, j) = (i + 1, j + 1)
      } else {
        break
      }
    }
    lines = Self.shown(all)
  }

  private static func lines(of text: String) -> [String] {
    var parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { OutsideText.shown($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts
  }

  private static func shown(_ all: [(mark: String, text: String)]) -> [String] {
    var near: Set<Int> = []
    for (index, line) in all.enumerated() where line.mark != " " {
      near.formUnion(max(0, index - context)...min(all.count - 1, index + context))
    }
    var shown: [String] = []
    var isGap = false
    for (index, line) in all.enumerated() {
      if near.contains(index) {
        if isGap { shown.append("…") }
        shown.append(line.mark + " " + line.text)
      }
      isGap = !near.contains(index)
    }
    return shown
  }
}
