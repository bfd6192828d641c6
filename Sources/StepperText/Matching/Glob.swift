internal import Glibc

/// Whether `text` matches a pattern of names. `*` matches any string and `?` matches one character, or one byte of it
/// with some C libraries. Every other character matches itself.
package func glob(_ pattern: String, matches text: String) -> Bool {
  guard pattern.unicodeScalars.contains(where: isBracketOrBackslash) else {
    return shellGlob(pattern, matches: text)
  }
  var escaped = String.UnicodeScalarView()
  for scalar in pattern.unicodeScalars {
    if isBracketOrBackslash(scalar) { escaped.append("\\") }
    escaped.append(scalar)
  }
  return shellGlob(String(escaped), matches: text)
}

/// Whether `text` matches a shell pattern, such as the keys of udev's hardware database. Beside `*` and `?`, the
/// pattern may have `[a-z]`, `[!a]`, and `\` before a character that then matches itself.
///
/// Uses C's `fnmatch`, whose time is at most proportional to the product of both lengths. A pattern or text with a NUL
/// or more than 4096 bytes does not match.
package func shellGlob(_ pattern: String, matches text: String) -> Bool {
  let longest = 4_096
  guard pattern.utf8.count <= longest, text.utf8.count <= longest, !pattern.utf8.contains(0),
    !text.utf8.contains(0)
  else { return false }
  let isASCII = pattern.utf8.allSatisfy { $0 < 0x80 } && text.utf8.allSatisfy { $0 < 0x80 }
  guard !isASCII, let locale = unsafe charactersOfUTF8 else {
    return unsafe fnmatch(pattern, text, 0) == 0
  }
  let former = unsafe uselocale(locale)
  defer { unsafe uselocale(former) }
  return unsafe fnmatch(pattern, text, 0) == 0
}

private func isBracketOrBackslash(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "[" || scalar == "]" || scalar == "\\"
}

/// A locale with multibyte characters; nil if the C library has none, and a character is a byte.
nonisolated(unsafe) private let charactersOfUTF8 = unsafe newlocale(CInt(LC_CTYPE_MASK), "C.UTF-8", nil)
