/// A file of Swift source.
struct GeneratedFile {
  /// Where it goes in the output folder.
  let path: String
  let text: String

  /// `lines` under a line that says what the file comes from.
  init(_ path: String, of interface: String, importsVarlink: Bool, _ lines: [String]) {
    self.path = path
    let head = ["// Made by varlink-generate from \(interface).varlink; do not edit.", ""]
    text = (head + (importsVarlink ? ["public import Varlink", ""] : []) + lines + [""]).joined(
      separator: "\n")
  }
}
