public import Varlink

extension ControlInterface {
  /// All controls with description and state. `match` is a shell pattern (* and ?) on the name; absent
  /// means all.
  public enum List: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.List"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// A shell pattern (`*` and `?`) on the name; nil: all.
      public var match: String?

      /// Its fields, in the order of the interface description.
      public init(match: String? = nil) {
        self.match = match
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What sequence numbers can be compared within; opaque.
      public var instance: String
      /// The sequence number of the newest change.
      public var sequence: Int64
      /// The controls.
      public var controls: [Control]

      /// Its fields, in the order of the interface description.
      public init(instance: String, sequence: Int64, controls: [Control]) {
        self.instance = instance
        self.sequence = sequence
        self.controls = controls
      }
    }
  }

  /// One control.
  public enum Get: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Get"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the control.
      public var control: String

      /// Its fields, in the order of the interface description.
      public init(control: String) {
        self.control = control
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// How it stands.
      public var state: State

      /// Its fields, in the order of the interface description.
      public init(state: State) {
        self.state = state
      }
    }
  }

  /// Set a value. Exactly one of `value` and `text` must be given; anything else is InvalidParameter. The
  /// value is rounded to the control's digits. Values outside the range are an error unless `clamp` is
  /// true. With `ifSequence` the change is made only if the control's sequence is still that one.
  public enum Set: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Set"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the control.
      public var control: String
      /// The value as a number.
      public var value: Double?
      /// The value as text.
      public var text: String?
      /// Whether a value outside the range is moved to its nearest end instead of refused.
      public var clamp: Bool?
      /// Change only if the sequence number of the control is still this.
      public var ifSequence: Int64?

      /// Its fields, in the order of the interface description.
      public init(
        control: String, value: Double? = nil, text: String? = nil, clamp: Bool? = nil,
        ifSequence: Int64? = nil
      ) {
        self.control = control
        self.value = value
        self.text = text
        self.clamp = clamp
        self.ifSequence = ifSequence
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// How it stands.
      public var state: State

      /// Its fields, in the order of the interface description.
      public init(state: State) {
        self.state = state
      }
    }
  }

  /// Change by a number of steps or pages, without acceleration. `applied` is the number of whole or
  /// partial steps that moved the value; it is smaller than asked for at the end of the range.
  public enum Step: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Step"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the control.
      public var control: String
      /// How many, negative to decrement.
      public var steps: Int64
      /// How far one step goes; nil: a step.
      public var unit: StepUnit?

      /// Its fields, in the order of the interface description.
      public init(control: String, steps: Int64, unit: StepUnit? = nil) {
        self.control = control
        self.steps = steps
        self.unit = unit
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// How it stands.
      public var state: State
      /// How many steps had an effect.
      public var applied: Int64

      /// Its fields, in the order of the interface description.
      public init(state: State, applied: Int64) {
        self.state = state
        self.applied = applied
      }
    }
  }

  /// Go back to the configured default.
  public enum Reset: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Reset"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the control.
      public var control: String

      /// Its fields, in the order of the interface description.
      public init(control: String) {
        self.control = control
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// How it stands.
      public var state: State

      /// Its fields, in the order of the interface description.
      public init(state: State) {
        self.state = state
      }
    }
  }
}
