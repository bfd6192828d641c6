/// Distinguishes short, double, triple and long presses, and presses during which the knob is turned.
///
/// A press counts at its release, or as a long press when its delay has passed. In a series, each press follows the
/// release before it within an interval. The series ends when that interval has passed, and at once with the last
/// press that is distinguished. A turn during a press cancels that press, and a turn or a press of another button
/// ends the series before it. Without a long action every press is short. The delay counts from a press and the
/// interval from a release, so that neither limits the other.
struct PushRecognizer: Hashable, Sendable {
  private struct Press: Hashable, Sendable {
    var source: InputSource
    var actions: PushActions
    var isDecided = false
  }
  private var press: Press?
  /// The presses before ``press`` that are not decided.
  private var series: Series?
  /// When the press becomes a long one, or the series ends; nil: neither.
  private(set) var deadline: Instant?
  /// The number of presses that counted.
  private(set) var count: Int64 = 0

  private struct Series: Hashable, Sendable {
    var source: InputSource
    var actions: PushActions
    var presses = 1
  }

  /// A recognized press, with its action.
  struct Recognized: Hashable, Sendable {
    var source: InputSource
    var moment: Moment
    var action: PushActions.Action
  }

  /// The button that is down.
  var source: InputSource? { press?.source }
  /// The button of the series, which comes before the press that is down.
  var seriesSource: InputSource? { series?.source }

  /// The actions of a button that is down or has a series; nil: neither.
  func actions(of source: InputSource) -> PushActions? {
    if let press, press.source == source { return press.actions }
    return series?.source == source ? series?.actions : nil
  }

  /// Whether a press would belong to the series.
  func continues(_ source: InputSource, _ actions: PushActions) -> Bool {
    guard let series else { return true }
    // Each press of a client has a hold number of its own.
    let isSame = series.source == source || series.source.owner.isClient && source.owner.isClient
    return isSame && series.actions == actions
  }

  /// A button goes down. The caller must not pass a second button during a press, and must have ended any series that
  /// this press does not continue.
  mutating func press(by source: InputSource, _ actions: PushActions, at now: Instant) {
    press = Press(source: source, actions: actions)
    deadline = actions.distinguishesLongPress ? now + actions.longPressDelay : nil
    count += 1
  }

  /// The button that is down goes up. Returns the press that this decides, and the action of the release.
  mutating func release(at now: Instant) -> (recognized: Recognized?, action: PushActions.Action) {
    guard let press else { return (nil, .none) }
    self.press = nil
    deadline = nil
    guard !press.isDecided else { return (nil, press.actions.release) }
    let presses = (series?.presses ?? 0) + 1
    series = Series(source: press.source, actions: press.actions, presses: presses)
    guard presses < press.actions.mostPresses else { return (endSeries(), press.actions.release) }
    deadline = now + press.actions.multiPressInterval
    return (nil, press.actions.release)
  }

  /// Ends the series. Returns the press that it makes up; nil: there is no series.
  mutating func endSeries() -> Recognized? {
    guard let series else { return nil }
    self.series = nil
    if press == nil { deadline = nil }
    return series.actions.recognized(series.presses, by: series.source)
  }

  /// Recognizes the press that is down at its ``deadline`` as a long press.
  mutating func becomeLong() -> Recognized? {
    guard let press, !press.isDecided else { return nil }
    decide()
    return Recognized(source: press.source, moment: .longPress, action: press.actions.long)
  }

  /// Decides the press that is down: it is no longer recognized as any kind of press.
  mutating func decide() {
    guard press != nil else { return }
    press?.isDecided = true
    deadline = nil
  }

  /// Ends the press that is down, which is not recognized. Returns the action of its release.
  mutating func cancel() -> PushActions.Action {
    guard let press else { return .none }
    self.press = nil
    deadline = nil
    return press.actions.release
  }

  /// Drops the presses so far, which are not recognized.
  mutating func forgetSeries() {
    if series != nil, press == nil { deadline = nil }
    series = nil
  }

  mutating func skip(_ duration: Duration) { deadline = deadline.map { $0 + duration } }
}

extension PushActions {
  /// The kind and the action of this many presses in a row.
  fileprivate func recognized(_ presses: Int, by source: InputSource) -> PushRecognizer.Recognized {
    switch presses {
    case 1: PushRecognizer.Recognized(source: source, moment: .shortPress, action: short)
    case 2: PushRecognizer.Recognized(source: source, moment: .doublePress, action: double)
    default: PushRecognizer.Recognized(source: source, moment: .triplePress, action: triple)
    }
  }
}
