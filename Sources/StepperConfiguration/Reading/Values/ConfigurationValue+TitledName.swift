import StepperCore

extension ConfigurationValue {
  /// Reads `"sound"` or `{ name = "sound", title = … }`, and returns also the value that holds the name. Reports a
  /// value that cannot be read and returns nil.
  func titledName(
    upTo limit: Int = ConfigurationLimit.textBytes
  ) -> (titled: TitledName, name: ConfigurationValue)? {
    guard case .table = node else { return text(upTo: limit).map { (TitledName(name: $0), self) } }
    guard let table = section(of: TitledNameKey.self) else { return nil }
    guard let item = table[.name] else { return refuse("needs name = \"NAME\"") }
    guard let name = item.text(upTo: limit) else { return nil }
    var titled = TitledName(name: name)
    table.read(into: &titled)
    return (titled, item)
  }
}

extension [ControlConfiguration] {
  /// Gives all controls of a group the title that one of them sets, and returns the controls that set a different one.
  mutating func shareGroupTitles() -> [(control: String, group: String)] {
    var titled: [String: TitledName] = [:]
    var others: [(control: String, group: String)] = []
    for control in self {
      guard let group = control.group, group.title != nil else { continue }
      guard let first = titled[group.name] else {
        titled[group.name] = group
        continue
      }
      if group != first { others.append((control.settings.name, group.name)) }
    }
    for index in indices { self[index].group = self[index].group.map { titled[$0.name] ?? $0 } }
    return others
  }
}
