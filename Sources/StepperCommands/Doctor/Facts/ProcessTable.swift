/// The processes of the machine, and which of them have input devices open.
struct ProcessTable: Hashable, Sendable {
  var processes: [ProcessFacts] = []
  /// By node.
  var openers: [String: [ProcessFacts]] = [:]
  /// Whether the descriptors of every process could be read, which needs root.
  var seesAll = false

  init() {}

  /// Reads only names and links, because the arguments of a hanging process cannot be read.
  init(_ root: SystemRoot) {
    seesAll = true
    for entry in root.names("/proc") {
      guard let number = Int32(entry), let name = root.line("/proc/\(entry)/comm"),
        let status = root.status("/proc/\(entry)")
      else { continue }
      var process = ProcessFacts(number: number, name: name, user: status.owner)
      let descriptors = root.names("/proc/\(entry)/fd")
      // Every living process has descriptors, except kernel threads, which have no program.
      if descriptors.isEmpty, root.link("/proc/\(entry)/exe") == nil, !root.isKernelThread(entry) {
        seesAll = false
      }
      let nodes = descriptors.compactMap { root.link("/proc/\(entry)/fd/\($0)") }.filter {
        $0.hasPrefix("/dev/input/")
      }
      process.inputCount = Set(nodes).count
      processes.append(process)
      for node in Set(nodes) { openers[node, default: []].append(process) }
    }
  }
}

extension SystemRoot {
  /// The flag PF_KTHREAD in the ninth field of `stat`; the second one may contain spaces and parentheses.
  fileprivate func isKernelThread(_ process: String) -> Bool {
    guard let line = line("/proc/\(process)/stat"), let end = line.lastIndex(of: ")") else { return true }
    let fields = line[line.index(after: end)...].split(separator: " ")
    return fields.count > 6 && (UInt64(fields[6]) ?? 0) & 0x0020_0000 != 0
  }
}
