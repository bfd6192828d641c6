import StepperConfiguration
import StepperSystem
import SystemPackage

extension ConfigurationFile.Loaded {
  /// The number of `socket-group`; nil: none is set.
  func socketGroup() throws(ConfigurationFailure) -> UInt32? {
    guard let name = configuration.daemon.socketGroup else { return nil }
    return try requireGroup(name, keyPath: "daemon.socket-group", file: self.name)
  }
}

extension UnixListener {
  /// The socket that the service manager handed over, or one bound at `path`.
  static func forDaemon(
    path: String, group: UInt32?, scope: Places.Scope, warn: (_ problem: String) -> Void
  ) throws(StartFailure) -> UnixListener {
    if let inherited = ListenDescriptors.take(warn: warn).first {
      return UnixListener(inheriting: OwnedFileDescriptor(owning: inherited.rawValue))
    }
    let directory = FilePath(path).removingLastComponent()
    do throws(Errno) {
      let isUsers = scope == .user
      try createDirectory(directory, permissions: FilePermissions(rawValue: isUsers ? 0o700 : 0o755))
      // The user's own directory keeps others out; a system's daemon lets its group in, or everybody.
      let mode: UInt32 = isUsers ? 0o600 : group == nil ? 0o666 : 0o660
      return try UnixListener(path: path, mode: mode, group: group)
    } catch .addressInUse {
      throw .unavailable("another stepperd is running and answers at \(path); stop it, or use --socket")
    } catch {
      let message = "cannot listen at \(path): \(error)"
      let isPermission = [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(error)
      guard isPermission else { throw .system(message) }
      throw .noPermission("\(message); use --user, or --socket PATH with a path you may write")
    }
  }
}
