/// Why a recording cannot be read, and where.
package struct RecordingProblem: Error, Hashable, CustomStringConvertible {
  package let file: String
  /// The line, from 1; nil if the problem concerns the whole file.
  package let line: Int?
  package let message: String

  package init(file: String, line: Int? = nil, _ message: String) {
    (self.file, self.line, self.message) = (file, line, message)
  }

  /// `FILE:LINE: error: MESSAGE`, as compilers write it.
  package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): error: \(message)" }
}
