/// The settings of a unit of systemd with its drop-ins, systemd.unit(5).
package struct UnitSettings: Hashable, Sendable {
  /// By `Section.Key`; the values of all lines, in their order. An empty line of a key removes the former ones.
  private var values: [String: [String]] = [:]

  package init() {}

  /// Reads a file on top of those before it.
  package mutating func read(_ text: String) {
    var section = ""
    for line in Self.lines(of: text) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      guard let mark = line.firstIndex(of: "=") else { continue }
      let key = "\(section).\(Self.trimmed(line[..<mark]))"
      let value = Self.trimmed(line[line.index(after: mark)...])
      if value.isEmpty { values[key] = nil } else { values[key, default: []].append(value) }
    }
  }

  /// The last value of a key.
  package subscript(key: String) -> String? { values[key]?.last }

  /// The words of all lines of a key.
  package func words(_ key: String) -> [String] {
    (values[key] ?? []).flatMap { $0.split(separator: " ").map(String.init) }
  }

  /// All lines of a key.
  package func lines(_ key: String) -> [String] { values[key] ?? [] }

  /// Whether a boolean setting is on. Some have further words than `yes`, which are neither.
  package func isOn(_ key: String) -> Bool {
    ["yes", "true", "on", "1"].contains(self[key]?.lowercased() ?? "")
  }

  /// Lines without comments, joined where one ends with a backslash.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = []
    var open = ""
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let line = trimmed(line)
      if line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasSuffix("\\") {
        open += line.dropLast() + " "
      } else {
        lines.append(open + line)
        open = ""
      }
    }
    return lines + (open.isEmpty ? [] : [open])
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
