/// The description of a Varlink interface, as its service gives it to clients.
public struct InterfaceDescription: Hashable, Sendable {
  /// `org.stepperd.control`.
  public let name: String
  /// The description in Varlink's interface description language, exactly as its author wrote it.
  public let text: String
  /// The fully qualified names of the methods, in the order of `text`.
  public let methods: [String]
  /// The parameter limits of the interface's methods. Methods without an entry are limited only by the length of a
  /// message.
  public let limits: [MethodLimits]

  /// The interface `name`, described by `text`.
  ///
  /// Its methods are read from `text`. If ``VarlinkInterface`` cannot read the text, there are none.
  public init(name: String, text: String, limits: [MethodLimits] = []) {
    self.name = name
    self.text = text
    self.limits = limits
    // A text that cannot be read describes no method that could be called.
    let members = (try? VarlinkInterface(parsing: text))?.members ?? []
    methods = members.compactMap { member in
      if case .method = member.declaration { "\(name).\(member.name)" } else { nil }
    }
  }

  /// The interface `name` with `methods`, in the order of `text`, which must describe the same methods.
  ///
  /// The text is not read, so a program that knows its methods starts without parsing.
  public init(name: String, text: String, methods: [MethodLimits]) {
    self.name = name
    self.text = text
    self.methods = methods.map(\.method)
    limits = methods
  }

  /// `org.varlink.service`, which every service provides.
  public static let service = InterfaceDescription(
    name: ServiceInterface.name,
    text: OutsideText.shown(PackageResources.org_varlink_service_varlink),
    methods: [
      MethodLimits(ServiceInterface.GetInfo.self),
      MethodLimits(ServiceInterface.GetInterfaceDescription.self, ["interface": .text(bytes: 255)]),
    ])
}
