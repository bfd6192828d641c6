internal import HTTPTypes
internal import HummingbirdCore
internal import StepperClient
internal import StepperInterfaces
internal import Varlink

/// Reading and changing controls.
struct ControlRoutes {
  let hub: ControlHub
  let calls: StepperClient
  let describer: Describer
  let pulse: DaemonPulse
  let settings: SettingsRoute

  /// `GET /controls`. With `settings=1` it has those as well: what the panel's page begins with, in one answer.
  func list(_ request: WebRequest) async throws -> Response {
    let filter = try request.target.filter
    let hasSettings = try request.target.flag("settings")
    await pulse.check()
    try await request.connection.takeRoom(max(AnswerRoom.least, hub.read { $0.byteCount(after: .init()) }))
    let language = try await language(request)
    let table = hub.table
    let tag = try table.availableTag()
    if !hasSettings, EntityTag.isListed(tag, in: request.head.ifNoneMatch) { return .notModified(tag) }
    let texts = await describer.texts(of: table.news(after: .init(), of: filter), in: language)
    let json = JSON.object { buffer throws(VarlinkMessageError) in
      JSONText.append(",\"instance\":", table.instance, to: &buffer)
      JSONText.append(",\"sequence\":", table.sequence, to: &buffer)
      if hasSettings {
        JSONText.append(literal: ",\"settings\":", to: &buffer)
        buffer += settings.text(for: request)
      }
      JSONText.append(literal: ",\"controls\":", to: &buffer)
      JSON.append(
        table.entries.lazy.filter { filter.matches($0.state.control) }.map {
          $0.text(texts, isReadOnly: !request.access.mayOperate)
        },
        to: &buffer)
    }
    return Response(json: json, entityTag: tag)
  }

  /// `GET /controls/NAME`.
  func one(_ request: WebRequest) async throws -> Response {
    let control = try request.control
    await pulse.check()
    let language = try await language(request)
    let table = hub.table
    _ = try table.availableTag()
    guard let entry = table.entry(control), let instance = table.instance else {
      throw Problem.noSuchControl(control)
    }
    let tag = EntityTag.of(instance, entry.state.sequence)
    if EntityTag.isListed(tag, in: request.head.ifNoneMatch) { return .notModified(tag) }
    let texts = await describer.texts(of: [entry.subject], in: language)
    return Response(json: entry.text(texts, isReadOnly: !request.access.mayOperate), entityTag: tag)
  }

  private func language(_ request: WebRequest) async throws(Problem) -> String {
    let language = try request.target.language ?? describer.language
    try await describer.admit(language, for: request.client)
    return language
  }

  /// `POST /controls/NAME/set`.
  func set(_ request: WebRequest) async throws -> Response {
    let control = try shown(request)
    var parameters = try await JSONBody.read(request, like: #"{"value": 30} or {"text": "30"}"#) {
      (members) throws(JSONMisfit) in
      ControlInterface.Set.Parameters(
        control: control, value: try members.optional("value"), text: try members.optional("text"),
        clamp: try members.optional("clamp"), ifSequence: try members.optional("ifSequence"),
        check: try members.optional("check"))
    }
    guard (parameters.value == nil) != (parameters.text == nil) else {
      throw Problem.invalidParameter("value", "give either a value or a text")
    }
    let condition = request.head.ifMatch
    if let condition, !condition.elementsEqual("*".utf8) {
      parameters.ifSequence = try sequence(of: control, in: condition)
    }
    return try await call(ControlInterface.Set.self, parameters, ifMatch: condition != nil)
  }

  /// The sequence of the present state if a list of entity tags has it, else the first; those of another instance cannot be it.
  private func sequence(of control: String, in list: [UInt8]) throws(Problem) -> Int64 {
    let (instance, present) = hub.read { ($0.instance, $0.entry(control)?.state.sequence) }
    let sequences = list.split(separator: UInt8(ascii: ",")).compactMap { EntityTag.id(Array($0.trimmed)) }
      .filter { $0.instance == instance }.map(\.sequence)
    guard let sequence = sequences.first(where: { $0 == present }) ?? sequences.first else {
      throw Problem(.preconditionFailed, "If-Match names no state that there is")
    }
    return sequence
  }

  /// `POST /controls/NAME/step`.
  func step(_ request: WebRequest) async throws -> Response {
    let control = try shown(request)
    let parameters = try await JSONBody.read(request, like: #"{"steps": 1}"#) {
      (members) throws(JSONMisfit) in
      ControlInterface.Step.Parameters(
        control: control, steps: try members.value("steps"), unit: try members.optional("unit"))
    }
    return try await call(ControlInterface.Step.self, parameters)
  }

  /// `POST /controls/NAME/turn`.
  func turn(_ request: WebRequest) async throws -> Response {
    let control = try shown(request)
    let detents: Int64 = try await JSONBody.read(request, like: #"{"detents": 1}"#) {
      (members) throws(JSONMisfit) in try members.value("detents")
    }
    do throws(StepperClientError) {
      let reply = try await calls.call(
        ControlInterface.Turn.self, .init(control: control, detents: detents))
      return Response(json: Self.text(of: reply.state, mode: "engine"))
    } catch {
      guard Problem.isMissingMethod(error) else { throw Problem(error) }
    }
    do throws(StepperClientError) {
      let reply = try await calls.step(control, by: detents)
      return Response(json: Self.text(of: reply.state, mode: "step"))
    } catch {
      throw Problem(error)
    }
  }

  static func text(of state: ControlInterface.State, mode: String) -> [UInt8] {
    JSON.object { buffer throws(VarlinkMessageError) in
      try JSONText.append(",\"state\":", state, to: &buffer)
      JSONText.append(",\"mode\":", mode, to: &buffer)
    }
  }

  /// `POST /controls/NAME/reset`.
  func reset(_ request: WebRequest) async throws -> Response {
    let control = try shown(request)
    try await JSONBody.read(request, like: "{}") { _ in }
    return try await call(ControlInterface.Reset.self, .init(control: control))
  }

  /// The control that the address names, if it is one of those that are shown.
  private func shown(_ request: WebRequest) throws(Problem) -> String {
    let control = try request.control
    try hub.checkShown(control)
    return control
  }

  private func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, ifMatch: Bool = false
  ) async throws(Problem) -> Response where Method.Reply: JSONWritable {
    do throws(StepperClientError) {
      let reply = try await calls.call(method, parameters)
      return Response(json: JSON.text(reply))
    } catch {
      throw Problem(error, ifMatch: ifMatch)
    }
  }
}

extension ControlHub {
  /// Throws unless the daemon is connected and has sent `control`: one that is not shown is not changed either.
  func checkShown(_ control: String) throws(Problem) {
    let (isThere, problem) = read { ($0.entry(control) != nil, $0.connection.problem) }
    if let problem { throw .noDaemon(problem) }
    if !isThere { throw .noSuchControl(control) }
  }
}

extension ControlRevisions {
  /// The tag of all controls; throws if the daemon is not connected.
  func availableTag() throws(Problem) -> String {
    guard let instance, connection == .open else {
      throw .noDaemon(connection.problem ?? DaemonReachability.never.problem ?? "")
    }
    return EntityTag.of(instance, sequence)
  }
}

extension WebRequest {
  /// The control that the address names.
  var control: String {
    get throws(Problem) {
      let text = OutsideText.shown(names.first ?? [])
      guard !text.isEmpty, text.utf8.count <= 64 else { throw .noSuchControl(text) }
      return text
    }
  }
}

extension RequestTarget {
  /// `match`: as often as there are patterns, or with commas between them.
  var filter: ControlFilter {
    get throws(Problem) {
      let patterns = values("match").flatMap { $0.split(separator: UInt8(ascii: ",")) }
      guard patterns.count <= ControlFilter.patternLimit,
        patterns.allSatisfy({ $0.count <= ControlFilter.byteLimit })
      else {
        let limits = "\(ControlFilter.patternLimit) patterns of \(ControlFilter.byteLimit) bytes"
        throw .invalidParameter("match", "match has at most \(limits) each")
      }
      return ControlFilter(patterns: patterns.map { OutsideText.shown($0) })
    }
  }
}
