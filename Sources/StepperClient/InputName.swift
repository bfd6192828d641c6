/// An input of a device as the configuration writes it: `DEVICE:INPUT`, for example `panel:plus`.
public struct InputName: Hashable, Sendable, CustomStringConvertible {
  /// The device: the name of its table in the configuration, possibly followed by a suffix such as `:2`.
  public let device: String
  /// The input of the device.
  public let input: String

  /// The input `input` of the device `device`.
  public init(device: String, input: String) {
    self.device = device
    self.input = input
  }

  /// Splits `text` at its last colon; nil if there is no colon, or nothing on one side of it.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    self.init(device: String(text[..<colon]), input: String(text[text.index(after: colon)...]))
    guard !device.isEmpty, !input.isEmpty else { return nil }
  }

  /// `DEVICE:INPUT`.
  public var description: String { "\(device):\(input)" }
}
