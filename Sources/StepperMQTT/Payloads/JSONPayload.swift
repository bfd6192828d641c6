import StepperInterfaces
import Varlink

extension JSONObject {
  /// As the payload of a message.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    // It fails for a Double that is not finite: numbers are decimals here.
    try? appendJSON(to: &bytes)
    return bytes
  }
}

extension PlainDecimal: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) { buffer += Array(text.utf8) }
}

/// A member that is there without a value, too: as `null`.
func nullable(_ value: (some JSONWritable)?) -> any JSONWritable { value }
