import StepperCore

extension ConfigurationValue {
  /// `"sound"` or `{ name = "sound", title = … }`; nil if it cannot be read, which is reported.
  func group() -> ControlGroup? {
    guard case .table = node else { return text().map { ControlGroup(name: $0) } }
    guard let table = section(of: GroupKey.self) else { return nil }
    guard let item = table[.name] else { return refuse("needs name = \"NAME\"") }
    guard let name = item.text() else { return nil }
    var group = ControlGroup(name: name)
    table.read(into: &group)
    return group
  }
}

extension [ControlConfiguration] {
  /// Gives a group the title that one of its controls has, and returns the controls that have another one.
  mutating func shareGroupTitles() -> [(control: String, group: String)] {
    var titled: [String: ControlGroup] = [:]
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
