extension ControlInterface.Description {
  /// The title in the first of `languages` that it is translated to, else `title`; nil if it has none.
  ///
  /// `languages` are tags such as `de-AT`; where there is none for Austria, `de` will do. Takes time proportional to the
  /// length of the tags, whatever they are.
  public func title(for languages: [String]) -> String? {
    Self.translation(in: titles ?? [:], for: languages) ?? title
  }

  /// The heading of its group in the first of `languages` that it is translated to, else its title, else the name of the
  /// group; nil if it is in none.
  public func groupTitle(for languages: [String]) -> String? {
    Self.translation(in: groupTitles ?? [:], for: languages) ?? groupTitle ?? group
  }

  /// How people are shown the choice `name`: its title in the first of `languages` that it is translated to, else its
  /// title; nil if there is no such choice, or no title.
  public func choiceTitle(of name: String, for languages: [String]) -> String? {
    guard let place = choices?.firstIndex(of: name) else { return nil }
    func element<Element>(of list: [Element]?) -> Element? {
      list.flatMap { $0.indices.contains(place) ? $0[place] : nil }
    }
    return Self.translation(in: element(of: choiceTranslations) ?? [:], for: languages)
      ?? element(of: choiceTitles)
  }

  private static func translation(in titles: [String: String], for languages: [String]) -> String? {
    let titles = Dictionary(
      titles.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    let longest = titles.keys.map(\.utf8.count).max() ?? 0
    guard longest > 0 else { return nil }
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
    return nil
  }
}
