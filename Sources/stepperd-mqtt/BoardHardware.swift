internal import StepperLinux
internal import StepperProgram
internal import SystemPackage
internal import Varlink

/// The machine, as its firmware names it: the device tree of a board, else the DMI of a PC.
struct BoardHardware: Hashable {
  /// `Raspberry Pi 4 Model B Rev 1.4`.
  private(set) var model: String?
  /// That of a PC is for root alone.
  private(set) var serial: String?

  private static let limit = 4_096
  /// What makers of PCs leave in place of a name.
  private static let placeholders: Set<String> = [
    "default string", "none", "not applicable", "not specified", "o.e.m.", "system manufacturer",
    "system product name", "to be filled by o.e.m.", "unknown",
  ]

  /// Of the machine whose files are below `root`.
  init(root: String = "") {
    let tree = "\(root)/sys/firmware/devicetree/base", table = "\(root)/sys/class/dmi/id"
    model = Self.text("\(tree)/model")
    serial = Self.text("\(tree)/serial-number")
    guard model == nil, let product = Self.text("\(table)/product_name") else { return }
    model = Self.text("\(table)/sys_vendor").map { "\($0) \(product)" } ?? product
  }

  /// nil: there is none.
  private static func text(_ path: String) -> String? {
    // A machine without a name is none that must be told of.
    guard let content = try? SmallFile(FilePath(path)).read(limit: limit) else { return nil }
    let text = OutsideText.shown(content.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") })
    let words = text.split(separator: " ").joined(separator: " ")
    return words.isEmpty || placeholders.contains(words.lowercased()) ? nil : words
  }
}
