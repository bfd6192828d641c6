/// A value of the document with its path, and the list to which its problems are reported.
///
/// The functions that read it return nil for a value of the wrong kind, after they have reported why.
package struct ConfigurationValue {
  package let node: DocumentNode
  let path: ValuePath
  let problems: ProblemList

  package func report(
    _ message: @autoclosure () -> String, _ spot: ProblemList.Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: () -> String? = { nil }
  ) {
    problems.report(message(), at: path, spot, severity: severity, suggesting: suggestion)
  }

  /// Reports an error and returns nil, for functions that read a value.
  package func refuse<Value>(
    _ message: @autoclosure () -> String, _ spot: ProblemList.Spot = .value,
    suggesting suggestion: () -> String? = { nil }
  ) -> Value? {
    report(message(), spot, suggesting: suggestion)
    return nil
  }

  // MARK: Values of many pieces

  /// The elements of an array, or else the value itself. More than `most` elements are reported once, and the excess is
  /// left out.
  package func elements(upTo most: Int) -> [ConfigurationValue] {
    guard case .array(let array) = node else { return [self] }
    if array.elements.count > most {
      report("has \(array.elements.count) values; at most \(most) are allowed")
    }
    return Array(elements(of: array).prefix(most))
  }

  func elements(of array: DocumentArray) -> some RandomAccessCollection<ConfigurationValue> {
    array.elements.indices.lazy.map {
      ConfigurationValue(node: array.elements[$0].node, path: path[$0], problems: problems)
    }
  }

  typealias Entry = (key: String, value: ConfigurationValue)

  /// The value as a table. If it is none, reports that it must be `what` and returns nil.
  func table(_ what: String = "a table") -> DocumentTable? {
    node.table ?? refuse("must be \(what), found \(node.found)")
  }

  /// The entries of `table`, which is this value, with any keys.
  func entries(of table: DocumentTable) -> some RandomAccessCollection<Entry> {
    table.entries.lazy.map {
      (key: $0.key, value: ConfigurationValue(node: $0.node, path: path[$0.key], problems: problems))
    }
  }

  /// The entries of a table. Any other value is reported and has none. More than `most` entries are reported once, as
  /// `plural`, and the excess is left out.
  func entries(_ what: String = "a table", upTo most: Int = .max, _ plural: String = "") -> [Entry] {
    guard let table = table(what) else { return [] }
    if table.entries.count > most {
      report("has \(table.entries.count) \(plural); at most \(most) are allowed")
    }
    return Array(entries(of: table).prefix(most))
  }

  /// The tables such as `[device.NAME]` in the order of the file. Names may have lower-case letters, digits, `-`, `_`
  /// and `mark`.
  func namedTables(upTo most: Int, with mark: Unicode.Scalar? = nil)
    -> [(name: String, value: ConfigurationValue)]
  {
    let tables = entries("tables [\(path).NAME]").map { (name: $0.key, value: $0.value) }
    for (name, value) in tables {
      if !isTableName(name, with: mark) {
        let marks = "\(mark.map { "\($0), " } ?? "")- and _"
        value.report("the name \(quoted(name)) must be made of lower-case letters, digits, \(marks)", .key)
      } else if name.utf8.count > ConfigurationLimit.nameBytes {
        let most = ConfigurationLimit.nameBytes
        value.report("the name is \(name.utf8.count) bytes long; at most \(most) are allowed", .key)
      }
    }
    if tables.count > most {
      tables[most].value.report("\(tables.count) tables; at most \(most) are allowed", .key)
    }
    return Array(tables.prefix(most))
  }
}

/// Whether `name` consists of lower-case letters, digits, `-`, `_` and `mark`.
package func isTableName(_ name: String, with mark: Unicode.Scalar?) -> Bool {
  !name.isEmpty
    && name.utf8.allSatisfy { byte in
      isBareKeyByte(byte) && !("A"..."Z" ~= byte) || mark.map { $0 ~= byte } ?? false
    }
}
