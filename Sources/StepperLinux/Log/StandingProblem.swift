/// A problem that lasts. ``change(to:)`` tells what to report of it, so that it is not reported each time it is met.
package struct StandingProblem: Hashable, Sendable {
  /// The problem, for people; nil: there is none.
  package private(set) var text: String?
  /// The number of changes of ``text``.
  package private(set) var revision = 0

  package enum Change: Hashable, Sendable {
    case begun
    /// The problem is another one.
    case replaced
    case ended
  }

  package init(_ text: String? = nil) { self.text = text }

  /// Sets the problem and returns the change; nil: there is no change.
  @discardableResult
  package mutating func change(to new: String?) -> Change? {
    guard new != text else { return nil }
    defer { text = new }
    revision += 1
    return text == nil ? .begun : new == nil ? .ended : .replaced
  }
}
