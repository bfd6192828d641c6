import Varlink

/// The certification: what each call must carry, and what it returns.
enum Script {
  static let interface = "org.varlink.certification"
  static let replyCount = 10

  /// Results by the short name of the method; each is the next call's parameters.
  static let results: [(method: String, results: String)] = [
    ("Test01", #"{"bool":true}"#),
    ("Test02", #"{"int":1}"#),
    ("Test03", #"{"float":1.0}"#),
    ("Test04", #"{"string":"ping"}"#),
    ("Test05", #"{"bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string"}"#),
    ("Test06", #"{"struct":{"bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string"}}"#),
    ("Test07", #"{"map":{"foo":"Foo","bar":"Bar"}}"#),
    ("Test08", #"{"set":{"one":{},"two":{},"three":{}}}"#),
    (
      "Test09",
      #"""
      {"mytype":{"object":{"method":"org.varlink.certification.Test09","parameters":{"map":{"foo":"Foo","bar":"Bar"}}},
      "enum":"two","struct":{"first":1,"second":"2"},"array":["one","two","three"],
      "dictionary":{"foo":"Foo","bar":"Bar"},"stringset":{"one":{},"two":{},"three":{}},
      "interface":{"foo":[null,{"foo":"foo","bar":"bar"},null,{"one":"foo","two":"bar"}],"anon":{"foo":true,"bar":false}}}}
      """#
    ),
  ]

  static var lastReplies: [AnyJSON] { (1...replyCount).map { .string("Reply number \($0)") } }

  /// What a call of the method must carry besides the client's id.
  static func parameters(of method: String) throws -> [String: AnyJSON] {
    if method == "Test11" { return ["last_more_replies": .array(lastReplies)] }
    guard let number = Int(method.dropFirst(4)), number > 1 else { return [:] }
    return try object(results[number - 2].results)
  }

  static func object(_ json: String) throws -> [String: AnyJSON] {
    try VarlinkParameters(json: json.utf8).decode([String: AnyJSON].self)
  }
}

/// A certification that failed, and how.
struct CertificationError: VarlinkError {
  static let name = "org.varlink.certification.CertificationError"
  var wants: AnyJSON
  var got: AnyJSON

  init(wants: AnyJSON, got: AnyJSON) { (self.wants, self.got) = (wants, got) }

  init(json value: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(value)
    wants = try members.value("wants")
    got = try members.value("got")
  }

  func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    try ["wants": wants, "got": got].appendJSON(to: &buffer)
  }
}
