// The conformance of a public type is public, so the modules of its protocol and its type are imported publicly.
public import ArgumentParser
public import StepperClient

extension DeviceInterface.Effect: ExpressibleByArgument {}

/// The action of a button, by the name that the configuration has for it: `page-increment`.
extension ControlInterface.Action: ExpressibleByArgument {
  /// Nil for a text that names no action.
  public init?(argument: String) {
    guard let action = Self.allCases.first(where: { $0.key == argument }) else { return nil }
    self = action
  }

  /// The names of all actions.
  public static var allValueStrings: [String] { allCases.map(\.key) }

  private var key: String {
    rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }
}
