/// A Varlink interface as its service describes it to clients.
public struct InterfaceDescription: Hashable, Sendable {
  /// `org.stepperd.control`.
  public let name: String
  /// The description in Varlink's interface description language, to the byte as its author wrote it.
  public let text: String
  /// The fully qualified names of its methods, in the order of `text`.
  public let methods: [String]
  /// The limits of the parameters of its methods. Other methods have the limit of a message only.
  public let limits: [MethodLimits]

  /// The interface `name`, described by `text`.
  ///
  /// The methods are taken from the lines of `text` that start with `method`; nothing else of it is parsed.
  public init(name: String, text: String, limits: [MethodLimits] = []) {
    self.name = name
    self.text = text
    self.limits = limits
    methods = text.split(separator: "\n").compactMap { line in
      let words = line.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " }
      guard words.count == 2, words[0] == "method" else { return nil }
      return "\(name).\(words[1].prefix { $0 != "(" && $0 != " " })"
    }
  }

  /// `org.varlink.service`, which every service provides.
  public static let service = InterfaceDescription(
    name: ServiceInterface.name,
    text: String(decoding: PackageResources.org_varlink_service_varlink, as: UTF8.self),
    limits: [
      MethodLimits(ServiceInterface.GetInfo.self),
      MethodLimits(ServiceInterface.GetInterfaceDescription.self, ["interface": .text(bytes: 255)]),
    ])
}
