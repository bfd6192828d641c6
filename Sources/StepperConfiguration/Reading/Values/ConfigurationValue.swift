/// A value of the document, where it is, and where its problems are reported.
///
/// The functions that read it return nil if it is not what they read, and have reported why then.
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

  /// Reports an error, and returns the nil of a function that reads.
  package func refuse<Value>(
    _ message: @autoclosure () -> String, _ spot: ProblemList.Spot = .value,
    suggesting suggestion: () -> String? = { nil }
  ) -> Value? {
    report(message(), spot, suggesting: suggestion)
    return nil
  }

  // MARK: Values of many pieces

  /// Its elements if it is an array, else itself. More than `most` are one problem, and those are left out.
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

  /// As a table; `what` it must be is for the report if it is none.
  func table(_ what: String = "a table") -> DocumentTable? {
    node.table ?? refuse("must be \(what), found \(node.found)")
  }

  /// The entries of `table`, which this is, whatever their keys are.
  func entries(of table: DocumentTable) -> some RandomAccessCollection<Entry> {
    table.entries.lazy.map {
      (key: $0.key, value: ConfigurationValue(node: $0.node, path: path[$0.key], problems: problems))
    }
  }

  /// The entries if it is a table, else none, which is reported. More than `most` are one problem, and those are
  /// left out; `plural` is what they are.
  func entries(_ what: String = "a table", upTo most: Int = .max, _ plural: String = "") -> [Entry] {
    guard let table = table(what) else { return [] }
    if table.entries.count > most {
      report("has \(table.entries.count) \(plural); at most \(most) are allowed")
    }
    return Array(entries(of: table).prefix(most))
  }

  /// The tables `[device.NAME]` or `[control.NAME]` in the order of the file. Names are made of bare keys' small
  /// letters, digits and marks, and of `mark`.
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

/// Whether `name` is made of bare keys' small letters, digits and marks, and of `mark`.
package func isTableName(_ name: String, with mark: Unicode.Scalar?) -> Bool {
  !name.isEmpty
    && name.utf8.allSatisfy { byte in
      isBareKeyByte(byte) && !("A"..."Z" ~= byte) || mark.map { $0 ~= byte } ?? false
    }
}
