internal import ArgumentParser
internal import StepperClient
internal import StepperCore
import StepperText

/// Completions for the shell: names from the running daemon. There are none, without a message, if no daemon runs. Names that
/// contain invisible or control characters are left out.
enum Completions {
  /// The names of the controls.
  static let controls = CompletionKind.custom { words, _, prefix in
    // A completion reports no errors.
    let names = (try? client(words).list())?.map(\.description.control)
    return typable(names ?? [], prefix)
  }

  /// What follows in `NAME VALUE NAME VALUE …`: the names of the controls, and the names of values after a control that has
  /// such.
  static let assignments = CompletionKind.custom { words, index, prefix in
    let operands = operands(of: words, before: index)
    guard operands.count % 2 == 1, let name = operands.last else {
      // A completion reports no errors.
      return typable((try? client(words).list())?.map(\.description.control) ?? [], prefix)
    }
    // The same.
    let description = (try? client(words).list(name))?.first?.description
    switch description?.kind {
    case .choice: return typable(description?.choices ?? [], prefix)
    case .toggle: return typable(["on", "off", "toggle"], prefix)
    default: return []
    }
  }

  /// The words before the one at `index` that are neither the program, the command nor options.
  static func operands(of words: [String], before index: Int) -> [String] {
    var operands: [String] = []
    var isOptionValue = false
    for word in words.prefix(max(0, index)).dropFirst(2) {
      if isOptionValue {
        isOptionValue = false
      } else if ["--address", "--timeout"].contains(word) {
        isOptionValue = true
      } else if !["--clamp", "--localized", "-l", "--json", "--"].contains(word), !word.hasPrefix("--") {
        operands.append(word)
      }
    }
    return operands
  }

  /// All devices, also those that no table uses.
  static let devices = CompletionKind.custom { words, _, prefix in
    typable(devices(words).map(\.device), prefix)
  }

  /// The inputs of virtual devices.
  static func inputs(_ role: DeviceInterface.Role) -> CompletionKind {
    .custom { words, _, prefix in
      let names = devices(words).filter(\.virtual).flatMap { device in
        device.capabilities.filter { $0.role == role }.map { "\(device.device):\($0.name)" }
      }
      return typable(names, prefix)
    }
  }

  /// The devices that have outputs or lights.
  static let devicesWithOutputs = CompletionKind.custom { words, _, prefix in
    typable(devicesWithFeedback(words).map(\.device), prefix)
  }

  /// The outputs and lights of the device on the command line so far, else of all devices.
  static let outputs = CompletionKind.custom { words, _, prefix in
    let devices = devicesWithFeedback(words)
    let named = devices.filter { words.contains($0.device) }
    let names = (named.isEmpty ? devices : named).flatMap { $0.outputs + $0.lights }
    return typable(names, prefix)
  }

  private static func typable(_ names: [String], _ prefix: String) -> [String] {
    let names = names.filter { $0.hasPrefix(prefix) && $0.onOneLine() == $0 }
    // zsh takes what follows a colon for a description.
    guard CompletionShell.requesting == .zsh else { return names }
    return names.map { $0.split(separator: ":", omittingEmptySubsequences: false).joined(separator: #"\:"#) }
  }

  private static func devicesWithFeedback(_ words: [String]) -> [DeviceInterface.Device] {
    devices(words).filter { !$0.outputs.isEmpty || !$0.lights.isEmpty }
  }

  private static func devices(_ words: [String]) -> [DeviceInterface.Device] {
    // A completion reports no errors.
    (try? client(words).devices()) ?? []
  }

  /// A client of the daemon that the command line names so far, with a short time limit since the user waits.
  private static func client(_ words: [String]) -> StepperClient {
    let address = words.drop { $0 != "--address" }.dropFirst().first
    return StepperClient(address: address, timeout: .seconds(3))
  }
}
