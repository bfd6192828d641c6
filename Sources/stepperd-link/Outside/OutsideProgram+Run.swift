internal import Glibc
internal import StepperBridge
internal import StepperConfiguration
internal import StepperLinux

extension OutsideProgram {
  /// Serves the outside over standard input and output until nothing more is asked for, and ends this process.
  ///
  /// A process for each: a library may wait for a server or a device as long as it likes, and is killed if that is too long,
  /// with its connection and what it had not written.
  func run() -> Never {
    let port = OutsidePort()
    // Also that of a program that takes the place of this one.
    serveParent(as: "stepperd-link")
    do throws(OutsideFailure) {
      if case .command(let words) = target { try load(words) }
      // The signals are for the parent, which closes the input; its end is that of this process.
      for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
      switch target {
      case .pulse(let sink): try PulseSession(sink, quantity, port).run()
      case .alsa(let card, let element): try port.serve(MixerElement(card, element, quantity, curve))
      case .backlight(let name): try port.serve(Brightness(.backlight, name, curve))
      case .led(let name): try port.serve(Brightness(.leds, name, curve))
      case .command: break
      }
      exit(EXIT_SUCCESS)
    } catch {
      port.fail(error)
      exit(EXIT_FAILURE)
    }
  }

  /// Has a program of the configuration take the place of this one: so the loop of the parent, which notices it, does not wait
  /// for the file system that has it.
  private func load(_ words: [String]) throws(OutsideFailure) {
    do throws(SpawnFailure) {
      try becomeProgram(words)
    } catch {
      throw OutsideFailure("\(error)")
    }
  }
}
