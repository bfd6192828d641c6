internal import StepperLinux
internal import StepperProgram
internal import SystemPackage
internal import Varlink

/// The machine as its firmware names it: from a board's device tree, or else from a PC's DMI.
struct BoardHardware: Hashable {
  /// `Raspberry Pi 4 Model B Rev 1.4`.
  private(set) var model: String?
  /// The serial number. On a PC only root can read it.
  private(set) var serial: String?

  private static let limit = 4_096
  /// Texts that PC makers leave in place of a name.
  private static let placeholders: Set<String> = [
    "default string", "none", "not applicable", "not specified", "o.e.m.", "system manufacturer",
    "system product name", "to be filled by o.e.m.", "unknown",
  ]

  /// Reads the files of the machine below `root`.
  init(root: String = "") {
    let tree = "\(root)/sys/firmware/devicetree/base", table = "\(root)/sys/class/dmi/id"
    model = Self.text("\(tree)/model")
    serial = Self.text("\(tree)/serial-number")
    guard model == nil, let product = Self.text("\(table)/product_name") else { return }
    model = Self.text("\(table)/sys_vendor").map { "\($0) \(product)" } ?? product
  }

  /// nil: the file has no usable text.
  private static func text(_ path: String) -> String? {
    // A machine without a name is normal and is not reported.
    guard let content = try? SmallFile(FilePath(path)).read(limit: limit) else { return nil }
    let text = OutsideText.shown(content.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") })
    let words = text.split(separator: " ").joined(separator: " ")
    return words.isEmpty || placeholders.contains(words.lowercased()) ? nil : words
  }
}
