/// The path of a value in a document: `control.volume.repeat.stages[1].interval`.
package struct ValuePath: Hashable, Sendable {
  package enum Component: Hashable, Sendable {
    case key(String)
    /// Place in an array, from 0.
    case index(Int)
  }

  package var components: [Component] = []

  package static let root = ValuePath()

  package subscript(key: String) -> ValuePath { ValuePath(components: components + [.key(key)]) }
  package subscript(index: Int) -> ValuePath { ValuePath(components: components + [.index(index)]) }

  /// Without the last component; that of the document itself has none.
  var parent: ValuePath { ValuePath(components: components.dropLast()) }

  /// Its components that are keys.
  var keys: [String] {
    components.compactMap { component in if case .key(let key) = component { key } else { nil } }
  }

  var lastKey: String? {
    guard case .key(let key) = components.last else { return nil }
    return key
  }
}

extension ValuePath: CustomStringConvertible {
  /// As one would write it in TOML: keys that are not bare are quoted, and so are long ones, of which only the
  /// beginning is shown. Of a deep path the middle is left out.
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
