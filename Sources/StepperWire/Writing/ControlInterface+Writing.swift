// The one message that is sent thousands of times a second is written field by field into the output buffer:
// no dictionary, no key sorting, no copy. The tests hold it to the library's encoder.

extension ControlInterface.Subscribe.Reply {
  /// Appends this as a JSON object. Numbers that are not finite are left out like absent ones.
  public func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"snapshot\":", snapshot, to: &buffer)
    JSONText.append(",\"instance\":", instance, to: &buffer)
    JSONText.append(",\"sequence\":", sequence, to: &buffer)
    JSONText.append(",\"coalesced\":", coalesced, to: &buffer)
    buffer.append(contentsOf: ",\"states\":[".utf8)
    JSONText.appendElements(states, to: &buffer) { $0.appendJSON(to: &$1) }
    buffer.append(UInt8(ascii: "]"))
    if let descriptions {
      buffer.append(contentsOf: ",\"descriptions\":[".utf8)
      JSONText.appendElements(descriptions, to: &buffer) { $0.appendJSON(to: &$1) }
      buffer.append(UInt8(ascii: "]"))
    }
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.State {
  fileprivate func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"control\":", control, to: &buffer)
    JSONText.append(",\"value\":", value, to: &buffer)
    JSONText.append(",\"text\":", text, to: &buffer)
    JSONText.append(",\"limit\":", limit.rawValue, to: &buffer)
    JSONText.append(",\"origin\":", origin.rawValue, to: &buffer)
    JSONText.append(",\"live\":", live, to: &buffer)
    JSONText.append(",\"turned\":", turned, to: &buffer)
    JSONText.append(",\"presses\":", presses, to: &buffer)
    JSONText.append(",\"pressed\":", pressed, to: &buffer)
    JSONText.append(",\"editing\":", editing, to: &buffer)
    JSONText.append(",\"canIncrement\":", canIncrement, to: &buffer)
    JSONText.append(",\"canDecrement\":", canDecrement, to: &buffer)
    JSONText.append(",\"sequence\":", sequence, to: &buffer)
    JSONText.append(",\"monotonicMicroseconds\":", monotonicMicroseconds, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.Description {
  fileprivate func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"control\":", control, to: &buffer)
    JSONText.append(",\"kind\":", kind.rawValue, to: &buffer)
    JSONText.append(",\"profile\":", profile, to: &buffer)
    JSONText.append(",\"title\":", title, to: &buffer)
    if let titles {
      buffer.append(contentsOf: ",\"titles\":{".utf8)
      JSONText.appendElements(titles.sorted { $0.key < $1.key }, to: &buffer) { entry, buffer in
        JSONText.append(entry.key, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        JSONText.append(entry.value, to: &buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
    JSONText.append(",\"unit\":", unit, to: &buffer)
    JSONText.append(",\"minimum\":", minimum, to: &buffer)
    JSONText.append(",\"maximum\":", maximum, to: &buffer)
    JSONText.append(",\"step\":", step, to: &buffer)
    JSONText.append(",\"page\":", page, to: &buffer)
    JSONText.append(",\"digits\":", digits.map(Int64.init), to: &buffer)
    buffer.append(contentsOf: ",\"format\":".utf8)
    format.appendJSON(to: &buffer)
    if let choices {
      buffer.append(contentsOf: ",\"choices\":[".utf8)
      JSONText.appendElements(choices, to: &buffer) { JSONText.append($0, to: &$1) }
      buffer.append(UInt8(ascii: "]"))
    }
    JSONText.append(",\"wrap\":", wrap, to: &buffer)
    JSONText.append(",\"writable\":", writable, to: &buffer)
    JSONText.append(",\"default\":", `default`, to: &buffer)
    if let expressions { JSONText.append(",\"expressions\":", expressions, to: &buffer) }
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.NumberFormat {
  fileprivate func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"style\":", style.rawValue, to: &buffer)
    JSONText.append(",\"currency\":", currency, to: &buffer)
    JSONText.append(",\"significantDigits\":", significantDigits.map(Int64.init), to: &buffer)
    JSONText.append(",\"grouping\":", grouping, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension JSONText {
  // A `key` is what comes before the value: the comma or brace, the quoted name and the colon.

  fileprivate static func append(_ key: String, _ text: String?, to buffer: inout [UInt8]) {
    guard let text else { return }
    buffer.append(contentsOf: key.utf8)
    append(text, to: &buffer)
  }

  fileprivate static func append(_ key: String, _ integer: Int64?, to buffer: inout [UInt8]) {
    guard let integer else { return }
    buffer.append(contentsOf: key.utf8)
    append(integer, to: &buffer)
  }

  fileprivate static func append(_ key: String, _ number: Double?, to buffer: inout [UInt8]) {
    guard let number, number.isFinite else { return }
    buffer.append(contentsOf: key.utf8)
    append(number, to: &buffer)
  }

  fileprivate static func append(_ key: String, _ flag: Bool, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: key.utf8)
    append(flag, to: &buffer)
  }

  fileprivate static func appendElements<Element>(
    _ elements: [Element], to buffer: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(element, &buffer)
    }
  }
}

extension VarlinkServerConnection {
  /// Answers `org.stepperd.control.Subscribe`, like ``reply(_:continues:)`` but fast.
  public mutating func reply(_ results: ControlInterface.Subscribe.Reply, continues: Bool) {
    reply(continues: continues) { results.appendJSON(to: &$0) }
  }
}
