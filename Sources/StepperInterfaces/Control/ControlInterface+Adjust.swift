public import Varlink

extension ControlInterface {
  /// Change the range or the steps while running, until the next reload. What happens when the minimum would
  /// exceed the maximum, and to a value that is outside the new range, is the control's configuration. Ends are
  /// rounded to the control's precision; a step or page that would be is refused.
  public enum Adjust: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Adjust"

    /// What it is called with; nil means unchanged.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the control.
      public var control: String
      /// The lower end of the range.
      public var minimum: Double?
      /// The upper end of the range.
      public var maximum: Double?
      /// Change of the value for one step.
      public var step: Double?
      /// Change of the value for one page.
      public var page: Double?

      /// Its fields, in the order of the interface description.
      public init(
        control: String, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
        page: Double? = nil
      ) {
        self.control = control
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.page = page
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What it is now.
      public var description: Description
      /// How it stands.
      public var state: State

      /// Its fields, in the order of the interface description.
      public init(description: Description, state: State) {
        self.description = description
        self.state = state
      }
    }
  }
}
