/// The limit of a parameter of a method, with the bytes of the parameter's name.
struct LimitedParameter: Sendable {
  fileprivate let name: [UInt8]
  fileprivate let limit: ParameterLimit

  init(_ name: String, _ limit: ParameterLimit) { (self.name, self.limit) = (Array(name.utf8), limit) }
}

extension VarlinkParameters {
  /// Throws for the first member that is not one of `parameters`, or whose value its limit does not allow. Takes time
  /// proportional to the length of the members; missing parameters are left to the decoder.
  func check(against parameters: [LimitedParameter]) throws(ServiceInterface.InvalidParameter) {
    let value = value(.strict)
    let members = value.members
    for index in members.indices {
      let member = members[index]
      guard let known = parameters.first(where: { member.isNamed($0.name, in: value.bytes.span) }),
        known.limit.allows(member, in: value.bytes)
      else {
        throw ServiceInterface.InvalidParameter(refusing: member.shownName(in: value.bytes))
      }
    }
  }
}

extension ServiceInterface.InvalidParameter {
  /// The error for a parameter named by the caller; the name is untrusted and therefore clipped.
  init(refusing parameter: String) { self.init(parameter: parameter.clipped(toBytes: 64)) }
}

extension ParameterLimit {
  /// Whether the limit allows the value of `member` in the valid `json`.
  fileprivate func allows(_ member: JSONScanner.Member, in json: [UInt8]) -> Bool {
    switch (self, member.kind) {
    case (_, .null), (.boolean, .boolean), (.object, .object): true
    case (.text(let bytes), .string): JSONString.isText(member, in: json, atMost: bytes)
    case (.texts(let count, let bytes), .array):
      Self.allows(count, in: json, at: member.value) {
        $0.kind == .string && JSONString.isText($0, in: json, atMost: bytes)
      }
    case (.objects(let count), .array):
      Self.allows(count, in: json, at: member.value) { $0.kind == .object }
    case (.integer(let range), .number): Self.contains(range, JSONNumber.integer(json[member.value]))
    case (.number(let range), .number): Self.contains(range, JSONNumber.double(json[member.value]))
    default: false
    }
  }

  private static func contains<Number>(_ range: ClosedRange<Number>, _ number: Number?) -> Bool {
    guard let number else { return false }
    return range.contains(number)
  }

  /// Whether a list has at most `count` elements, and all of them fit.
  private static func allows(
    _ count: Int, in json: [UInt8], at list: Range<Int>, where fits: (JSONScanner.Member) -> Bool
  ) -> Bool {
    var (position, left) = (list.lowerBound + 1, count)
    while let element = JSONScanner.element(of: json, at: position) {
      guard left > 0, fits(element) else { return false }
      (position, left) = (element.value.upperBound, left - 1)
    }
    return true
  }
}
