/// The controls of the configuration in force, their deadlines, and the numbers of their changes.
struct ControlTable: Hashable, Sendable {
  private(set) var controls: [Control] = []
  /// The deadlines of ``controls``.
  private var deadlines = Deadlines(count: 0)
  private var indexes: [String: Int] = [:]
  /// The places of controls that the present input has touched and that are not published yet, in descending order:
  /// they are taken from the end, so that they are published in ascending order.
  private var touched: [Int] = []
  /// How many configurations there were before this one.
  private(set) var generation: UInt64 = 0
  /// The number of the newest change.
  private(set) var sequence: Int64

  /// By place: whether the value of the control decides a layer.
  private var isDecider: [Bool] = []
  /// The places of the controls with bindings in layers.
  private var layered: [Int] = []
  /// Whether a value that decides layers has changed since ``applyLayers()``.
  private var areLayersOutdated = false
  /// Changes whenever the live layers were checked after a deciding value had changed.
  private(set) var layerGeneration: UInt64 = 0

  init(sequence: Int64) { self.sequence = sequence }

  // MARK: Identifiers

  func id(_ index: Int) -> ControlID { ControlID(index, generation: generation) }

  /// Returns nil for an identifier of a former configuration.
  func index(of id: ControlID) -> Int? {
    controls.indices.contains(id.index) && id == self.id(id.index) ? id.index : nil
  }

  func index(named name: String) -> Int? { indexes[name] }

  // MARK: Configuration

  /// Installs the controls of a configuration: `adapt` changes the former control of the same name; for another name
  /// a new control is made.
  mutating func install(
    _ settings: [ControlSettings], at now: Instant,
    _ adapt: (inout Control, ControlSettings, ControlID) -> Void
  ) {
    let (former, places) = (controls, indexes)
    controls = []
    for (index, settings) in settings.enumerated() {
      let id = id(index)
      if var control = places[settings.name].map({ former[$0] }) {
        adapt(&control, settings, id)
        controls.append(control)
      } else {
        sequence += 1
        controls.append(Control(settings, id: id, sequence: sequence, at: now))
      }
    }
    indexes = settings.placesByName
    let deciders = Set(settings.lazy.flatMap { $0.bindings }.flatMap { $0.layer }.map { $0.control })
    isDecider = settings.map { deciders.contains($0.name) }
    layered = settings.indices.filter { settings[$0].bindings.contains { !$0.layer.isEmpty } }
    areLayersOutdated = true
    deadlines = Deadlines(count: controls.count)
    for (index, control) in controls.enumerated() { deadlines[index] = control.deadline }
  }

  /// Invalidates all identifiers so far.
  mutating func beginGeneration() { generation += 1 }

  // MARK: Changes

  /// Applies `change` to a control. The next ``publishTouched(at:waiting:into:)`` publishes the control and updates
  /// its deadline.
  mutating func touch<Result>(_ index: Int, _ change: (inout Control) -> Result) -> Result {
    if touched.last.map({ $0 > index }) ?? true {
      touched.append(index)
    } else if !touched.contains(index) {
      touched.append(index)
      touched.sort(by: >)
    }
    let former = controls[index].value
    let result = change(&controls[index])
    noteLayers(of: index, before: former)
    return result
  }

  /// Applies `change` to every control without publishing it.
  mutating func update(_ change: (Int, inout Control) -> Void) {
    for index in controls.indices {
      let former = controls[index].value
      change(index, &controls[index])
      noteLayers(of: index, before: former)
      deadlines[index] = controls[index].deadline
    }
  }

  /// Marks the layers as outdated if a control that decides one no longer has the value `former`.
  private mutating func noteLayers(of index: Int, before former: FixedPoint?) {
    if isDecider[index], controls[index].value != former { areLayersOutdated = true }
  }

  // MARK: Time

  /// When the next control must be fired; nil: none.
  var deadline: Instant? { deadlines.earliest }

  /// Fires the first control that is due at ``deadline``, and publishes it at `now`. Returns the number of holds that
  /// repeated.
  mutating func fire(at now: Instant, into effects: inout [Effect]) -> Int64 {
    guard let due = deadlines.earliest, let index = deadlines.earliestPlace else { return 0 }
    let repeats = touch(index) { $0.fire(at: due) }
    publishTouched(at: now, into: &effects)
    return repeats
  }

  // MARK: Layers

  /// Ends holds through bindings that are no longer live. Must be called after each event; it is also called before
  /// anything is published. So the bindings of one event are those at its beginning.
  mutating func applyLayers() {
    while areLayersOutdated {
      areLayersOutdated = false
      layerGeneration &+= 1
      for index in layered {
        let ended = controls[index].layeredPresses.filter { press in
          !press.layer.isLive { controls[$0].value }
        }
        guard !ended.isEmpty else { continue }
        touch(index) { control in
          control.abandon(isLost: false) { source in ended.contains { $0.source == source } }
        }
      }
    }
  }

  // MARK: Publishing

  mutating func publishTouched(at now: Instant, waiting: Bool = true, into effects: inout [Effect]) {
    applyLayers()
    while let index = touched.popLast() {
      controls[index].publish(&sequence, at: now, waiting: waiting, into: &effects)
      deadlines[index] = controls[index].deadline
    }
  }

  /// Publishes every control. While `waiting`, controls that wait for the end of a gesture keep their former value.
  mutating func publishAll(at now: Instant, waiting: Bool = true, into effects: inout [Effect]) {
    touched = controls.indices.reversed()
    publishTouched(at: now, waiting: waiting, into: &effects)
  }
}
