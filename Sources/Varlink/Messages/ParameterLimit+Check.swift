extension VarlinkParameters {
  /// Throws the first parameter that `limits` do not know or whose value they do not allow. Takes time proportional to
  /// the length of the parameters; those that are missing are the decoder's to find.
  func check(against limits: [String: ParameterLimit]) throws(ServiceInterface.InvalidParameter) {
    // "{}"
    guard json.count > 2 else { return }
    let members: [JSONScanner.Member]
    do {
      members = try JSONScanner.members(of: json)
    } catch {
      throw ServiceInterface.InvalidParameter(parameter: "parameters")
    }
    for member in members {
      guard let limit = limits[member.name], limit.allows(member, in: json) else {
        throw ServiceInterface.InvalidParameter(refusing: member.name)
      }
    }
  }
}

extension ServiceInterface.InvalidParameter {
  /// The name of a parameter from the caller, which is untrusted.
  init(refusing parameter: String) { self.init(parameter: parameter.clipped(toBytes: 64)) }
}

extension ParameterLimit {
  /// Whether it allows the value of `member` of the valid `json`.
  fileprivate func allows(_ member: JSONScanner.Member, in json: [UInt8]) -> Bool {
    switch (self, member.kind) {
    case (_, .null), (.boolean, .boolean): true
    case (.text(let bytes), .string): JSONString.length(of: json[member.value]) <= bytes
    case (.texts(let count, let bytes), .array):
      allows(count, ofTextsOf: bytes, in: json, at: member.value)
    case (.integer(let range), .number): JSONNumber.integer(json[member.value]).map(range.contains) ?? false
    case (.number(let range), .number): JSONNumber.double(json[member.value]).map(range.contains) ?? false
    default: false
    }
  }

  private func allows(_ count: Int, ofTextsOf bytes: Int, in json: [UInt8], at list: Range<Int>) -> Bool {
    var (position, left) = (list.lowerBound + 1, count)
    while let element = JSONScanner.element(of: json, at: position) {
      guard left > 0, element.kind == .string, JSONString.length(of: json[element.value]) <= bytes else {
        return false
      }
      (position, left) = (element.value.upperBound, left - 1)
    }
    return true
  }
}
