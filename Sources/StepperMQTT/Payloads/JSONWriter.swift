import StepperInterfaces
import Varlink

/// Writes JSON objects with their members in the order in which they are given.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// An object; `body` gives its members.
  static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.open("{")
    body(&writer)
    writer.close("}")
    return writer.bytes
  }

  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    JSONText.append(text, to: &bytes)
  }

  mutating func member(_ name: String, _ number: Int64) {
    key(name)
    bytes += Array(String(number).utf8)
  }

  /// Nothing for a number that JSON cannot represent.
  mutating func member(_ name: String, _ number: Double?) {
    guard let number, let decimal = PlainDecimal(number) else { return }
    key(name)
    bytes += Array(decimal.text.utf8)
  }

  mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    bytes += Array((flag ? "true" : "false").utf8)
  }

  mutating func null(_ name: String) {
    key(name)
    bytes += Array("null".utf8)
  }

  mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
    key(name)
    open("{")
    body(&self)
    close("}")
  }

  mutating func member(_ name: String, _ texts: [String]) {
    key(name)
    open("[")
    for text in texts {
      separate()
      JSONText.append(text, to: &bytes)
    }
    close("]")
  }

  private mutating func key(_ name: String) {
    separate()
    JSONText.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
      bytes.append(UInt8(ascii: ","))
    }
  }

  private mutating func open(_ mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }
  private mutating func close(_ mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }
}
