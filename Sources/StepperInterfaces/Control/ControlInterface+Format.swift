extension ControlInterface {
  /// How a client writes the value for people. New styles may be added; clients must treat an unknown style
  /// as `decimal`.
  public enum NumberStyle: String, Codable, Hashable, Sendable {
    case decimal, percent, currency
  }

  /// How a client writes the value for people, with the marks of its own locale.
  public struct NumberFormat: Codable, Hashable, Sendable {
    /// `percent`: 0.13 is written 13 %.
    public var style: NumberStyle
    /// ISO 4217 code of style `currency`, for example `EUR`.
    public var currency: String?
    /// Most digits that are shown in all; nil: `digits` of the description.
    public var significantDigits: Int?
    /// Whether thousands are grouped.
    public var grouping: Bool

    /// Its fields, in the order of the interface description.
    public init(
      style: NumberStyle = .decimal, currency: String? = nil, significantDigits: Int? = nil,
      grouping: Bool = false
    ) {
      self.style = style
      self.currency = currency
      self.significantDigits = significantDigits
      self.grouping = grouping
    }
  }
}
