import StepperCore

/// A line below `device NAME`: a property of the device.
struct DeviceLine {
  let codes: CodeNames

  private static let keys =
    "provider, name, bus, vendor, product, phys, uniq, node, link, property, codes, detent, axis and down"

  func read(_ line: Substring, into device: inout RecordedDevice) throws(NotationError) {
    var rest = line.drop { $0 == " " || $0 == "\t" }
    let key = rest.prefix { $0 != " " && $0 != "\t" }
    rest = rest[key.endIndex...].drop { $0 == " " || $0 == "\t" }
    if try readText(key, &rest, into: &device) {
      guard rest.isEmpty else { throw NotationError("\(NotationError.quoted(rest)) is behind the text") }
      return
    }
    var words = Words(rest)
    switch key {
    case "bus": device.identity.bus = try words.integer("number of a bus")
    case "vendor": device.identity.vendor = try hexadecimal(&words)
    case "product": device.identity.product = try hexadecimal(&words)
    case "codes":
      device.identity.usages.formUnion(try codes.usages(words.all()))
      guard device.identity.usages.count <= RecordingLimit.codes else {
        throw NotationError("a device has at most \(RecordingLimit.codes) codes")
      }
    case "detent":
      let usage = try codes.usage(try words.next("a knob"))
      let counts: Int = try words.integer("counts of a detent")
      guard usage.isRelative, DeviceSettings.countsOfDetent.contains(Int64(counts)) else {
        throw NotationError("\(codes.name(of: usage)) \(counts) is no knob and its counts, as REL_DIAL 4")
      }
      device.countsPerDetent[usage.code] = counts
      device.identity.usages.insert(usage)
    case "axis": try addAxis(&words, to: &device)
    case "down": device.keysDown.formUnion(try codes.usages(words.all()))
    default:
      throw NotationError(
        "\(NotationError.quoted(key)) is nothing that a device has; there are \(Self.keys)")
    }
    try words.end()
  }

  /// Reads a property with a text; returns whether `key` is one.
  private func readText(
    _ key: Substring, _ rest: inout Substring, into device: inout RecordedDevice
  ) throws(NotationError) -> Bool {
    switch key {
    case "provider": device.identity.provider = try QuotedText.read(from: &rest)
    case "name": device.identity.name = try QuotedText.read(from: &rest)
    case "phys": device.identity.physicalPath = try QuotedText.read(from: &rest)
    case "uniq": device.identity.uniqueName = try QuotedText.read(from: &rest)
    case "node": device.identity.node = try QuotedText.read(from: &rest)
    case "link":
      guard device.identity.links.count < RecordingLimit.links else {
        throw NotationError("a device has at most \(RecordingLimit.links) links")
      }
      device.identity.links.append(try QuotedText.read(from: &rest))
    case "property":
      guard device.identity.properties.count < RecordingLimit.properties else {
        throw NotationError("a device has at most \(RecordingLimit.properties) properties")
      }
      let name = try propertyName(&rest)
      device.identity.properties[name] = try QuotedText.read(from: &rest)
    default: return false
    }
    return true
  }

  /// Reads a word, or a text in quotes.
  private func propertyName(_ rest: inout Substring) throws(NotationError) -> String {
    if rest.unicodeScalars.first == "\"" { return try QuotedText.read(from: &rest) }
    let name = rest.prefix { $0 != " " && $0 != "\t" }
    guard !name.isEmpty, name.utf8.count <= RecordingLimit.textBytes else {
      throw NotationError("a property is a name and a text, as ID_BUS \"usb\"")
    }
    rest = rest[name.endIndex...].drop { $0 == " " || $0 == "\t" }
    return String(name)
  }

  private func hexadecimal(_ words: inout Words) throws(NotationError) -> UInt16 {
    let word = try words.next("a number")
    guard let number = UInt16(hexadecimal: word) else {
      throw NotationError("\(NotationError.quoted(word)) is not up to four hexadecimal digits, as 077d")
    }
    return number
  }

  /// Reads `ABS_X 0..1023 at 500 fuzz 4 flat 0 resolution 0`; the last three properties are optional.
  private func addAxis(_ words: inout Words, to device: inout RecordedDevice) throws(NotationError) {
    let usage = try codes.usage(try words.next("an axis"))
    guard usage.isAbsolute else { throw NotationError("\(codes.name(of: usage)) is no absolute axis") }
    guard !device.axes.contains(where: { $0.usage == usage }) else {
      throw NotationError("\(codes.name(of: usage)) is described twice")
    }
    let ends = try words.next("the range of the axis")
    guard let range = try CodeNames.range(ends) else {
      throw NotationError("\(NotationError.quoted(ends)) is no range of an axis, as 0..1023")
    }
    var axis = RecordedAxis(usage, range, at: range.lowerBound)
    while !words.isEmpty {
      let key = try words.next("a word")
      let number: Int32 = try words.integer("number of counts")
      switch key {
      case "at": axis.position = number
      case "fuzz": axis.fuzz = number
      case "flat": axis.flat = number
      case "resolution": axis.resolution = number
      default:
        throw NotationError(
          "\(NotationError.quoted(key)) is nothing that an axis has; there are at, fuzz, flat and resolution")
      }
    }
    device.axes.append(axis)
    device.identity.usages.insert(usage)
  }
}
