import StepperLinux

/// The saved values that could be read, and the messages for the log.
nonisolated struct ValueLoading: Sendable {
  /// The values that could be read. Controls that were configured last come first.
  private(set) var values: [(name: String, value: SavedValue)] = []
  private(set) var warnings: [String] = []
  /// The number of files that were set aside.
  private(set) var setAside: Int64 = 0
  /// Why the lock could not be taken although no other process has it. The files were then left as they were found, and
  /// must not be written.
  private(set) var lockFailure: LockFailure?

  /// Opens and locks the state directory and reads its files. An incomplete generation is set aside. The readable part
  /// of the newer generation is used; missing values are taken from the older one. Throws, and changes nothing, if
  /// another process has the lock or a resource is temporarily unavailable.
  static func load(_ file: inout StateFile) throws(LockFailure) -> ValueLoading {
    var loading = ValueLoading()
    do throws(LockFailure) {
      try file.open()
    } catch {
      if case .held = error { throw error }
      guard file.isOpen else { throw error }
      loading.lockFailure = error
    }
    let (newerFound, olderFound) = (try read(.newer, of: &file), try read(.older, of: &file))
    let newer = loading.examine(newerFound, as: .newer, of: &file)
    let older = loading.examine(olderFound, as: .older, of: &file)
    loading.values = newer?.values ?? []
    guard newer?.damage != nil || newer == nil, let older else { return loading }
    let found = Set(loading.values.map(\.name))
    loading.values += older.values.filter { !found.contains($0.name) }
    if newer == nil, loading.lockFailure == nil {
      loading.warnings.append("\(file.path) is missing; the values of the save before it are used")
    }
    return loading
  }

  private static func read(
    _ generation: StateFile.Generation, of file: inout StateFile
  ) throws(LockFailure) -> StateFile.Found {
    let found = file.read(generation, limit: ValueFile.largest)
    if case .unusable(let failure) = found, failure.isShortage { throw .failed(failure) }
    return found
  }

  /// nil if the file is absent or empty.
  private mutating func examine(
    _ found: StateFile.Found, as generation: StateFile.Generation, of file: inout StateFile
  ) -> ValueFile.Contents? {
    var contents = ValueFile.Contents()
    var fault: String
    let path = file.path(of: generation)
    switch found {
    case .nothing: return nil
    case .unusable(let failure):
      contents.damage = "\(failure)"
      fault = "\(failure)"
    case .content(let bytes, let problem):
      contents = ValueFile.decode(bytes)
      contents.damage = problem ?? contents.damage
      guard let damage = contents.damage else { return contents }
      fault = "\(path) is damaged: \(damage)"
    }
    // Without the lock, the damage is not reported yet: it is reported when something can be done about it.
    guard lockFailure == nil else { return contents }
    do throws(FileFailure) {
      fault += "; it is kept as \(try file.setAside(generation))"
      setAside += 1
    } catch {
      fault += "; \(error)"
    }
    if generation == .newer { fault += "; its readable part and the save before it are used" }
    warnings.append(fault)
    return contents
  }
}
