import StepperCore
import StepperInterfaces

/// An output of kind text: it shows the control that an input drives. A value without a clock.
struct Display: Hashable {
  let output: String
  /// The key or axis.
  let usage: EvdevUsage
  /// What it shows; nil: nothing since ``forget()``.
  private(set) var shown: ProviderInterface.Text?
  /// What that was made of.
  private var source: Source?

  /// What a text of a control depends on.
  struct Source: Hashable {
    let control: ControlID?
    let sequence: Int64
    let instance: String
  }

  init(output: String, usage: EvdevUsage) { (self.output, self.usage) = (output, usage) }

  /// What it shows is unknown.
  mutating func forget() { (shown, source) = (nil, nil) }

  /// Whether it has to show what `text` returns. That is called where `source` is another one than the last.
  mutating func update(_ source: Source, _ text: () -> ProviderInterface.Text) -> Bool {
    guard source != self.source else { return false }
    self.source = source
    let text = text()
    guard text != shown else { return false }
    shown = text
    return true
  }
}
