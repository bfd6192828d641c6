/// A TOML 1.0 document, and where its values stand in its text.
struct Document {
  let root: DocumentTable
  let text: SourceText
  /// What keeps the text from being TOML, in its order. What follows an error is read as far as it makes
  /// sense; not every error after the first needs to be found.
  let errors: [SyntaxError]

  init(_ bytes: [UInt8]) {
    text = SourceText(bytes)
    if let error = text.encodingError {
      (root, errors) = (DocumentTable(.header), [error])
      return
    }
    // The parser need not expect them anywhere.
    let mostShown = 10
    let forbidden = text.forbiddenCharacters(upTo: mostShown)
    guard forbidden.isEmpty else {
      (root, errors) = (DocumentTable(.header), forbidden)
      return
    }
    var parser = TOMLParser(text)
    parser.parseDocument()
    (root, errors) = (parser.root, parser.errors)
  }

  /// Where `path` is, or else the innermost thing around it that is there; nil for the document itself.
  func position(of path: ValuePath, atKey: Bool) -> SourcePosition? {
    var node = DocumentNode.table(root)
    var offset: Int?
    for component in path.components {
      switch (node, component) {
      case (.table(let table), .key(let key)):
        guard let entry = table.entry(key) else { return offset.map(text.position(at:)) }
        offset = atKey ? entry.keyOffset : entry.valueOffset ?? entry.keyOffset
        node = entry.node
      case (.array(let array), .index(let index)) where array.elements.indices.contains(index):
        offset = array.elements[index].offset
        node = array.elements[index].node
      default: return offset.map(text.position(at:))
      }
    }
    return offset.map(text.position(at:))
  }
}
