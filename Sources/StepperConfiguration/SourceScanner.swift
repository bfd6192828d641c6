/// Walks over the text of a TOML document and notes where keys and values are: see ``SourceMap``.
///
/// It never fails: what it does not understand it skips to the end of the line, and what follows is found
/// again as soon as the text makes sense again.
struct SourceScanner {
  private(set) var entries: [ValuePath: SourceMap.Entry] = [:]
  private(set) var obstacle: (kind: SourceMap.Obstacle, offset: Int)?
  var cursor: ByteCursor
  /// How many `[[…]]` there were of each path.
  private var tableCounts: [ValuePath: Int] = [:]

  init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes)
  }

  mutating func scanDocument() {
    if let nul = cursor.bytes.firstIndex(of: 0) { hinder(.nul, at: nul) }
    cursor.skipByteOrderMark()
    var table = ValuePath.root
    while true {
      cursor.skipTrivia()
      guard let byte = cursor.peek else { return }
      if byte == UInt8(ascii: "[") {
        if let header = scanHeader() { table = header }
      } else if !scanAssignment(in: table) {
        cursor.skipLine()
      }
    }
  }

  private mutating func hinder(_ kind: SourceMap.Obstacle, at offset: Int) {
    if obstacle == nil { obstacle = (kind, offset) }
  }

  private mutating func note(_ path: ValuePath, key: Int, value: Range<Int>? = nil) {
    if path.components.count > SourceMap.deepestNesting { hinder(.nesting, at: key) }
    if entries[path] == nil || value != nil { entries[path] = SourceMap.Entry(key: key, value: value) }
  }

  /// `[a.b]` or `[[a.b]]`: the path of what follows.
  private mutating func scanHeader() -> ValuePath? {
    let start = cursor.offset
    cursor.advance()
    let isElement = cursor.take("[")
    cursor.skipBlanks()
    if !cursor.isAtKey { hinder(.noKey, at: cursor.offset) }
    guard let keys = scanDottedKey() else {
      cursor.skipLine()
      return nil
    }
    var path = ValuePath.root
    for (place, key) in keys.enumerated() {
      path = path[key.text]
      let isLast = place == keys.count - 1
      note(path, key: start)
      if isLast, isElement {
        let index = tableCounts[path, default: 0]
        tableCounts[path] = index + 1
        path = path[index]
        note(path, key: start)
      } else if let count = tableCounts[path], count > 0, !isLast {
        path = path[count - 1]
      }
    }
    cursor.skipLine()
    return path
  }

  /// `a.b = value`; false if it is none.
  private mutating func scanAssignment(in table: ValuePath) -> Bool {
    guard let keys = scanDottedKey() else { return false }
    cursor.skipBlanks()
    guard cursor.take("=") else { return false }
    var path = table
    for key in keys.dropLast() {
      path = path[key.text]
      note(path, key: key.offset)
    }
    guard let last = keys.last else { return false }
    cursor.skipBlanks()
    return scanValue(at: path[last.text], key: last.offset)
  }

  private mutating func scanValue(at path: ValuePath, key: Int) -> Bool {
    let start = cursor.offset
    note(path, key: key, value: start..<start)
    guard path.components.count <= SourceMap.deepestNesting else { return false }
    if cursor.isAtEndOfValue { hinder(.noValue, at: start) }
    let isWhole: Bool
    switch cursor.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      isWhole = scanString() != nil
    case UInt8(ascii: "["):
      isWhole = scanArray(at: path)
    case UInt8(ascii: "{"):
      isWhole = scanInlineTable(at: path)
    default:
      isWhole = cursor.skipScalar()
    }
    note(path, key: key, value: start..<cursor.offset)
    return isWhole
  }

  private mutating func scanArray(at path: ValuePath) -> Bool {
    cursor.advance()
    var index = 0
    while true {
      cursor.skipTrivia()
      if cursor.take("]") { return true }
      guard cursor.peek != nil, scanValue(at: path[index], key: cursor.offset) else { return false }
      index += 1
      cursor.skipTrivia()
      guard cursor.take(",") else { return cursor.take("]") }
    }
  }

  private mutating func scanInlineTable(at path: ValuePath) -> Bool {
    cursor.advance()
    while true {
      cursor.skipTrivia()
      if cursor.take("}") { return true }
      guard cursor.peek != nil, scanAssignment(in: path) else { return false }
      cursor.skipTrivia()
      guard cursor.take(",") else { return cursor.take("}") }
    }
  }

  private mutating func scanDottedKey() -> [(text: String, offset: Int)]? {
    var keys: [(text: String, offset: Int)] = []
    repeat {
      cursor.skipBlanks()
      let offset = cursor.offset
      switch cursor.peek {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let text = scanString() else { return nil }
        keys.append((text, offset))
      default:
        guard let text = cursor.takeBareKey() else { return nil }
        keys.append((text, offset))
      }
      if keys.count > SourceMap.deepestNesting {
        hinder(.nesting, at: offset)
        return nil
      }
      cursor.skipBlanks()
    } while cursor.take(".")
    return keys
  }

  /// Any of the four kinds of strings; nil if it does not end.
  private mutating func scanString() -> String? {
    let start = cursor.offset
    let (text, hasNUL) = cursor.takeString()
    if hasNUL { hinder(.nul, at: start) }
    return text
  }
}
