internal import ArgumentParser
internal import StepperClient

/// Names from the running daemon for the shell's completion. Without one there are none, and nothing is said.
enum Completions {
  /// The names of the controls.
  static let controls = CompletionKind.custom { words, _, prefix in
    // A shell that completes wants names or nothing.
    let names = (try? client(words).list())?.map(\.description.control)
    return (names ?? []).filter { $0.hasPrefix(prefix) }
  }

  /// The inputs of virtual devices.
  static func inputs(_ role: DeviceInterface.Role) -> CompletionKind {
    .custom { words, _, prefix in
      // A shell that completes wants names or nothing.
      let devices = (try? client(words).devices()) ?? []
      let names = devices.filter(\.virtual).flatMap { device in
        device.capabilities.filter { $0.role == role }.map { "\(device.device):\($0.name)" }
      }
      return names.filter { $0.hasPrefix(prefix) }
    }
  }

  /// The daemon that the command line so far names. It has to be quick: somebody waits for the tab key.
  private static func client(_ words: [String]) -> StepperClient {
    var address: String?
    if let option = words.firstIndex(of: "--address"), option + 1 < words.count {
      address = words[option + 1]
    }
    return StepperClient(address: address, timeout: .seconds(1))
  }
}
