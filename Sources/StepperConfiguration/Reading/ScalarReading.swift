import StepperCore

/// Values of one piece: absent keys are nil without a problem, wrong ones nil with one.
extension ConfigurationReader {
  mutating func boolean<Key>(_ section: Section<Key>, _ key: Key) -> Bool? {
    guard let item = section[key] else { return nil }
    guard case .boolean(let value) = item.node else {
      report("must be true or false, found \(item.node.found)", at: item.path)
      return nil
    }
    return value
  }

  mutating func text<Key>(_ section: Section<Key>, _ key: Key, upTo limit: Int = ConfigurationLimit.textBytes)
    -> String?
  {
    section[key].flatMap { text($0.node, at: $0.path, upTo: limit) }
  }

  /// A text that is not empty, of one line, and at most `limit` bytes long.
  mutating func text(_ node: DocumentNode, at path: ValuePath, upTo limit: Int = ConfigurationLimit.textBytes)
    -> String?
  {
    guard let text = anyText(node, at: path, upTo: limit) else { return nil }
    if text.isEmpty {
      report("must not be empty", at: path)
    } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      report("must not contain control characters, found \(quoted(text))", at: path)
    } else {
      return text
    }
    return nil
  }

  /// A text of at most `limit` bytes, which may be empty and have any characters; a document has no NUL.
  mutating func anyText(_ node: DocumentNode, at path: ValuePath, upTo limit: Int) -> String? {
    guard case .string(let text) = node else {
      report("must be a text in quotes, found \(node.found)", at: path)
      return nil
    }
    guard text.utf8.count <= limit else {
      report("is \(text.utf8.count) bytes long; at most \(limit) are allowed", at: path)
      return nil
    }
    return text
  }

  mutating func absolutePath<Key>(_ section: Section<Key>, _ key: Key, upTo limit: Int) -> String? {
    guard let text = text(section, key, upTo: limit) else { return nil }
    guard text.begins(with: "/") else {
      report(
        "must be an absolute path such as \"/run/stepperd\", found \(quoted(text))", at: section.path(of: key)
      )
      return nil
    }
    return text
  }

  /// One of the words of an enumeration.
  mutating func word<Key, Word: RawRepresentable<String> & CaseIterable>(
    _ section: Section<Key>, _ key: Key, of type: Word.Type
  ) -> Word? {
    section[key].flatMap { word($0.node, at: $0.path, of: type) }
  }

  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ node: DocumentNode, at path: ValuePath, of type: Word.Type
  ) -> Word? {
    if case .string(let text) = node, let word = Word(word: text) { return word }
    report(
      "must be one of \(type.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")), found \(node.found)",
      at: path
    ) { _ in
      if case .string(let text) = node {
        suggestion(for: text, among: type.allCases.map(\.rawValue))
      } else {
        nil
      }
    }
    return nil
  }

  mutating func integer<Key>(
    _ section: Section<Key>, _ key: Key, in range: ClosedRange<Int64>, or alternative: String = ""
  ) -> Int? {
    guard let item = section[key] else { return nil }
    guard let value = item.node.integerValue, range.contains(value) else {
      report(
        "must be an integer from \(range.lowerBound) to \(range.upperBound)\(alternative), found \(item.node.found)",
        at: item.path)
      return nil
    }
    return Int(value)
  }

  mutating func double<Key>(_ section: Section<Key>, _ key: Key, in range: ClosedRange<Double>) -> Double? {
    guard let item = section[key] else { return nil }
    guard let value = item.node.doubleValue, range.contains(value) else {
      report(
        "must be a number from \(FixedPoint(nearest: range.lowerBound) ?? 0) to \(FixedPoint(nearest: range.upperBound) ?? 0), found \(item.node.found)",
        at: item.path)
      return nil
    }
    return value
  }

  /// An exact decimal number.
  mutating func decimal<Key>(_ section: Section<Key>, _ key: Key) -> FixedPoint? {
    section[key].flatMap { decimal($0.node, at: $0.path) }
  }

  mutating func decimal(_ node: DocumentNode, at path: ValuePath, or alternative: String = "") -> FixedPoint?
  {
    if let number = node.decimalValue, number.units.magnitude <= FixedPoint.mostUnits { return number }
    switch node {
    case .integer:
      report("\(node.found) is too large; at most 1000000000000000000 is allowed", at: path)
    case .decimal:
      guard let double = node.doubleValue, double.isFinite else {
        report("must be a finite number\(alternative), found \(node.found)", at: path)
        return nil
      }
      report(
        "\(node.found) has more than nine decimal places, or more than eighteen digits in all", at: path)
    default:
      report("must be a number\(alternative), found \(node.found)", at: path)
    }
    return nil
  }
}
