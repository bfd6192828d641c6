internal import StepperCore
internal import StepperLinux
internal import StepperText

/// The rules of udev and its hardware database.
struct UdevFacts: Hashable, Sendable {
  /// The rules of stepperd in force; nil if they are not installed.
  var rules: String?
  /// A link to `/dev/null`, or an empty file, that hides the rules.
  var mask: String?
  var entries: [HardwareEntry] = []
  /// The compiled database that udev reads.
  var database: String?
  /// Whether the compiled database contains entries of stepperd.
  var databaseHasEntries = false
  /// The time when the database was compiled; ``changed`` is the last change of its sources. Both in seconds since
  /// 1970.
  var compiled: Int64 = 0
  var changed: Int64 = 0
  var isRunning = true

  init() {}

  static let rulesName = "70-stepperd.rules"
  private static let directories = [
    "/etc/udev", "/run/udev", "/usr/local/lib/udev", "/usr/lib/udev", "/lib/udev",
  ]

  init(_ root: SystemRoot) {
    isRunning = root.exists("/run/udev/control")
    for path in Self.directories.map({ "\($0)/rules.d/\(Self.rulesName)" }) where rules == nil && mask == nil
    {
      if root.link(path) == "/dev/null" {
        mask = path
      } else if let text = root.text(path) {
        if text.has("STEPPERD_DEVICE") { rules = path } else { mask = path }
      }
    }
    readEntries(root)
    for path in [
      "/etc/udev/hwdb.bin", "/usr/lib/systemd/hwdb/hwdb.bin", "/usr/lib/udev/hwdb.bin", "/lib/udev/hwdb.bin",
    ]
    where database == nil {
      guard let status = root.status(path), status.kind == .file else { continue }
      database = path
      compiled = status.modified
      databaseHasEntries = root.contains("STEPPERD_DEVICE", in: path)
    }
  }

  private mutating func readEntries(_ root: SystemRoot) {
    var files: [String: String] = [:]
    for directory in Self.directories.map({ "\($0)/hwdb.d" }) {
      for file in root.names(directory) where file.hasSuffix(".hwdb") && files[file] == nil {
        files[file] = "\(directory)/\(file)"
      }
    }
    for (_, path) in files.sorted(by: { $0.key < $1.key }) {
      // Most source files of the database are large and have no entry of stepperd.
      guard root.contains("STEPPERD_DEVICE", in: path), let text = root.text(path) else { continue }
      entries += HardwareEntry.list(text, file: path)
      changed = max(changed, root.status(path)?.modified ?? 0)
    }
  }

  /// The entry in force for a device. If several match, the last one is in force.
  func entry(for input: InputFacts) -> HardwareEntry? {
    let keys = [
      "stepperd:input:\(input.modalias)", "stepperd:name:\(input.identity.name):input:\(input.modalias)",
    ]
    return entries.last { entry in keys.contains { entry.matches($0) } }
  }
}

/// A lookup key of a hardware database with its `STEPPERD_DEVICE`.
struct HardwareEntry: Hashable, Sendable {
  var pattern: String
  var isGiven: Bool
  var file: String

  /// A lookup key for one device: name, bus, vendor and product. Other nodes of the same hardware, such as its
  /// keyboard, have other names.
  static func pattern(for input: InputFacts) -> String {
    let modalias = input.modalias.prefix { $0 != "e" }
    let name = input.identity.name.unicodeScalars.map { scalar in
      switch scalar {
      case "*", "?", "[", "]", "\\": "?"
      case " ": " "
      case _ where scalar.value > 0x20 && scalar.value < 0x7f: String(scalar)
      default: "*"
      }
    }.joined()
    // The rule quotes the name in apostrophes, so a name with one is not looked up.
    guard !name.contains("'"), !name.isEmpty else { return "stepperd:input:\(modalias)e*" }
    return "stepperd:name:\(name):input:\(modalias)e*"
  }

  func matches(_ key: String) -> Bool { shellGlob(pattern, matches: key) }

  /// Reads entries: a group of keys, then indented properties, as in hwdb(7).
  static func list(_ text: String, file: String) -> [HardwareEntry] {
    var entries: [HardwareEntry] = []
    var keys: [String] = []
    var hasProperties = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !line.hasPrefix("#") {
      if line.hasPrefix(" ") {
        hasProperties = true
        guard line.dropFirst().hasPrefix("STEPPERD_DEVICE=") else { continue }
        let isGiven = line.hasSuffix("=1")
        entries += keys.map { HardwareEntry(pattern: $0, isGiven: isGiven, file: file) }
      } else {
        if hasProperties || line.isEmpty { keys = [] }
        hasProperties = false
        if !line.isEmpty { keys.append(String(line)) }
      }
    }
    return entries
  }
}
