/// One change of the values of a document.
struct DocumentChange {
  enum Kind {
    /// The value at the path is set; the path may be new.
    case set(ValueLiteral)
    /// The array element at the path is removed.
    case removed
  }

  var path: ValuePath
  var kind: Kind

  /// Whether `new` is `old` with this change and no other.
  func leads(from old: DocumentNode, to new: DocumentNode) -> Bool {
    isDifference(path.components[...], old, new)
  }

  /// Whether `new` differs from `old` only at `path`. `old` is nil if there was no value.
  private func isDifference(
    _ path: ArraySlice<ValuePath.Component>, _ old: DocumentNode?, _ new: DocumentNode
  ) -> Bool {
    guard let component = path.first else {
      if case .set(let literal) = kind { return literal.isSame(as: new) }
      return false
    }
    guard let before = entries(of: old, beside: component) else { return false }
    if path.count == 1, case .removed = kind, case .array(let array) = new {
      return old?[component] != nil && areSame(before, array.elements)
    }
    guard let after = entries(of: new, beside: component), let entry = new[component] else { return false }
    return areSame(before, after) && isDifference(path.dropFirst(), old?[component]?.node, entry.node)
  }

  /// All entries or elements except `component`; nil if `node` is not a container of that kind.
  private func entries(
    of node: DocumentNode?, beside component: ValuePath.Component
  ) -> [DocumentEntry]? {
    switch (node, component) {
    case (nil, _): []
    case (.table(let table)?, .key(let key)): table.entries.filter { !$0.key.isExactly(key) }
    case (.array(let array)?, .index(let index)):
      array.elements.enumerated().filter { $0.offset != index }.map(\.element)
    default: nil
    }
  }
}

extension DocumentNode {
  /// Whether both have the same content, including the order of tables. Dates are not compared.
  func isSame(as other: DocumentNode) -> Bool {
    switch (self, other) {
    case (.string(let text), .string(let other)): text.isExactly(other)
    case (.boolean(let value), .boolean(let other)): value == other
    case (.integer(let literal), .integer(let other)), (.decimal(let literal), .decimal(let other)):
      literal.isExactly(other)
    case (.date, .date): true
    case (.array(let array), .array(let other)): areSame(array.elements, other.elements)
    case (.table(let table), .table(let other)): areSame(table.entries, other.entries)
    default: false
    }
  }
}

private func areSame(_ left: [DocumentEntry], _ right: [DocumentEntry]) -> Bool {
  left.count == right.count
    && zip(left, right).allSatisfy { $0.key.isExactly($1.key) && $0.node.isSame(as: $1.node) }
}
