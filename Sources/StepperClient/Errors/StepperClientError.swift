public import StepperInterfaces
public import Varlink

/// Why something was not done: what the daemon answered, or what went wrong on the way to it.
///
/// ```swift
/// do {
///   try client.set("volume", to: 130)
/// } catch where error.code == .outOfRange {
///   print(error)  // volume cannot be 130: it goes from 0 to 100
/// }
/// ```
public struct StepperClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for programs to compare with. New codes may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the case in Swift.
    public let description: String

    init(_ name: String) { description = name }

    /// No daemon listens at any of the sockets, or they may not be opened.
    public static let cannotConnect = Code("cannotConnect")
    /// No reply arrived in time. It is unknown whether the daemon has performed the call.
    public static let timedOut = Code("timedOut")
    /// The task was cancelled. It is unknown whether the daemon has performed the call.
    public static let cancelled = Code("cancelled")
    /// The connection ended before the answer. It is unknown whether the daemon has performed the call.
    public static let disconnected = Code("disconnected")
    /// The program that answered does not speak the protocol.
    public static let protocolViolation = Code("protocolViolation")
    /// The daemon has no control of that name.
    public static let noSuchControl = Code("noSuchControl")
    /// The control is read-only by configuration.
    public static let notWritable = Code("notWritable")
    /// The value is outside the control's range.
    public static let outOfRange = Code("outOfRange")
    /// The text is not a number, or not one of the choices of the control.
    public static let noSuchValue = Code("noSuchValue")
    /// The daemon refuses the range or the steps: see ``StepperClient/adjust(_:minimum:maximum:step:page:)``.
    public static let invalidRange = Code("invalidRange")
    /// Another client or device changed the control in between.
    public static let changed = Code("changed")
    /// The daemon does not accept a parameter.
    public static let invalidParameter = Code("invalidParameter")
    /// The daemon does not allow the call to this user.
    public static let permissionDenied = Code("permissionDenied")
    /// The daemon is stopping or restarting.
    public static let stopping = Code("stopping")
    /// The daemon has no room for one more subscription.
    public static let tooManySubscriptions = Code("tooManySubscriptions")
    /// This client holds as many buttons and faders of controls as it may.
    public static let tooManyHolds = Code("tooManyHolds")
    /// The name of a hold is in use.
    public static let holdInUse = Code("holdInUse")
    /// There is no hold of that name, or it has ended.
    public static let noSuchHold = Code("noSuchHold")
    /// The daemon has no room for another connection of this user.
    public static let tooManyConnections = Code("tooManyConnections")
    /// The daemon has no device of that name.
    public static let noSuchDevice = Code("noSuchDevice")
    /// The device has no input of that name, or the input is of another kind.
    public static let noSuchInput = Code("noSuchInput")
    /// The device has no output or light of that name, or none at all.
    public static let noSuchOutput = Code("noSuchOutput")
    /// Only virtual devices can be moved by a program.
    public static let notVirtual = Code("notVirtual")
    /// The declaration of a device is wrong.
    public static let invalidDevice = Code("invalidDevice")
    /// Another program has attached a device with the same identity.
    public static let deviceInUse = Code("deviceInUse")
    /// The daemon has no room for one more attached device.
    public static let tooManyDevices = Code("tooManyDevices")
    /// The daemon does not have the attached device any more.
    public static let noSuchHandle = Code("noSuchHandle")
    /// A part of a report is wrong.
    public static let invalidReport = Code("invalidReport")
    /// The configuration has errors; see ``StepperClientError/problems``.
    public static let configurationInvalid = Code("configurationInvalid")
    /// The remembered values could not be written.
    public static let saveFailed = Code("saveFailed")
    /// The daemon answered with an error that this library does not know, for example because the daemon is newer.
    public static let unknown = Code("unknown")
  }

  /// The kind of error, for programs.
  public let code: Code
  /// What went wrong and what to do about it, for people: no full stop, possibly more than one line.
  public let message: String
  /// The Varlink error that the daemon answered with, if any.
  public let failure: VarlinkFailure?
  /// The problems of the configuration, if the code is `configurationInvalid`.
  public let problems: [ManagerInterface.Problem]

  package init(
    _ code: Code, _ message: String, failure: VarlinkFailure? = nil, problems: [ManagerInterface.Problem] = []
  ) {
    self.code = code
    self.message = message
    self.failure = failure
    self.problems = problems
  }

  /// The message.
  public var description: String { message }
}
