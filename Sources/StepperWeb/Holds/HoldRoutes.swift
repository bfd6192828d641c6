internal import HTTPTypes
internal import HummingbirdCore
internal import StepperConfiguration
internal import StepperInterfaces
internal import Varlink

/// Pressing, moving and releasing.
struct HoldRoutes {
  let keeper: HoldKeeper
  let hub: ControlHub

  private struct PressBody {
    let hold: String
    let control: String
    let action: ControlInterface.Action?
    let position: Double?
    /// The page's stream of events. The hold ends when the stream ends.
    let stream: String?
    /// The page's own name, for pages that share a stream or name none.
    let document: String?
    /// Holds that end before this one begins.
    let after: [String]?

    init(_ members: inout JSONMembers) throws(JSONMisfit) {
      hold = try members.value("hold")
      control = try members.value("control")
      action = try members.optional("action")
      position = try members.optional("position")
      stream = try members.optional("stream")
      document = try members.optional("document")
      after = try members.optional("after")
    }
  }

  /// `POST /holds`.
  func press(_ request: WebRequest) async throws -> Response {
    let body = try await JSONBody.read(
      request, like: #"{"hold": "a1", "control": "volume", "action": "increment"}"#, PressBody.init)
    try Self.check(body.hold)
    if let document = body.document { try Self.check(document, "document") }
    let after = body.after ?? []
    guard after.count <= HoldTable.limit else {
      throw Problem.invalidParameter("after", "there are at most \(HoldTable.limit) holds")
    }
    for id in after { try Self.check(id) }
    try hub.checkShown(body.control)
    let gesture: HoldTable.Gesture =
      switch (body.action, body.position) {
      case (let action?, nil): .action(action)
      case (nil, let position?): .position(try Self.checked(position))
      default: throw Problem.invalidParameter("action", "give either an action or a position")
      }
    // A stream that has already ended could not end the hold.
    let page = HoldTable.Page(
      address: request.client, stream: body.stream.flatMap { hub.hasStream($0) ? $0 : nil },
      document: body.document)
    for id in after { _ = await keeper.release(id, from: request.client) }
    let outcome = try await keeper.press(body.hold, of: page, body.control, gesture)
    let json = JSON.object([
      "state": outcome.state, "held": outcome.held, "lease": HoldTable.lease.components.seconds * 1000,
      "mode": outcome.mode.rawValue,
    ])
    return Response(json: json, status: .created)
  }

  /// `POST /holds/renew`.
  func renew(_ request: WebRequest) async throws -> Response {
    let ids: [String] = try await JSONBody.read(request, like: #"{"holds": ["a1"]}"#) {
      (members) throws(JSONMisfit) in try members.value("holds")
    }
    guard ids.count <= HoldTable.limit else {
      throw Problem.invalidParameter("holds", "there are at most \(HoldTable.limit) holds")
    }
    return Response(json: JSON.object(["alive": await keeper.renew(ids)]))
  }

  /// `POST /holds/ID/move`.
  func move(_ request: WebRequest) async throws -> Response {
    let position: Double = try await JSONBody.read(request, like: #"{"position": 0.5}"#) {
      (members) throws(JSONMisfit) in try members.value("position")
    }
    let outcome = try await keeper.move(try hold(request), to: try Self.checked(position))
    return Response(json: ControlRoutes.text(of: outcome.state, mode: outcome.mode.rawValue))
  }

  /// `POST /holds/ID/release`. A hold that has ended is not an error: the answer then has no state.
  func release(_ request: WebRequest) async throws -> Response {
    let state = await keeper.release(try hold(request), from: request.client)
    return Response(json: JSON.object(["state": state]))
  }

  private func hold(_ request: WebRequest) throws(Problem) -> String {
    let id = OutsideText.shown(request.names.first ?? [])
    try Self.check(id)
    return id
  }

  /// Checks the name of a hold by the daemon's rules.
  private static func check(_ id: String, _ what: String = "hold") throws(Problem) {
    guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(isBareKeyByte) else {
      throw .invalidParameter(what, "the name of a \(what) is 1 to 64 letters, digits, - and _")
    }
  }

  private static func checked(_ position: Double) throws(Problem) -> Double {
    guard (0...1).contains(position) else {
      throw .invalidParameter("position", "a position is a number from 0 to 1")
    }
    return position
  }
}
