internal import Glibc
internal import StepperBridge
internal import StepperConfiguration
internal import StepperLinux

extension OutsideProgram {
  /// Serves the outside over standard input and output until the parent closes the connection. Then it ends this process.
  ///
  /// Each outside has a process of its own, because a library may wait for a server or a device for any time. A process that takes too
  /// long is killed, together with its connection and what it had not written.
  func run() -> Never {
    let port = OutsidePort()
    // This also applies to a program that replaces this one.
    serveParent(as: "stepperd-link")
    do throws(OutsideFailure) {
      // The loading happens here so that the loop of the parent, which is told about it, does not wait for the program's file system.
      if case .command(let words) = target {
        do throws(SpawnFailure) { try becomeProgram(words) } catch { throw OutsideFailure("\(error)") }
      }
      // The signals are for the parent. It closes the input of this process, which then ends.
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
}
