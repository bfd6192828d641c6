import FoundationEssentials

/// The keys of a manual page: the items `.It Cm` of its lists.
package struct ManualPage {
  package struct Item {
    /// Of the part of the page.
    package let heading: String
    /// Those that are described together.
    package let keys: [String]
    /// Everything that is said about them.
    package let words: [String]
  }

  package let items: [Item]

  /// The page at `path` in `Documentation/man`.
  package init(_ path: String) throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try String(contentsOfFile: "/\(root)/Documentation/man/\(path)", encoding: .utf8)
    var items: [Item] = []
    var heading = ""
    var keys: [String] = []
    var words: [String] = []
    func end() {
      if !keys.isEmpty { items.append(Item(heading: heading, keys: keys, words: words)) }
      (keys, words) = ([], [])
    }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ").map(String.init)
      switch parts[0] {
      case ".It" where parts.count > 2 && parts[1] == "Cm":
        end()
        keys = parts.dropFirst(2).prefix { $0 != "No" }.filter { $0 != "," }
      case ".It", ".El": end()
      case ".Ss", ".Sh":
        end()
        heading = parts.dropFirst().joined(separator: " ")
      default:
        let marks = line.replacing("\\(dq", with: " ").split {
          !$0.isLetter && !$0.isNumber && !"-./_@".contains($0)
        }
        words += marks.map { $0.hasSuffix(".") ? String($0.dropLast()) : String($0) }
      }
    }
    end()
    self.items = items
  }

  /// The item of `key` in the part with this heading; nil: there is none.
  package func item(_ key: String, in heading: String) -> Item? {
    items.first { $0.heading == heading && $0.keys.contains(key) }
  }
}
