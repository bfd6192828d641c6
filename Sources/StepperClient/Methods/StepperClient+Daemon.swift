public import StepperInterfaces

/// The daemon itself.
extension StepperClient {
  /// The state of the daemon.
  public func status() async throws(StepperClientError) -> ManagerInterface.GetStatus.Reply {
    try await call(ManagerInterface.GetStatus.self, .init())
  }

  /// Has the daemon read its configuration again, and returns the warnings.
  ///
  /// Throws `configurationInvalid` with all problems if it has errors; then nothing changes.
  @discardableResult
  public func reload() async throws(StepperClientError) -> [ManagerInterface.Problem] {
    try await call(ManagerInterface.Reload.self, .init()).problems
  }

  /// Checks the configuration `text` without using it, and returns its problems, which refer to it as `file`.
  public func check(
    _ text: String, file: String? = nil
  ) async throws(StepperClientError) -> [ManagerInterface.Problem] {
    try await call(ManagerInterface.Check.self, .init(text: text, file: file)).problems
  }

  /// Has the daemon write the remembered values to disk now.
  public func save() async throws(StepperClientError) {
    _ = try await call(ManagerInterface.Save.self, .init())
  }
}
