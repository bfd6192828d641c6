internal import Glibc

/// Standard output and standard error, without a buffer that somebody would have to flush.
package enum StandardStream: CInt {
  case output = 1
  case error = 2

  /// Writes `line` and a line break in one piece.
  package func write(line: String) {
    let bytes = Array("\(line)\n".utf8)
    // There is nowhere left to say that this failed.
    _ = unsafe Glibc.write(rawValue, bytes, bytes.count)
  }
}
