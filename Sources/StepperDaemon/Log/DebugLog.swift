import StepperCore
import StepperLinux
import StepperText
import Varlink

/// The messages of `--log-level debug`: every input, every call and every effect, in their order. Inputs and effects are
/// written as in an engine log.
extension Daemon {
  /// Maximum length of an input in bytes. A knob sends one or two events at a time; a frame can have hundreds.
  private static let longestInput = 512

  func logInput(_ input: Input) {
    journal.debug(
      .device,
      InputText(.kernel).text(input, world.controlNames) { devices.index[$0]?.name }
        .onOneLine(limit: Self.longestInput))
  }

  func logCall(_ call: VarlinkCall, from session: Session) {
    journal.debug(.client, "process \(session.peer.processID) calls \(call.method)")
  }

  func logEffect(_ effect: Effect) {
    journal.debug(.daemon, EffectText(world.controlNames, namesAll: true).text([effect]))
  }
}
