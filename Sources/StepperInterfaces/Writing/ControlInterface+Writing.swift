// The messages of controls, each field in the order of its interface description.

public import Varlink

extension ControlInterface.Subscribe.Reply: JSONWritable {
  /// Appends this as a JSON object. Numbers that are not finite are left out like absent ones.
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"snapshot\":", snapshot, to: &buffer)
    JSONText.append(",\"instance\":", instance, to: &buffer)
    JSONText.append(",\"sequence\":", sequence, to: &buffer)
    JSONText.append(",\"coalesced\":", coalesced, to: &buffer)
    JSONText.append(",\"states\":", states, to: &buffer)
    if let descriptions { JSONText.append(",\"descriptions\":", descriptions, to: &buffer) }
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.State: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
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

extension ControlInterface.Description: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
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
    JSONText.append(",\"format\":", format, to: &buffer)
    if let choices { JSONText.append(",\"choices\":", choices, to: &buffer) }
    JSONText.append(",\"wrap\":", wrap, to: &buffer)
    JSONText.append(",\"writable\":", writable, to: &buffer)
    JSONText.append(",\"default\":", `default`, to: &buffer)
    if let expressions { JSONText.append(",\"expressions\":", expressions, to: &buffer) }
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.NumberFormat: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"style\":", style.rawValue, to: &buffer)
    JSONText.append(",\"currency\":", currency, to: &buffer)
    JSONText.append(",\"significantDigits\":", significantDigits.map(Int64.init), to: &buffer)
    JSONText.append(",\"grouping\":", grouping, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.Control: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"description\":", description, to: &buffer)
    JSONText.append(",\"state\":", state, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.List.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"instance\":", instance, to: &buffer)
    JSONText.append(",\"sequence\":", sequence, to: &buffer)
    JSONText.append(",\"controls\":", controls, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.Get.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"state\":", state, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.Set.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"state\":", state, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.Step.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"state\":", state, to: &buffer)
    JSONText.append(",\"applied\":", applied, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.Reset.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"state\":", state, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.MomentEvent: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"control\":", control, to: &buffer)
    JSONText.append(",\"moment\":", moment.rawValue, to: &buffer)
    JSONText.append(",\"effect\":", effect.rawValue, to: &buffer)
    JSONText.append(",\"value\":", value, to: &buffer)
    JSONText.append(",\"text\":", text, to: &buffer)
    JSONText.append(",\"speech\":", speech, to: &buffer)
    JSONText.append(",\"device\":", device, to: &buffer)
    JSONText.append(",\"monotonicMicroseconds\":", monotonicMicroseconds, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension ControlInterface.SubscribeMoments.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"moments\":", moments, to: &buffer)
    JSONText.append(",\"dropped\":", dropped, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension VarlinkServerConnection {
  /// Answers `org.stepperd.control.Subscribe`, like ``reply(_:continues:)`` but fast.
  public mutating func reply(_ results: ControlInterface.Subscribe.Reply, continues: Bool) {
    reply(continues: continues) { results.appendJSON(to: &$0) }
  }
}
