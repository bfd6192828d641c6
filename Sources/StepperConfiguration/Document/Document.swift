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
    for component in path.components {
      guard let entry = node[component] else { break }
      offset = atKey ? entry.offset : entry.value?.lowerBound ?? entry.offset
      node = entry.node
    }
    return offset.map(text.position(at:))
  }

  /// nil: there is nothing at `path`, or it is that of the document itself.
  func entry(at path: ValuePath) -> DocumentEntry? {
    var entry: DocumentEntry?
    for component in path.components {
      entry = (entry?.node ?? .table(root))[component]
      guard entry != nil else { return nil }
    }
    return entry
  }
}
