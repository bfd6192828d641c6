import StepperCore

/// Writes a recording piece by piece, so that the file is valid whenever writing ends.
package struct RecordingWriter {
  private let codes: CodeNames
  private var last = Instant.milliseconds(0)

  package init(_ codes: CodeNames) { self.codes = codes }

  /// The beginning of a file; each of `comments` becomes a line.
  package func head(_ comments: [String]) -> [String] {
    [RecordingReader.version] + comments.map { $0.isEmpty ? "#" : "# \($0.onOneLine())" }
  }

  package func lines(of device: RecordedDevice) -> [String] {
    let identity = device.identity
    var lines = ["device \(device.name)"]
    func add(_ key: String, _ text: String) { if !text.isEmpty { lines.append("  \(key) \(text)") } }
    func addText(_ key: String, _ text: String) { if !text.isEmpty { add(key, quoted(text)) } }
    if let provider = identity.provider { add("provider", quoted(provider)) }
    addText("name", identity.name)
    add("bus", "\(identity.bus)")
    add("vendor", identity.vendor.hexadecimal)
    add("product", identity.product.hexadecimal)
    addText("phys", identity.physicalPath)
    addText("uniq", identity.uniqueName)
    addText("node", identity.node)
    for link in identity.links.prefix(RecordingLimit.links) { addText("link", link) }
    let properties = identity.properties.sorted { $0.key < $1.key }.prefix(RecordingLimit.properties)
    for (name, value) in properties { add("property", "\(propertyName(name)) \(quoted(value))") }
    add("codes", codes.text(identity.usages.subtracting(device.axes.map(\.usage))))
    for (code, counts) in device.countsPerDetent.sorted(by: { $0.key < $1.key }) {
      add("detent", "\(codes.name(of: .relative(code))) \(counts)")
    }
    for axis in device.axes { add("axis", text(axis)) }
    add("down", codes.text(device.keysDown))
    return lines
  }

  /// The line for an entry of a recording of `devices`. If its time is before that of the previous line, the previous
  /// time is used.
  package mutating func line(_ entry: Recording.Entry, _ devices: [RecordedDevice]) -> String {
    last = min(max(last, entry.time), RecordingLimit.time)
    func name(_ place: Int) -> String { devices[place].name }
    let text =
      switch entry.event {
      case .frame(let place, let events): codes.frame(of: name(place), events)
      case .resynchronized(let place, let events, let keysDown):
        codes.resynchronization(of: name(place), events, keysDown)
      case .added(let place): "add \(name(place))"
      case .removed(let place): "remove \(name(place))"
      case .lost(let count): "lost \(count)"
      case .end: "end"
      }
    return "\(TimeText.text(last)) \(text)"
  }

  /// All lines of a recording. A device that was added later is described before its first entry, after the devices
  /// that precede it in the list. A device without entries is described at the end.
  package static func lines(of recording: Recording, codes: CodeNames, comments: [String] = []) -> [String] {
    var writer = RecordingWriter(codes)
    var lines = writer.head(comments)
    var described = 0
    func describe(below end: Int) {
      while described < end {
        lines += writer.lines(of: recording.devices[described])
        described += 1
      }
    }
    describe(below: recording.devices.prefix { $0.isPresentAtStart }.count)
    for entry in recording.entries {
      describe(below: entry.event.place.map { $0 + 1 } ?? (entry.event == .end ? recording.devices.count : 0))
      lines.append(writer.line(entry, recording.devices))
    }
    describe(below: recording.devices.count)
    return lines
  }

  // MARK: Texts

  /// Quotes `text`, cut to the length that a reader accepts.
  private func quoted(_ text: String) -> String { QuotedText.write(clipped(text)) }

  private func clipped(_ text: String) -> String {
    guard text.utf8.count > RecordingLimit.textBytes else { return text }
    var scalars = text.unicodeScalars.prefix(RecordingLimit.textBytes)
    while String(scalars).utf8.count > RecordingLimit.textBytes { scalars.removeLast() }
    return String(scalars)
  }

  private func propertyName(_ name: String) -> String {
    RecordedDevice.isName(name) ? name : quoted(name)
  }

  private func text(_ axis: RecordedAxis) -> String {
    var text =
      "\(codes.name(of: axis.usage)) \(axis.range.lowerBound)..\(axis.range.upperBound) at \(axis.position)"
    for (key, value) in [("fuzz", axis.fuzz), ("flat", axis.flat), ("resolution", axis.resolution)]
    where value != 0 { text += " \(key) \(value)" }
    return text
  }
}
