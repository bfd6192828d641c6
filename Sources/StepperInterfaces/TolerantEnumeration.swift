/// An enumeration that a newer daemon may know more words of. A word that is not known here is taken for
/// ``fallback``, as the interface descriptions ask, and is no reason to refuse the message.
protocol TolerantEnumeration: RawRepresentable<String>, Decodable {
  static var fallback: Self { get }
}

extension TolerantEnumeration {
  /// Reads any text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = Self(rawValue: word) ?? Self.fallback
  }
}

extension ControlInterface.Kind: TolerantEnumeration {
  static var fallback: Self { .continuous }
}

extension ControlInterface.Origin: TolerantEnumeration {
  static var fallback: Self { .configuration }
}

extension ControlInterface.NumberStyle: TolerantEnumeration {
  static var fallback: Self { .decimal }
}

extension ControlInterface.AccessibilityRole: TolerantEnumeration {
  static var fallback: Self { .stepper }
}

extension ControlInterface.FeedbackEffect: TolerantEnumeration {
  static var fallback: Self { .light }
}

extension DeviceInterface.Role: TolerantEnumeration {
  static var fallback: Self { .axis }
}

extension DeviceInterface.DeviceState: TolerantEnumeration {
  static var fallback: Self { .unused }
}
