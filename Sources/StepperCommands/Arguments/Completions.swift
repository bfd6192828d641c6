internal import ArgumentParser
internal import StepperClient
import StepperText

/// Shell completions: names from the running daemon, or none if no daemon runs. Names with invisible or control
/// characters are left out.
enum Completions {
  static let controls = CompletionKind.custom { words, _, _ in
    typable(controls(words).map(\.control))
  }

  /// The controls that `toggle` changes.
  static let toggles = CompletionKind.custom { words, _, _ in
    typable(
      controls(words).filter { $0.writable && ($0.kind == .toggle || $0.choices?.count == 2) }.map(\.control))
  }

  /// The next word of `NAME VALUE NAME VALUE …`: a control, or one of the named values of the preceding control.
  static let assignments = CompletionKind.custom { words, index, _ in
    let operands = operands(of: words, before: index)
    guard operands.count % 2 == 1, let name = operands.last else {
      return typable(controls(words).map(\.control))
    }
    let description = controls(words, name).first
    switch description?.kind {
    case .choice: return typable(description?.choices ?? [])
    case .toggle: return typable(["on", "off", "toggle"])
    default: return []
    }
  }

  /// The words before the one at `index` that are neither the program, the command nor options.
  static func operands(of words: [String], before index: Int) -> [String] {
    Array(CommandWords.operands(of: words.prefix(max(0, index)).dropFirst()).dropFirst())
  }

  /// All devices, including those that no table uses.
  static let devices = CompletionKind.custom { words, _, _ in
    typable(devices(words).map(\.device))
  }

  /// The inputs of virtual devices.
  static func inputs(_ role: DeviceInterface.Role) -> CompletionKind {
    .custom { words, _, _ in
      let names = devices(words).filter(\.virtual).flatMap { device in
        device.capabilities.filter { $0.role == role }.map { "\(device.device):\($0.name)" }
      }
      return typable(names)
    }
  }

  /// The devices that have outputs or lights.
  static let devicesWithOutputs = CompletionKind.custom { words, _, _ in
    typable(devicesWithFeedback(words).map(\.device))
  }

  /// The outputs and lights of the device that the command line names so far, else of all devices.
  static let outputs = CompletionKind.custom { words, _, _ in
    let devices = devicesWithFeedback(words)
    let named = devices.filter { words.contains($0.device) }
    let names = (named.isEmpty ? devices : named).flatMap { $0.outputs + $0.lights }
    return typable(names)
  }

  /// The names in a form for the shell, which compares them with the typed text without its quotes.
  private static func typable(_ names: [String]) -> [String] {
    let names = names.filter { $0.onOneLine() == $0 }
    // zsh takes the text after a colon for a description.
    guard CompletionShell.requesting == .zsh else { return names }
    return names.map { name in
      name.unicodeScalars.map { $0 == ":" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
  }

  private static func devicesWithFeedback(_ words: [String]) -> [DeviceInterface.Device] {
    devices(words).filter { !$0.outputs.isEmpty || !$0.lights.isEmpty }
  }

  private static func controls(_ words: [String], _ pattern: String? = nil) -> [ControlInterface.Description]
  {
    // A completion reports no errors.
    (try? client(words).list(pattern))?.map(\.description) ?? []
  }

  private static func devices(_ words: [String]) -> [DeviceInterface.Device] {
    // A completion reports no errors.
    (try? client(words).devices()) ?? []
  }

  /// The value of `--address`, as a word of its own or after an equals sign, at which bash divides words.
  static func address(in words: [String]) -> String? {
    let option = "--address"
    guard let index = words.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else {
      return nil
    }
    guard words[index] == option else { return String(words[index].dropFirst(option.count + 1)) }
    return words[(index + 1)...].first { $0 != "=" }
  }

  /// A client of the daemon at `--address`. Its timeout is short, because the user waits.
  private static func client(_ words: [String]) -> StepperClient {
    StepperClient(address: address(in: words), timeout: .seconds(3))
  }
}
