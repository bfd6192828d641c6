internal import ArgumentParser
internal import StepperClient

/// The name of an effect on the command line.
struct EffectArgument: ExpressibleByArgument {
  let effect: DeviceInterface.Effect

  init?(argument: String) {
    guard let effect = DeviceInterface.Effect(rawValue: argument) else { return nil }
    self.effect = effect
  }

  /// For usage errors and completions.
  static var allValueStrings: [String] { DeviceInterface.Effect.allCases.map(\.rawValue) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
