/// Where the inputs of the engine are recorded to, and how much of them.
package struct EngineRecording: Hashable, Sendable {
  /// A path that is absolute. A file that exists is kept: the new one is then called `PATH.1`, and so on.
  package var path: String
  /// The largest size of the file in bytes.
  package var limit: Int64

  private static let usualLimit: Int64 = 1 << 30

  /// nil as `limit`: 1 GiB.
  package init(path: String, limit: Int64? = nil) {
    self.path = path
    self.limit = limit ?? Self.usualLimit
  }

  /// Reads a size as `100M`: bytes, or with K, M or G multiples of 1024 bytes; nil: it is none from 64K to 1024G.
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
