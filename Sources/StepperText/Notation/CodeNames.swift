package import StepperCore

/// The names of keys and axes, such as `REL_DIAL`. A code without a name is written with its type and number,
/// `EV_ABS:0x3f`, as on the wire.
///
/// The caller supplies the kernel's names, because only libevdev has the list of them.
package struct CodeNames: Sendable {
  private let nameOf: @Sendable (EvdevUsage) -> String?
  private let usageOf: @Sendable (String) -> EvdevUsage?
  private let listed: @Sendable () -> [String]

  /// `name` and `usage` look up the kernel's names and return nil if there is none. `all` lists the names to suggest
  /// for a misspelt one, and is called only then.
  package init(
    name: @escaping @Sendable (EvdevUsage) -> String?, usage: @escaping @Sendable (String) -> EvdevUsage?,
    all: @escaping @Sendable () -> [String] = { [] }
  ) {
    (nameOf, usageOf, listed) = (name, usage, all)
  }

  /// Names without those of the kernel.
  package static let none = CodeNames(name: { _ in nil }, usage: { _ in nil })

  /// The kernel's names that are suggested for misspelt ones.
  package var all: [String] { listed() }

  /// A name that is read back as `usage`.
  package func name(of usage: EvdevUsage) -> String {
    if let name = nameOf(usage), usageOf(name) == usage { return name }
    let type = Self.types.first { $0.type == usage.type }?.name ?? "EV_\(Self.hexadecimal(usage.type))"
    return "\(type):\(Self.hexadecimal(usage.code))"
  }

  /// The usage with the kernel's name `name`; nil if there is none.
  package func resolve(_ name: String) -> EvdevUsage? { usageOf(name) }

  /// The usage that `name` stands for: a name of the kernel, an input of a virtual device, or a type and number.
  package func usage(_ name: some StringProtocol) throws(NotationError) -> EvdevUsage {
    let name = String(name)
    if let usage = resolve(name) ?? VirtualInput(rawValue: name)?.usage ?? Self.numbered(name) {
      return usage
    }
    throw NotationError(
      "there is no key or axis \(NotationError.quoted(name)); "
        + "use the kernel's names such as REL_DIAL, or a type and a number such as EV_ABS:0x3f")
  }

  private static func numbered(_ name: String) -> EvdevUsage? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("EV_"), let code = number(parts[1]) else { return nil }
    let type = types.first { $0.name == parts[0] }?.type ?? number(parts[0].dropFirst("EV_".count))
    return type.map { EvdevUsage(type: $0, code: code) }
  }

  private static func number(_ text: Substring) -> UInt16? {
    guard text.hasPrefix("0x"), !text.hasPrefix("0x+") else { return nil }
    return UInt16(text.dropFirst(2), radix: 16)
  }

  private static func hexadecimal(_ number: UInt16) -> String { "0x" + String(number, radix: 16) }

  private static let types: [(name: String, type: UInt16)] = [
    ("EV_SYN", 0x00), ("EV_KEY", 0x01), ("EV_REL", 0x02), ("EV_ABS", 0x03), ("EV_MSC", 0x04), ("EV_SW", 0x05),
  ]
}
