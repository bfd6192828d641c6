/// A value of the document, where it is, and where its problems are reported.
///
/// The functions that read it return nil if it is not what they read, and have reported why then.
struct ConfigurationValue {
  let node: DocumentNode
  let path: ValuePath
  let problems: ProblemList

  func report(
    _ message: @autoclosure () -> String, _ spot: ProblemList.Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: () -> String? = { nil }
  ) {
    problems.report(message(), at: path, spot, severity: severity, suggesting: suggestion)
  }

  // MARK: Values of many pieces

  /// Its elements if it is an array, else itself. More than `most` are one problem, and those are left out.
  func elements(upTo most: Int) -> [ConfigurationValue] {
    guard case .array(let array) = node else { return [self] }
    if array.elements.count > most {
      report("has \(array.elements.count) values; at most \(most) are allowed")
    }
    return elements(of: array).prefix(most).map { $0 }
  }

  func elements(of array: DocumentArray) -> some RandomAccessCollection<ConfigurationValue> {
    array.elements.indices.lazy.map {
      ConfigurationValue(node: array.elements[$0].node, path: path[$0], problems: problems)
    }
  }

  /// The entries of `table`, which this is, whatever their keys are.
  func entries(of table: DocumentTable) -> some RandomAccessCollection<
    (key: String, value: ConfigurationValue)
  > {
    table.entries.lazy.map {
      (key: $0.key, value: ConfigurationValue(node: $0.node, path: path[$0.key], problems: problems))
    }
  }

  /// The first `most` entries; more are one problem. `what` they are is in the plural.
  func entries(of table: DocumentTable, upTo most: Int, _ what: String)
    -> [(key: String, value: ConfigurationValue)]
  {
    if table.entries.count > most {
      report("has \(table.entries.count) \(what); at most \(most) are allowed")
    }
    return Array(entries(of: table).prefix(most))
  }

  /// The tables `[device.NAME]` or `[control.NAME]` in the order of the file. Names are made of `allowed` bytes.
  func namedTables(upTo most: Int, _ allowed: String, isAllowed: (UInt8) -> Bool)
    -> [(name: String, value: ConfigurationValue)]
  {
    guard case .table(let table) = node else {
      report("must be tables [\(path).NAME], found \(node.found)")
      return []
    }
    let tables = entries(of: table).map { (name: $0.key, value: $0.value) }
    for (name, value) in tables {
      if name.isEmpty || !name.utf8.allSatisfy(isAllowed) {
        value.report("the name \(quoted(name)) must be made of \(allowed)", .key)
      } else if name.utf8.count > ConfigurationLimit.nameBytes {
        value.report(
          "the name is \(name.utf8.count) bytes long; at most \(ConfigurationLimit.nameBytes) are allowed",
          .key
        )
      }
    }
    if tables.count > most {
      tables[most].value.report("\(tables.count) tables; at most \(most) are allowed", .key)
    }
    return Array(tables.prefix(most))
  }
}

/// Whether names of devices, controls and profiles may have this byte.
func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
    UInt8(ascii: "-"):
    true
  default: false
  }
}
