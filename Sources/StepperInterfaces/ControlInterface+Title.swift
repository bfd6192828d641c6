extension ControlInterface.Description {
  /// The title in the first of `languages` that it is translated to, else `title`; nil if it has none.
  ///
  /// `languages` are tags such as `de-AT`; where there is none for Austria, `de` will do. Takes time proportional to the
  /// length of the tags, whatever they are.
  public func title(for languages: [String]) -> String? {
    let titles = Dictionary(
      (titles ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    let longest = titles.keys.map(\.utf8.count).max() ?? 0
    for language in languages {
      // Of more parts than the longest tag has bytes, all are too long.
      let parts = language.split(separator: "-", maxSplits: longest + 1).prefix(longest + 1)
      var tag = ""
      var found: String?
      for part in parts {
        tag += (tag.isEmpty ? "" : "-") + part.lowercased()
        guard tag.utf8.count <= longest else { break }
        found = titles[tag] ?? found
      }
      if let found { return found }
    }
    return title
  }
}
