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

  /// `GET /controls`. With `settings=1` the answer includes the settings: all that the panel's page needs at first, in one answer.
  func list(_ request: WebRequest) async throws -> Response {
    let filter = try request.target.filter
    let hasSettings = try request.target.flag("settings")
    await pulse.check()
    try await request.connection.takeRoom(max(AnswerRoom.least, hub.read { $0.byteCount(after: .init()) }))
    let language = try await language(request)
    let table = hub.table
    let view = EventID.view(
      of: filter, within: settings.settings.match, in: language, isReadOnly: !request.access.mayOperate)
    let tag = EntityTag.of(try table.checkedInstance(), table.sequence, view: view)
    if !hasSettings, EntityTag.isListed(tag, in: request.head.ifNoneMatch) { return .notModified(tag) }
    let selection = ControlSelection(filter, of: table)
    let subjects = table.news(after: .init(), of: selection)
    let texts = await describer.texts(of: subjects, in: language)
    let controls = table.entries.filter { selection.contains($0.state.control) }.map {
      JSONFragment($0.text(texts, isReadOnly: !request.access.mayOperate))
    }
    let json = JSON.object([
      "instance": table.instance, "sequence": table.sequence,
      "settings": hasSettings ? JSONFragment(settings.text(for: request)) : nil, "controls": controls,
    ])
    return Response(json: json, entityTag: Self.isComplete(texts, of: subjects) ? tag : nil)
  }

  /// An answer that lacks a text gets no tag, because the complete answer differs.
  private static func isComplete(
    _ texts: [Describer.Subject: [UInt8]]?, of subjects: [Describer.Subject]
  ) -> Bool { texts.map { $0.count == subjects.count } ?? true }

  /// `GET /controls/NAME`.
  func one(_ request: WebRequest) async throws -> Response {
    let control = try request.control
    await pulse.check()
    let language = try await language(request)
    let table = hub.table
    let instance = try table.checkedInstance()
    guard let entry = table.entry(control) else { throw Problem.noSuchControl(control) }
    let isReadOnly = !request.access.mayOperate
    let view = EventID.view(of: .all, within: [], in: language, isReadOnly: isReadOnly)
    let tag = EntityTag.of(instance, entry.state.sequence, view: view)
    if EntityTag.isListed(tag, in: request.head.ifNoneMatch) { return .notModified(tag) }
    let texts = await describer.texts(of: [entry.subject], in: language)
    return Response(
      json: entry.text(texts, isReadOnly: isReadOnly),
      entityTag: Self.isComplete(texts, of: [entry.subject]) ? tag : nil)
  }

  private func language(_ request: WebRequest) async throws(Problem) -> String {
    let language = try request.target.language ?? describer.language
    try await describer.admit(language, for: request.client)
    return language
  }

  /// `POST /controls/NAME/set`.
  func set(_ request: WebRequest) async throws -> Response {
    let control = try await shown(request)
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

  /// The sequence number of the current state if a list of entity tags has it, else the first one. Tags of other instances are ignored.
  private func sequence(of control: String, in list: [UInt8]) throws(Problem) -> Int64 {
    let (instance, present) = hub.read { ($0.instance, $0.entry(control)?.state.sequence) }
    let sequences = list.split(separator: UInt8(ascii: ",")).compactMap { EntityTag.id(Array($0.trimmed)) }
      .filter { $0.instance == instance }.map(\.sequence)
    guard let sequence = sequences.first(where: { $0 == present }) ?? sequences.first else {
      throw Problem(.preconditionFailed, "If-Match has no entity tag of a state of this control")
    }
    return sequence
  }

  /// `POST /controls/NAME/step`.
  func step(_ request: WebRequest) async throws -> Response {
    let control = try await shown(request)
    let parameters = try await JSONBody.read(request, like: #"{"steps": 1}"#) {
      (members) throws(JSONMisfit) in
      ControlInterface.Step.Parameters(
        control: control, steps: try members.value("steps"), unit: try members.optional("unit"))
    }
    return try await call(ControlInterface.Step.self, parameters)
  }

  /// `POST /controls/NAME/turn`.
  func turn(_ request: WebRequest) async throws -> Response {
    let control = try await shown(request)
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
    JSON.object(["state": state, "mode": mode])
  }

  /// `POST /controls/NAME/reset`.
  func reset(_ request: WebRequest) async throws -> Response {
    let control = try await shown(request)
    try await JSONBody.read(request, like: "{}") { _ in }
    return try await call(ControlInterface.Reset.self, .init(control: control))
  }

  /// The control that the URL names, if it is shown and the daemon answers.
  private func shown(_ request: WebRequest) async throws(Problem) -> String {
    let control = try request.control
    await pulse.check()
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
  /// Throws unless the daemon is connected and has sent `control`. A control that is not shown cannot be changed either.
  func checkShown(_ control: String) throws(Problem) {
    let (isThere, problem) = read { ($0.entry(control) != nil, $0.connection.problem) }
    if let problem { throw .noDaemon(problem) }
    if !isThere { throw .noSuchControl(control) }
  }
}

extension ControlRevisions {
  /// The daemon's instance. Throws if the daemon is not connected.
  func checkedInstance() throws(Problem) -> String {
    guard let instance, connection == .open else {
      throw .noDaemon(connection.problem ?? DaemonReachability.never.problem ?? "")
    }
    return instance
  }
}

extension WebRequest {
  /// The control that the URL names.
  var control: String {
    get throws(Problem) {
      let text = OutsideText.shown(names.first ?? [])
      guard !text.isEmpty, text.utf8.count <= 64 else { throw .noSuchControl(text) }
      return text
    }
  }
}

extension RequestTarget {
  /// `match`: repeated for each pattern, or with commas between patterns.
  var filter: ControlFilter {
    get throws(Problem) {
      let patterns = values("match").flatMap { $0.split(separator: UInt8(ascii: ",")) }
      let filter = ControlFilter(patterns: patterns.map { OutsideText.shown($0) })
      guard filter.isWithinLimits else {
        let limits = "\(ControlFilter.patternLimit) patterns of \(ControlFilter.byteLimit) bytes each"
        let wild = "\(ControlFilter.wildByteLimit) bytes of patterns with * or ? together"
        throw .invalidParameter("match", "match has at most \(limits), and \(wild)")
      }
      return filter
    }
  }
}
