internal import Glibc
internal import StepperCore
internal import SystemPackage

extension StateFile {
  /// How many files that were set aside are kept; older ones are removed.
  package static let mostSetAside = 5

  /// Renames the file of `generation` to a name with the date, so that it is not overwritten. Returns the new name.
  @discardableResult
  package mutating func setAside(_ generation: Generation) throws(FileFailure) -> String {
    let name = name(of: generation)
    let newName = try freeName()
    guard unsafe renameat(descriptor, name, descriptor, newName) == 0 else {
      throw failure("set aside", name)
    }
    if generation == .newer { forget() }
    removeOldest(but: newName)
    return newName
  }

  /// `values.json.20261121T224344Z`, followed by a number if this name exists.
  private func freeName() throws(FileFailure) -> String {
    let name = "\(self.name).\(Self.date())"
    let last = names.filter { $0.hasPrefix(name) }.map { Int($0.dropFirst(name.utf8.count + 1)) ?? 0 }.max()
    let number = last.map { "-\($0 < 9 ? "0" : "")\($0 + 1)" } ?? ""
    // Needed if the directory cannot be listed.
    guard try status(of: name + number) == nil else {
      throw failure("set aside", self.name, .errno(.fileExists))
    }
    return name + number
  }

  private static func date() -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let day = unsafe [parts.tm_mon + 1, parts.tm_mday].map { $0.digits(2) }.joined()
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.digits(2) }.joined()
    return unsafe (parts.tm_year + 1_900).digits(4) + "\(day)T\(time)Z"
  }

  /// Removes the oldest files. `newest` is kept even if its date is the oldest, because of a wrong clock.
  private func removeOldest(but newest: String) {
    let others = names.filter { $0.hasPrefix("\(name).") && $0 != newest }.sorted()
    for name in others.dropLast(Self.mostSetAside - 1) { _ = unsafe unlinkat(descriptor, name, 0) }
  }

  /// The names in the directory; empty if the directory cannot be read.
  private var names: [String] {
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = unsafe fdopendir(copy) else {
      Glibc.close(copy)
      return []
    }
    return unsafe StepperLinux.names(stream)
  }
}
