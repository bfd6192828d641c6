internal import Glibc

/// Whether `text` matches a pattern of names, in which `*` matches any string and `?` one character, or with
/// some C libraries one byte of it. Every other character matches itself.
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

/// Whether `text` matches a pattern of the shell, as the keys of udev's hardware database are: also with `[a-z]`, `[!a]`,
/// and `\` before a character that matches itself.
///
/// The corresponding C function is `fnmatch`; its time is at most proportional to the product of both lengths. What has a
/// NUL or more than 4096 bytes matches nothing.
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

/// A locale whose characters may have several bytes; nil: the C library has none, and a character is a byte.
nonisolated(unsafe) private let charactersOfUTF8 = unsafe newlocale(CInt(LC_CTYPE_MASK), "C.UTF-8", nil)
