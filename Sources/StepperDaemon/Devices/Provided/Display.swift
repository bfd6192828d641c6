import StepperCore
import StepperInterfaces

/// An output of kind `text`, which shows the control that an input drives. This is a value without a clock.
struct Display: Hashable {
  let output: String
  /// The key or axis whose control is shown.
  let usage: EvdevUsage
  /// The text that it shows; nil: none was set since ``forget()``.
  private(set) var shown: ProviderInterface.Text?
  /// The source of ``shown``.
  private var source: Source?

  /// Everything that the text of a control depends on.
  struct Source: Hashable {
    let control: ControlID?
    let sequence: Int64
    let instance: String
  }

  init(output: String, usage: EvdevUsage) { (self.output, self.usage) = (output, usage) }

  /// Notes that the text on the display is unknown.
  mutating func forget() { (shown, source) = (nil, nil) }

  /// Returns whether the display must show the result of `text`. `text` is called only if `source` differs from the last one.
  mutating func update(_ source: Source, _ text: () -> ProviderInterface.Text) -> Bool {
    guard source != self.source else { return false }
    self.source = source
    let text = text()
    guard text != shown else { return false }
    shown = text
    return true
  }
}
