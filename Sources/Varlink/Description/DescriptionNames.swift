/// The names that are valid in a description, of ASCII letters and digits.
enum DescriptionNames {
  /// `org.example.printer`: at least two parts; the first begins with a letter, and hyphens are allowed only inside
  /// parts.
  static func isInterface(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && isLetter(name.utf8.first)
      && parts.allSatisfy { part in
        isAlphanumeric(part.first) && isAlphanumeric(part.last)
          && part.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  /// `Get`: a capital letter, then letters and digits.
  static func isMember(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), first & 0x20 == 0 else { return false }
    return name.utf8.allSatisfy(isAlphanumeric)
  }

  /// `all_ok`: a letter, then letters and digits, with single underscores inside.
  static func isField(_ name: String) -> Bool {
    isLetter(name.utf8.first)
      && name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAlphanumeric) }
  }

  private static func isLetter(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isAlphanumeric(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
