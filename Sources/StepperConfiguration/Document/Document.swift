/// A TOML 1.0 document with the positions of its values.
struct Document {
  let root: DocumentTable
  let text: SourceText
  /// In the order of the file; the first one has what precedes all headers.
  let sections: [DocumentSection]
  /// The violations of TOML, in order. Parsing continues after an error where possible; not every later error
  /// is found.
  let errors: [SyntaxError]

  init(_ bytes: [UInt8]) {
    text = SourceText(bytes)
    if let error = text.encodingError {
      (root, sections, errors) = (DocumentTable(.header), [], [error])
      return
    }
    // The parser need not expect them anywhere.
    let mostShown = 10
    let forbidden = text.forbiddenCharacters(upTo: mostShown)
    guard forbidden.isEmpty else {
      (root, sections, errors) = (DocumentTable(.header), [], forbidden)
      return
    }
    var parser = TOMLParser(text)
    parser.parseDocument()
    (root, sections, errors) = (parser.root, parser.sections, parser.errors)
  }

  /// The position of `path`, or of the innermost existing parent; nil for the document itself.
  func position(of path: ValuePath, atKey: Bool) -> SourcePosition? {
    var node = DocumentNode.table(root)
    var offset: Int?
    components: for component in path.components {
      switch (node, component) {
      case (.table(let table), .key(let key)):
        guard let entry = table.entry(key) else { break components }
        offset = atKey ? entry.keyOffset : entry.valueOffset ?? entry.keyOffset
        node = entry.node
      case (.array(let array), .index(let index)) where array.elements.indices.contains(index):
        offset = array.elements[index].offset
        node = array.elements[index].node
      default: break components
      }
    }
    return offset.map(text.position(at:))
  }
}
