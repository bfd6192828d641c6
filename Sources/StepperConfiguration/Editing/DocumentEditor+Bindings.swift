/// The inputs of a control's key: a single input, a table with options, or an array of either.
extension DocumentEditor {
  /// The inputs of a key such as `control.volume.rotate`, as `DEVICE:CODE`, without those that have a modifier or a
  /// layer.
  package func inputs(at path: ValuePath) -> [String] { elements(at: path).compactMap { input(of: $0.node) } }

  /// Binds `input` to a key: in place of the inputs `replaced`, or after the other inputs if nothing is replaced.
  package mutating func bind(
    _ input: String, to path: ValuePath, replacing replaced: Set<String> = []
  ) throws(EditRefusal) {
    guard has(path) else { return try set(path, to: .string(input)) }
    // Removed from last to first, so that the indices of the remaining ones stay valid.
    let places = elements(at: path).filter { element in
      self.input(of: element.node).map { replaced.contains($0) && !$0.isExactly(input) } == true
    }
    let isBound = inputs(at: path).contains { $0.isExactly(input) }
    for (index, place) in places.enumerated().reversed() {
      let takesPlace = index == 0 && !isBound
      if takesPlace {
        try set(place.isTable ? place.path["input"] : place.path, to: .string(input))
      } else if case .index(let number)? = place.path.components.last, place.path != path {
        try remove(number, from: path)
      }
    }
    if !isBound, places.isEmpty { try append(.string(input), to: path) }
  }

  private struct Element {
    var path: ValuePath
    var node: DocumentNode

    var isTable: Bool { node.table != nil }
  }

  private func elements(at path: ValuePath) -> [Element] {
    switch node(at: path) {
    case .array(let array)?:
      array.elements.indices.map { Element(path: path[$0], node: array.elements[$0].node) }
    case let node?: [Element(path: path, node: node)]
    case nil: []
    }
  }

  /// The input; nil if it has a modifier or a layer, because its meaning differs then, and nil if `node` is not an
  /// input.
  private func input(of node: DocumentNode) -> String? {
    guard let table = node.table else { return node.text }
    let isPlain = table[BindingKey.whilePressed] == nil && table[BindingKey.when] == nil
    return isPlain ? table[BindingKey.input]?.text : nil
  }
}
