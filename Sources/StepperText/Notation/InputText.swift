package import StepperCore

/// Writes inputs of the engine in the notation of ``InputParser``, for engine logs and the daemon's debug messages.
package struct InputText {
  private let codes: CodeNames

  package init(_ codes: CodeNames) { self.codes = codes }

  /// `controls` has the names of the configuration in force; `table` returns the table of a device that was added.
  package func text(
    _ input: Input, _ controls: ControlNames, table: (DeviceNumber) -> String?
  ) -> String {
    func name(of id: DeviceNumber) -> String { "\(table(id) ?? "")#\(id.rawValue)" }
    switch input {
    case .deviceAdded(let id, let capabilities):
      return Words.line("add", "\(capabilities.settingsName)#\(id.rawValue)", codes.text(capabilities))
    case .deviceRemoved(let id): return "remove \(name(of: id))"
    case .frame(let id, let events): return codes.frame(of: name(of: id), events)
    case .resynchronized(let id, let events, let keysDown):
      return codes.resynchronization(of: name(of: id), events, keysDown)
    case .set(let id, let request):
      let since = request.ifSequence.map { "since \($0)" } ?? ""
      return Words.line(
        "set", controls.word(for: id), text(request.value), request.clamps ? "clamp" : "",
        request.isText ? "text" : "", since)
    case .step(let id, let count, let unit):
      let word =
        switch unit {
        case .step: ""
        case .page: "page"
        case .limit: "limit"
        }
      return Words.line("step", controls.word(for: id), "\(count)", word)
    case .reset(let id): return "reset \(controls.word(for: id))"
    case .press(let id, let hold, let action):
      return "client press \(controls.word(for: id)) \(hold.rawValue) \(action.rawValue)"
    case .release(let id, let hold): return "client release \(controls.word(for: id)) \(hold.rawValue)"
    case .turn(let id, let detents): return "client turn \(controls.word(for: id)) \(detents)"
    case .slide(let id, let hold, let position):
      return "client slide \(controls.word(for: id)) \(hold.rawValue) \(position)"
    case .adjust(let id, let adjustment):
      let pairs = AdjustmentKey.all.compactMap { key in
        adjustment[keyPath: key.path].map { "\(key.name)=\(text($0))" }
      }
      return Words.line("adjust", controls.word(for: id), pairs.joined(separator: " "))
    case .restored(let id, let value): return "restore \(controls.word(for: id)) \(text(value))"
    case .configured: return "configure"
    case .everythingReleased: return "release-everything"
    case .timeSkipped(let duration):
      return "skip \(TimeText.text(Instant(nanoseconds: duration.nanoseconds)))"
    }
  }

  private func text(_ value: FixedPoint?) -> String { value.map { "\($0.normalized)" } ?? "unset" }
}

/// The names of the controls of the configuration in force.
package struct ControlNames: Hashable, Sendable {
  private let ids: [ControlID]
  private let names: [String]

  package init(of engine: Engine) {
    ids = engine.ids
    names = ids.map { engine.adjustedSettings(of: $0)?.name ?? "" }
  }

  var count: Int { ids.count }

  /// The name of a control; nil if the control is one of a former configuration.
  package func name(of id: ControlID) -> String? {
    ids.indices.contains(id.index) && ids[id.index] == id ? names[id.index] : nil
  }

  /// The word by which an input refers to the control.
  func word(for id: ControlID) -> String { name(of: id) ?? "@\(id.index).\(id.generation)" }
}
