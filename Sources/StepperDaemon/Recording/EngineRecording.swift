/// Where the inputs of the engine are recorded to, and how much of them.
package struct EngineRecording: Hashable, Sendable {
  /// An absolute path. If a file exists there, it is kept, and the new file is called `PATH.1`, and so on.
  package var path: String
  /// The largest size of the file in bytes.
  package var limit: Int64

  private static let usualLimit: Int64 = 1 << 30

  /// `limit` is nil for 1 GiB.
  package init(path: String, limit: Int64? = nil) {
    self.path = path
    self.limit = limit ?? Self.usualLimit
  }

  /// Reads a size such as `100M`: a number of bytes, or with K, M or G of multiples of 1024 bytes. nil: `text` is not a
  /// size from 64K to 1024G.
  package static func bytes(_ text: String) -> Int64? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = text.last.flatMap { shifts[$0] }
    guard text.utf8.count <= 20, text.first?.isNumber ?? false,
      let number = Int64(shift == nil ? text : String(text.dropLast()))
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << Int64(shift ?? 0))
    return !overflow && (1 << 16...1 << 40).contains(bytes) ? bytes : nil
  }
}
