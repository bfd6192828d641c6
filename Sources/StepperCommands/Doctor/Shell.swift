/// Writes commands for a shell.
struct Shell: Hashable, Sendable {
  /// Whether the caller is root and needs no `sudo`.
  var isRoot: Bool

  /// A command that needs the rights of root.
  func asRoot(_ command: String) -> Remedy { .command(rootPrefix + command) }

  /// Replaces `file` by `lines`.
  func write(_ lines: [String], to file: String) -> Remedy {
    .command(print(lines, "tee \(Self.quoted(file))"))
  }

  /// Writes `lines` behind those of `file`.
  func append(_ lines: [String], to file: String) -> Remedy {
    .command(print(lines, "tee -a \(Self.quoted(file))"))
  }

  private func print(_ lines: [String], _ receiver: String) -> String {
    // `%s` keeps backslashes and percent signs of the lines as they are.
    "printf '%s\\n' \(lines.map(Self.quoted).joined(separator: " ")) | \(rootPrefix)\(receiver) >/dev/null"
  }

  private var rootPrefix: String { isRoot ? "" : "sudo " }

  /// `text` as one word.
  static func quoted(_ text: String) -> String {
    let plain = "/._-+=:@,%"
    if !text.isEmpty, text.utf8.allSatisfy({ isWordByte($0) || plain.utf8.contains($0) }) { return text }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: #"'\''"#))'"
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    "a"..."z" ~= byte || "A"..."Z" ~= byte || "0"..."9" ~= byte
  }
}

/// `left ~= byte` for a range of ASCII letters.
private func ~= (range: ClosedRange<Unicode.Scalar>, byte: UInt8) -> Bool { range ~= Unicode.Scalar(byte) }
