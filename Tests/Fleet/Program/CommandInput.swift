internal import Glibc
internal import StepperCore
internal import StepperLinux
internal import SystemPackage

/// Commands, one a line, from the standard input. Its end ends the program.
final class CommandInput {
  private var rest: [UInt8] = []

  init(on loop: EventLoop, perform: @escaping ([String]) -> Void) throws(Errno) {
    try loop.watch(STDIN_FILENO, priority: .device) { [weak self, weak loop] _, _ in
      guard let self, let loop else { return }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { return loop.stop() }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: 10) {
        perform(String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").map(String.init))
        rest.removeSubrange(...end)
      }
    }
  }
}
