/// The calls that are sent, the same to all programs.
enum Call {
  static let get = bytes("control.Get", #""parameters":{"control":"volume"}"#)
  static let subscribe = bytes("control.Subscribe", #""more":true,"parameters":{"match":["volume"]}"#)
  static let subscribeOther = bytes("control.Subscribe", #""more":true,"parameters":{"match":["other1"]}"#)
  static let press = bytes("device.Press", #""oneway":true,"parameters":{"device":"panel","input":"plus"}"#)
  static let release = bytes(
    "device.Release", #""oneway":true,"parameters":{"device":"panel","input":"plus"}"#)
  /// Back and forth, so that there is always something to publish.
  static let turns = [turn(1), turn(-1)]
  static let sets = [set(50), set(51)]

  static func turn(_ detents: Int) -> [UInt8] {
    bytes(
      "device.Turn", #""oneway":true,"parameters":{"device":"panel","input":"dial","detents":\#(detents)}"#)
  }

  private static func set(_ value: Int) -> [UInt8] {
    bytes("control.Set", #""parameters":{"control":"volume","value":\#(value)}"#)
  }

  private static func bytes(_ method: String, _ rest: String) -> [UInt8] {
    Array("{\"method\":\"org.stepperd.\(method)\",\(rest)}\0".utf8)
  }
}
