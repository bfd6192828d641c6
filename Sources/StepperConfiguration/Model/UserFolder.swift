/// A folder of a user's own daemon or of a program beside it, according to the XDG Base Directory Specification.
package enum UserFolder: String {
  case configuration = "XDG_CONFIG_HOME"
  case state = "XDG_STATE_HOME"

  /// The path of the folder; nil if there is no home directory. `environment` returns the value of a variable. A
  /// relative path counts as absent, because it would depend on the working directory.
  package func path(of program: String = "stepperd", _ environment: (_ name: String) -> String?) -> String? {
    func folder(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let below = self == .configuration ? ".config" : ".local/state"
    return (folder(rawValue) ?? folder("HOME").map { "\($0)/\(below)" }).map { "\($0)/\(program)" }
  }
}
