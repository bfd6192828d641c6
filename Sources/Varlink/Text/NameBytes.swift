extension UInt8 {
  /// Whether the byte is an ASCII letter, a digit, `-` or `_`.
  package var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether the byte is a lowercase ASCII letter, a digit, `.`, `-` or `_`, as in the names of controls and of
  /// providers.
  package var isControlNameByte: Bool {
    self == UInt8(ascii: ".") || isNameByte && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
