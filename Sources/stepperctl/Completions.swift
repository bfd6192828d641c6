internal import ArgumentParser
internal import StepperClient
internal import StepperCore
import StepperText

/// Names from the running daemon for the shell's completion. Without one there are none, and nothing is said; a name that
/// the shell could not show as it is, is none.
enum Completions {
  /// The names of the controls.
  static let controls = CompletionKind.custom { words, _, prefix in
    // A shell that completes wants names or nothing.
    let names = (try? client(words).list())?.map(\.description.control)
    return typable(names ?? [], prefix)
  }

  /// The inputs of virtual devices.
  static func inputs(_ role: DeviceInterface.Role) -> CompletionKind {
    .custom { words, _, prefix in
      // A shell that completes wants names or nothing.
      let devices = (try? client(words).devices()) ?? []
      let names = devices.filter(\.virtual).flatMap { device in
        device.capabilities.filter { $0.role == role }.map { "\(device.device):\($0.name)" }
      }
      return typable(names, prefix)
    }
  }

  /// The devices of which something can be felt or seen.
  static let devicesWithOutputs = CompletionKind.custom { words, _, prefix in
    let names = devicesThatCanBeFelt(words).map(\.device)
    return typable(names, prefix)
  }

  /// The outputs and lights of the device on the command line so far, else of all devices.
  static let outputs = CompletionKind.custom { words, _, prefix in
    let devices = devicesThatCanBeFelt(words)
    let named = devices.filter { words.contains($0.device) }
    let names = (named.isEmpty ? devices : named).flatMap { $0.outputs + $0.lights }
    return typable(names, prefix)
  }

  private static func typable(_ names: [String], _ prefix: String) -> [String] {
    names.filter { $0.hasPrefix(prefix) && $0.onOneLine() == $0 }
  }

  private static func devicesThatCanBeFelt(_ words: [String]) -> [DeviceInterface.Device] {
    // A shell that completes wants names or nothing.
    let devices = (try? client(words).devices()) ?? []
    return devices.filter { !$0.outputs.isEmpty || !$0.lights.isEmpty }
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
