import StepperInterfaces
import Synchronization
import TestSupport
import Varlink

/// A daemon of controls that are written as their formats say. Choices and toggles take their names, others any text.
final class PriceDaemon: Sendable {
  private let peer: AnsweringPeer
  private let controls: Texts

  var path: String { peer.path }
  var heard: [String] { peer.heard }
  /// The texts by control.
  var texts: [String: String] { controls.texts.withLock { $0 } }

  /// The controls are listed as in `descriptions`, with the decimals `texts`.
  init(_ descriptions: [ControlInterface.Description], texts: [String]) throws {
    let names = descriptions.map(\.control)
    let controls = Texts(Dictionary(zip(names, texts), uniquingKeysWith: { first, _ in first }))
    self.controls = controls
    peer = try AnsweringPeer { call in
      switch call.method {
      case ControlInterface.Get.name:
        let name = try call.parameters(of: ControlInterface.Get.self).control
        return try [.of(ControlInterface.Get.self, .init(state: controls.state(name)))]
      case ControlInterface.Set.name:
        let parameters = try call.parameters(of: ControlInterface.Set.self)
        let description = descriptions.first { $0.control == parameters.control }
        if let words = description?.words, let text = parameters.text, !words.contains(text) {
          let error = ControlInterface.NoSuchValue(control: parameters.control, text: text, choices: words)
          return [VarlinkReply(VarlinkFailure(error))]
        }
        controls.texts.withLock { $0[parameters.control] = parameters.text }
        return try [
          .of(
            ControlInterface.Set.self,
            .init(
              state: controls.state(parameters.control),
              description: parameters.describe == true ? description : nil))
        ]
      case ControlInterface.Subscribe.name:
        var first = ControlInterface.Subscribe.Reply.snapshot(names.map(controls.state), sequence: 1)
        first.descriptions = descriptions
        var same = controls.state(names[0])
        same.editing = true
        same.sequence = 2
        return try [
          .of(ControlInterface.Subscribe.self, first, continues: true),
          .of(ControlInterface.Subscribe.self, .change([same], sequence: 2), continues: true),
          VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied())),
        ]
      default:
        let pattern = try call.parameters(of: ControlInterface.List.self).match
        let matching = descriptions.filter { pattern == nil || pattern == $0.control }
          .map { ControlInterface.Control(description: $0, state: controls.state($0.control)) }
        return try [
          .of(ControlInterface.List.self, .init(instance: "one", sequence: 1, controls: matching))
        ]
      }
    }
  }

  private final class Texts: Sendable {
    let texts: Mutex<[String: String]>

    init(_ texts: [String: String]) { self.texts = Mutex(texts) }

    func state(_ name: String) -> ControlInterface.State {
      var state = ControlInterface.State.example(name, 1)
      state.text = texts.withLock { $0[name] }
      return state
    }
  }
}

extension ControlInterface.Description {
  /// What a choice or a toggle can be set to; nil: anything.
  fileprivate var words: [String]? { kind == .toggle ? ["off", "on"] : choices }
}

extension PriceDaemon {
  /// A price, a share, a level and a choice.
  static func start() throws -> PriceDaemon {
    try PriceDaemon(
      [
        .init(
          control: "price", kind: .continuous, profile: "uikit", title: "Price", titles: ["de": "Preis"],
          minimum: 0, maximum: 5000, step: 0.5, digits: 2,
          format: .init(style: .currency, currency: "EUR", grouping: true), wrap: false, writable: true,
          expressions: true),
        .init(
          control: "share", kind: .continuous, profile: "uikit", minimum: 0, maximum: 1, step: 0.01,
          digits: 2,
          format: .init(style: .percent, grouping: false), wrap: false, writable: true),
        .init(
          control: "level", kind: .continuous, profile: "uikit", unit: "dB", format: .init(), wrap: false,
          writable: true),
        .init(
          control: "mode", kind: .choice, profile: "uikit", format: .init(), choices: ["a", "1.5"],
          wrap: false, writable: true
        ),
      ], texts: ["1234.50", "0.13", "-6.5", "1.5"])
  }
}
