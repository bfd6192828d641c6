import StepperInterfaces
import Varlink

extension JSONObject {
  /// The value as the payload of a message.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    // Fails only for a Double that is not finite. Numbers are decimals here.
    try? appendJSON(to: &bytes)
    return bytes
  }
}

extension PlainDecimal: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) { buffer += Array(text.utf8) }
}

/// What `read` takes from the object that `payload` is; nil: it is not such an object. Members that `read` does not take are ignored.
func readMembers<Value>(
  of payload: [UInt8], _ read: (inout JSONMembers) throws(JSONMisfit) -> Value
) -> Value? {
  do {
    var members = try JSONMembers(try VarlinkParameters(json: payload).read(JSONValue.self))
    return try read(&members)
  } catch {
    return nil
  }
}

/// A member that is also written without a value: as `null`.
func nullable(_ value: (some JSONWritable)?) -> any JSONWritable { value }
