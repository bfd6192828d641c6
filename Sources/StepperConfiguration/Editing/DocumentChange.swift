/// One change of the values of a document.
struct DocumentChange {
  enum Kind {
    /// The value of the path, which may be new.
    case set(ValueLiteral)
    /// The element of an array at the path is removed.
    case removed
  }

  var path: ValuePath
  var kind: Kind

  /// Whether `new` is `old` with this change and no other.
  func leads(from old: DocumentNode, to new: DocumentNode) -> Bool {
    isDifference(path.components[...], old, new)
  }

  /// `old` is nil where nothing was.
  private func isDifference(
    _ path: ArraySlice<ValuePath.Component>, _ old: DocumentNode?, _ new: DocumentNode
  ) -> Bool {
    guard let component = path.first else {
      if case .set(let literal) = kind { return literal.isSame(as: new) }
      return false
    }
    let rest = path.dropFirst()
    switch (component, old, new) {
    case (.key(let key), nil, .table(let table)):
      return table.entries.count == 1 && table[key].map { isDifference(rest, nil, $0) } == true
    case (.key(let key), .table(let former)?, .table(let table)):
      let others = former.entries.filter { !$0.key.isExactly(key) }
      let now = table.entries.filter { !$0.key.isExactly(key) }
      return others.count == now.count
        && zip(others, now).allSatisfy { $0.key.isExactly($1.key) && $0.node.isSame(as: $1.node) }
        && table[key].map { isDifference(rest, former[key], $0) } == true
    case (.index(let index), .array(let former)?, .array(let array)):
      return isDifference(rest, at: index, former.elements.map(\.node), array.elements.map(\.node))
    default: return false
    }
  }

  private func isDifference(
    _ rest: ArraySlice<ValuePath.Component>, at index: Int, _ old: [DocumentNode], _ new: [DocumentNode]
  ) -> Bool {
    func areSame(_ left: ArraySlice<DocumentNode>, _ right: ArraySlice<DocumentNode>) -> Bool {
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    }
    if rest.isEmpty, case .removed = kind {
      guard old.indices.contains(index) else { return false }
      return areSame(old[..<index] + old[(index + 1)...], new[...])
    }
    guard new.indices.contains(index), index <= old.count else { return false }
    let former = index < old.count ? old[index] : nil
    return areSame(old[..<index], new[..<index])
      && areSame(old.dropFirst(index + 1), new[(index + 1)...]) && isDifference(rest, former, new[index])
  }
}

extension DocumentNode {
  /// Whether both have the same content, tables in the same order. Dates are not compared.
  func isSame(as other: DocumentNode) -> Bool {
    switch (self, other) {
    case (.string(let text), .string(let other)): text.isExactly(other)
    case (.boolean(let value), .boolean(let other)): value == other
    case (.integer(let literal), .integer(let other)), (.decimal(let literal), .decimal(let other)):
      literal.isExactly(other)
    case (.date, .date): true
    case (.array(let array), .array(let other)):
      array.elements.count == other.elements.count
        && zip(array.elements, other.elements).allSatisfy { $0.node.isSame(as: $1.node) }
    case (.table(let table), .table(let other)):
      table.entries.count == other.entries.count
        && zip(table.entries, other.entries).allSatisfy {
          $0.key.isExactly($1.key) && $0.node.isSame(as: $1.node)
        }
    default: false
    }
  }
}
