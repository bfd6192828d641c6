/// A TOML 1.0 document with the positions of its values.
struct Document {
  let root: DocumentTable
  let text: SourceText
  /// In the order of the file; the first section holds everything before the first header.
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
    // The parser relies on the absence of these characters.
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
    entries(along: path).last.map { entry in
      text.position(at: atKey ? entry.offset : entry.value?.lowerBound ?? entry.offset)
    }
  }

  /// The entry at `path`; nil if nothing is there, or if `path` is that of the document itself.
  func entry(at path: ValuePath) -> DocumentEntry? {
    let entries = entries(along: path)
    return entries.count == path.components.count ? entries.last : nil
  }

  /// The entries on the way to `path`, as far as they exist.
  private func entries(along path: ValuePath) -> [DocumentEntry] {
    var entries: [DocumentEntry] = []
    for component in path.components {
      guard let entry = (entries.last?.node ?? .table(root))[component] else { break }
      entries.append(entry)
    }
    return entries
  }
}
