/// A command that is run when something happens to a control.
package struct HookSettings: Hashable, Sendable {
  /// What the configuration calls it, such as `on-change`.
  package var name: String
  /// The program, a path or a name that is looked up in `PATH`, and its arguments. No shell reads them.
  package var command: [String]
  /// It is started only when nothing has happened for so long.
  package var debounce: Duration?
  /// The least time between two starts; nil: none. Each start is a moment in which the daemon serves nobody.
  package var interval: Duration?
  /// After so long it is ended, with every process it started.
  package var timeout: Duration

  /// A person turning a knob does not notice it.
  package static let defaultInterval = Duration.milliseconds(50)
  package static let defaultTimeout = Duration.seconds(10)

  package init(
    name: String, command: [String], debounce: Duration? = nil, interval: Duration? = defaultInterval,
    timeout: Duration = defaultTimeout
  ) {
    self.name = name
    self.command = command
    self.debounce = debounce
    self.interval = interval
    self.timeout = timeout
  }
}
