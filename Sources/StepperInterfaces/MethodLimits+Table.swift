// The limits of every parameter of every method. What is allowed is said here and nowhere else: calls are held to it
// before they are handled, and the tables of org.stepperd(7) and Documentation/client.md are this one.

import Varlink

extension ParameterLimit {
  /// The longest name of a control, a device, an input, an output or a light. None that exists is longer: controls and
  /// devices have up to 64 bytes and a number behind them, files of the kernel up to 255.
  package static let nameBytes = 255
  /// The most names and patterns in one call.
  package static let mostPatterns = 64
  /// The longest text of a value.
  package static let valueBytes = 1024
  /// The longest tag of a language.
  package static let languageBytes = 64
  /// The detents of one turn: those that one event of the kernel can have.
  package static let detents = Int64(Int32.min)...Int64(Int32.max)

  fileprivate static let name = text(bytes: nameBytes)
  /// A shell pattern on a name.
  fileprivate static let pattern = name
  fileprivate static let patterns = texts(count: mostPatterns, bytes: nameBytes)
  /// One of the words of an enumeration.
  fileprivate static let word = text(bytes: 32)
  fileprivate static let any = integer(wholeNumbers)
  /// The name of a hold, whose characters the method checks.
  fileprivate static let hold = text(bytes: 64)
  fileprivate static let lease = integer(100...10_000)
}

extension MethodLimits {
  static let control = [
    MethodLimits(ControlInterface.List.self, ["match": .pattern]),
    MethodLimits(ControlInterface.Get.self, ["control": .name]),
    MethodLimits(
      ControlInterface.Set.self,
      [
        "control": .name,
        // A control that holds less answers OutOfRange.
        "value": .number(ParameterLimit.finiteNumbers),
        "text": .text(bytes: ParameterLimit.valueBytes),
        "clamp": .boolean,
        "ifSequence": .any,
        "check": .boolean,
        "describe": .boolean,
      ]),
    MethodLimits(
      ControlInterface.Step.self,
      ["control": .name, "steps": .any, "unit": .word, "describe": .boolean]),
    MethodLimits(ControlInterface.Reset.self, ["control": .name, "describe": .boolean]),
    MethodLimits(
      ControlInterface.Adjust.self,
      [
        "control": .name,
        // What a control cannot keep is InvalidRange, with the reason.
        "minimum": .number(ParameterLimit.finiteNumbers),
        "maximum": .number(ParameterLimit.finiteNumbers),
        "step": .number(ParameterLimit.finiteNumbers),
        "page": .number(ParameterLimit.finiteNumbers),
      ]),
    MethodLimits(
      ControlInterface.Press.self,
      ["control": .name, "action": .word, "hold": .hold, "leaseMilliseconds": .lease]),
    MethodLimits(
      ControlInterface.Renew.self, ["control": .name, "hold": .hold, "leaseMilliseconds": .lease]),
    MethodLimits(ControlInterface.Release.self, ["control": .name, "hold": .hold]),
    MethodLimits(
      ControlInterface.Turn.self,
      ["control": .name, "detents": .integer(ParameterLimit.detents)]),
    MethodLimits(
      ControlInterface.Slide.self,
      ["control": .name, "position": .number(0...1), "hold": .hold, "leaseMilliseconds": .lease]),
    MethodLimits(
      ControlInterface.Describe.self,
      ["control": .name, "language": .text(bytes: ParameterLimit.languageBytes)]),
    MethodLimits(
      ControlInterface.Subscribe.self,
      [
        "match": .patterns,
        "instance": .text(bytes: 64),
        "sinceSequence": .any,
        // A day; less than 0 is 0.
        "minimumIntervalMilliseconds": .integer(ParameterLimit.wholeNumbers.lowerBound...86_400_000),
        "descriptions": .boolean,
        "language": .text(bytes: ParameterLimit.languageBytes),
      ]),
    MethodLimits(ControlInterface.SubscribeMoments.self, ["match": .patterns]),
  ]

  static let device = [
    MethodLimits(DeviceInterface.List.self),
    MethodLimits(DeviceInterface.Subscribe.self),
    MethodLimits(
      DeviceInterface.Monitor.self, ["match": .patterns, "unused": .boolean, "keyboards": .boolean]),
    MethodLimits(
      DeviceInterface.Turn.self,
      ["device": .name, "input": .name, "detents": .integer(ParameterLimit.detents)]),
    MethodLimits(
      DeviceInterface.Press.self, ["device": .name, "input": .name, "leaseMilliseconds": .lease]),
    MethodLimits(DeviceInterface.Release.self, ["device": .name, "input": .name]),
    MethodLimits(
      DeviceInterface.Click.self, ["device": .name, "input": .name, "milliseconds": .integer(0...60_000)]),
    MethodLimits(DeviceInterface.Move.self, ["device": .name, "input": .name, "position": .number(0...1)]),
    MethodLimits(DeviceInterface.PlayEffect.self, ["device": .name, "effect": .word, "output": .name]),
    MethodLimits(
      DeviceInterface.SetLight.self, ["device": .name, "light": .name, "brightness": .number(0...1)]),
  ]

  static let provider = [
    MethodLimits(
      ProviderInterface.Attach.self,
      [
        // What is in it is InvalidDevice, with the reason.
        "identity": .object,
        "keys": .texts(count: 256, bytes: 32),
        "relative": .objects(count: 16),
        "absolute": .objects(count: 64),
        "outputs": .objects(count: 256),
        "leaseMilliseconds": .lease,
      ]),
    MethodLimits(
      ProviderInterface.Report.self, ["handle": .word, "frames": .objects(count: 64), "lost": .object]),
    MethodLimits(ProviderInterface.Subscribe.self, ["handles": .texts(count: 64, bytes: 32)]),
    MethodLimits(ProviderInterface.Detach.self, ["handle": .word]),
  ]

  static let manager = [
    MethodLimits(ManagerInterface.GetStatus.self),
    MethodLimits(ManagerInterface.Reload.self),
    // A call has no room for more text than this.
    MethodLimits(ManagerInterface.Check.self, ["text": .text(bytes: 65_536), "file": .text(bytes: 1024)]),
    MethodLimits(ManagerInterface.Save.self), MethodLimits(ManagerInterface.Restrict.self),
  ]

  static let metrics = [
    MethodLimits(MetricsInterface.List.self), MethodLimits(MetricsInterface.Describe.self),
  ]

  static let systemdService = [
    MethodLimits(SystemdServiceInterface.Ping.self),
    MethodLimits(SystemdServiceInterface.SetLogLevel.self, ["level": .integer(0...7)]),
    MethodLimits(SystemdServiceInterface.GetLogLevel.self),
    MethodLimits(SystemdServiceInterface.GetEnvironment.self),
  ]
}
