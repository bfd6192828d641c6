import Glibc
import StepperInterfaces
package import Varlink

/// Replies of a daemon that keeps to the descriptions of the interfaces, with values of anybody's choice: the least and
/// the greatest numbers, repeated and empty names, and now and then a member of another type or an unknown word.
package struct RandomReplies {
  var source: ByteSource

  /// Takes its decisions from `bytes`; where they end, every decision is the same.
  package init(_ bytes: [UInt8]) { source = ByteSource(bytes) }

  init(_ source: ByteSource) { self.source = source }

  /// A reply to `method`, which is one of ``Method/all``; also an error of its interface.
  package mutating func reply(to method: String, continues: Bool = false) -> VarlinkReply {
    guard let (interface, member) = Self.member(of: method), case .method(_, let fields) = member.declaration
    else { return VarlinkReply(parameters: NoParameters.json) }
    if source.byte() < 16, let (name, fields) = Self.errors(of: interface).randomElement(of: &source) {
      return VarlinkReply(VarlinkFailure(name: name, parameters: object(fields, in: interface)))
    }
    return VarlinkReply(parameters: object(fields, in: interface), continues: continues)
  }

  /// The members of a reply to `method`.
  package mutating func parameters(of method: String) -> VarlinkParameters {
    guard let (interface, member) = Self.member(of: method), case .method(_, let fields) = member.declaration
    else { return NoParameters.json }
    return object(fields, in: interface)
  }

  private mutating func object(_ fields: [VarlinkField], in interface: VarlinkInterface) -> VarlinkParameters
  {
    var json: [UInt8] = []
    write(fields, in: interface, depth: 0, to: &json)
    // What is written here is JSON.
    return (try? VarlinkParameters(json: json)) ?? NoParameters.json
  }

  // MARK: JSON

  /// More than any description is deep.
  private static let mostDepth = 6

  private mutating func write(
    _ fields: [VarlinkField], in interface: VarlinkInterface, depth: Int, to json: inout [UInt8]
  ) {
    json.append(UInt8(ascii: "{"))
    var isFirst = true
    for field in fields {
      if case .optional = field.type, !source.flag() { continue }
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONText.append(field.name, to: &json)
      json.append(UInt8(ascii: ":"))
      write(field.type, in: interface, depth: depth, to: &json)
    }
    json.append(UInt8(ascii: "}"))
  }

  private mutating func write(
    _ type: VarlinkType, in interface: VarlinkInterface, depth: Int, to json: inout [UInt8]
  ) {
    switch type {
    case .boolean: json += Array((source.flag() ? "true" : "false").utf8)
    case .integer: json += Array(String(source.integer()).utf8)
    case .float:
      let number = source.double()
      json += Array("\(number.isFinite ? number : 1e308)".utf8)
    case .string: JSONText.append(text(), to: &json)
    case .object: json += Array("{}".utf8)
    case .optional(let type): write(type, in: interface, depth: depth, to: &json)
    case .named(let name):
      let declared = interface.members.first { $0.name == name }?.declaration
      guard case .type(let type)? = declared else { return json.append(UInt8(ascii: "0")) }
      write(type, in: interface, depth: depth + 1, to: &json)
    case .array(let type): writeList("[", "]", type, in: interface, depth: depth, to: &json)
    case .map(let type): writeList("{", "}", type, in: interface, depth: depth, to: &json)
    case .structure(let fields): write(fields, in: interface, depth: depth, to: &json)
    case .enumeration(let words):
      let word = source.byte() == 255 ? "unheardOf" : source.element(of: words)?.name ?? ""
      JSONText.append(word, to: &json)
    }
  }

  private mutating func writeList(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ type: VarlinkType, in interface: VarlinkInterface,
    depth: Int, to json: inout [UInt8]
  ) {
    json.append(UInt8(ascii: open))
    var names: Set<String> = []
    for index in 0..<(depth < Self.mostDepth ? source.index(below: 5) : 0) {
      if open == "{" {
        let name = text()
        guard names.insert(name).inserted else { continue }
        if names.count > 1 { json.append(UInt8(ascii: ",")) }
        JSONText.append(name, to: &json)
        json.append(UInt8(ascii: ":"))
      } else if index > 0 {
        json.append(UInt8(ascii: ","))
      }
      write(type, in: interface, depth: depth + 1, to: &json)
    }
    json.append(UInt8(ascii: close))
  }

  private mutating func text() -> String {
    source.byte() < 224
      ? source.element(of: Self.texts) ?? "" : String(decoding: source.untilNUL(), as: UTF8.self)
  }

  /// Names that mean something somewhere, and those that are awkward to show.
  private static let texts = [
    "volume", "light", "mode", "on", "off", "None", "", "status", "info", "a/b", "+", "#", "\0", "panel:dial",
    "panel",
    "/dev/input/panel", "KEY_VOLUMEUP", "BTN_0", "REL_DIAL", "ABS_X", "SYN_REPORT", "EV_KEY:0x300", "0", "-1",
    "50",
    "1e308", "9223372036854775807", "0x7fff", "%", "EUR", "€", "\u{301}\u{301}", "\u{1b}[31m", "\n", "日本",
    "😀",
    String(repeating: "x", count: 300), String(repeating: "e\u{301}", count: 60),
  ]

  // MARK: Descriptions

  /// The description of the interface of `method`.
  private static func member(of method: String) -> (VarlinkInterface, VarlinkInterface.Member)? {
    guard let interface = interfaces.first(where: { method.hasPrefix($0.name + ".") }) else { return nil }
    let name = method.dropFirst(interface.name.count + 1)
    return interface.members.first { $0.name == name }.map { (interface, $0) }
  }

  // They are tested to be readable.
  private static let interfaces = keptForever {
    ([.service] + InterfaceDescription.stepperd).compactMap {
      try? VarlinkInterface(parsing: $0.text)
    }
  }

  private static func errors(of interface: VarlinkInterface) -> [(name: String, fields: [VarlinkField])] {
    interface.members.compactMap { member in
      guard case .error(let fields) = member.declaration else { return nil }
      return ("\(interface.name).\(member.name)", fields)
    }
  }
}

extension Array {
  fileprivate func randomElement(of source: inout ByteSource) -> Element? { source.element(of: self) }
}

extension NoParameters {
  /// `{}`.
  fileprivate static let json = VarlinkCall("a.b").parameters
}

/// What is kept until the process ends. The leak sanitizer does not find what a type keeps in enumerations.
private func keptForever<Value>(_ body: () -> Value) -> Value {
  typealias Switch = @convention(c) () -> Void
  func call(_ name: String) {
    // There is none without a sanitizer.
    guard let symbol = unsafe dlsym(nil, name) else { return }
    unsafe unsafeBitCast(symbol, to: Switch.self)()
  }
  call("__lsan_disable")
  defer { call("__lsan_enable") }
  return body()
}
