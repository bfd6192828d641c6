/// The path of a value in a document: `control.volume.repeat.stages[1].interval`.
package struct ValuePath: Hashable, Sendable {
  package enum Component: Hashable, Sendable {
    case key(String)
    /// An index into an array, from 0.
    case index(Int)
  }

  package var components: [Component] = []

  package static let root = ValuePath()

  package subscript(key: String) -> ValuePath { ValuePath(components: components + [.key(key)]) }
  package subscript(index: Int) -> ValuePath { ValuePath(components: components + [.index(index)]) }

  /// The path without its last component. The path of the document itself has no components.
  var parent: ValuePath { ValuePath(components: components.dropLast()) }

  /// The components that are keys.
  var keys: [String] {
    components.compactMap { component in if case .key(let key) = component { key } else { nil } }
  }

  var lastKey: String? {
    guard case .key(let key) = components.last else { return nil }
    return key
  }
}

extension ValuePath: CustomStringConvertible {
  /// The path as written in TOML. Keys that are not bare are quoted. Long keys are quoted too, and truncated. The
  /// middle of a deep path is left out.
  package var description: String {
    let mostShown = 8
    let isDeep = components.count > mostShown
    let shown = isDeep ? components.prefix(mostShown / 2) + components.suffix(mostShown / 2) : components[...]
    var text = ""
    for (index, component) in zip(0..., shown) {
      if isDeep, index == mostShown / 2 { text += ".…" }
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += (text.isEmpty ? "" : ".") + (isBareKey(key) ? key : quoted(key))
      }
    }
    return text
  }
}

/// Whether `key` is a bare key of TOML.
func isBareKey(_ key: String) -> Bool {
  !key.isEmpty && key.utf8.count <= 64 && key.utf8.allSatisfy(isBareKeyByte)
}
