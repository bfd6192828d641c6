extension ControlInterface.Description {
  /// The title in the first of `languages` that it is translated to, else `title`; nil if it has none.
  ///
  /// `languages` are tags such as `de-AT`; where there is none for Austria, `de` will do.
  public func title(for languages: [String]) -> String? {
    let titles = Dictionary(
      (titles ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    for language in languages {
      var parts = language.lowercased().split(separator: "-")
      while !parts.isEmpty {
        if let title = titles[parts.joined(separator: "-")] { return title }
        parts.removeLast()
      }
    }
    return title
  }
}
