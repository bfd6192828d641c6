import StepperConfiguration
import StepperCore
import StepperInterfaces

/// Controls as messages of `org.stepperd.control`.
extension World {
  func wireState(_ state: ControlState) -> ControlInterface.State {
    ControlInterface.State(state, entry(of: state.control).adjustedSettings)
  }

  func wireState(of id: ControlID) -> ControlInterface.State { wireState(state(of: id)) }

  func description(of id: ControlID, isWritable: Bool) -> ControlInterface.Description {
    let configuration = configuration(of: id)
    let settings = adjustedSettings(of: id)
    let presentation = configuration.presentation
    return ControlInterface.Description(
      control: settings.name, kind: .init(rawValue: settings.kind.rawValue) ?? .continuous,
      profile: configuration.profile,
      title: configuration.title, titles: configuration.titles.isEmpty ? nil : configuration.titles,
      unit: configuration.unit, minimum: settings.minimumValue?.doubleValue,
      maximum: settings.maximumValue?.doubleValue, step: settings.stepValue.doubleValue,
      page: settings.pageIncrement.doubleValue, digits: Int64(settings.digits),
      format: ControlInterface.NumberFormat(
        style: .init(rawValue: presentation.format.rawValue) ?? .decimal, currency: presentation.currency,
        significantDigits: settings.feel.significantDigits.map(Int64.init), grouping: presentation.groups),
      choices: settings.kind == .choice ? settings.choices : nil,
      choiceTitles: configuration.choiceTitles.titles.isEmpty ? nil : configuration.choiceTitles.titles,
      choiceTranslations: configuration.choiceTitles.translations.isEmpty
        ? nil : configuration.choiceTitles.translations,
      wrap: settings.feel.wraps,
      writable: isWritable, default: settings.initialValue?.doubleValue,
      expressions: settings.kind == .continuous && settings.textRules.expressions != .none ? true : nil,
      hasInputs: settings.bindings.isEmpty ? false : nil, enabled: settings.isEnabled,
      mayBeUnset: settings.textRules.canBeUnset, numeric: settings.textRules.isNumeric,
      autorepeat: settings.feel.autorepeat, continuous: settings.feel.isContinuous,
      precision: Int64(settings.precision), spoken: configuration.isSpoken, family: configuration.family,
      subtitle: configuration.subtitle,
      subtitles: configuration.subtitles.isEmpty ? nil : configuration.subtitles,
      group: configuration.group?.name,
      groupTitle: configuration.group?.title, groupTitles: configuration.groupTitles)
  }
}

extension ControlConfiguration {
  /// The translated titles of the control's group; nil: there are none.
  fileprivate var groupTitles: [String: String]? { group.flatMap { $0.titles.isEmpty ? nil : $0.titles } }
}

extension ControlInterface.State {
  /// `settings` are the adjusted settings of the control.
  init(_ state: ControlState, _ settings: ControlSettings) {
    self.init(
      control: settings.name, value: state.value?.doubleValue,
      text: state.value.map { settings.text(of: $0) },
      limit: .init(state.limit), origin: .init(state.origin), live: state.isLive, turned: state.turned,
      presses: state.presses, pressed: state.isPressed, editing: state.isEditing,
      canIncrement: state.canIncrement, canDecrement: state.canDecrement, sequence: state.sequence,
      monotonicMicroseconds: state.time.nanoseconds / 1_000, editingOrigin: state.editing.map { .init($0) })
  }
}

extension ControlInterface.EditingOrigin {
  init(_ origin: EditingOrigin) {
    switch origin {
    case .device: self = .device
    case .client: self = .client
    }
  }
}

extension ControlInterface.Limit {
  init(_ limit: Limit) {
    switch limit {
    case .none: self = .none
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    case .both: self = .both
    }
  }
}

extension ControlInterface.Origin {
  init(_ origin: Origin) {
    switch origin {
    case .startup: self = .startup
    case .restored: self = .restored
    case .device: self = .device
    case .client: self = .client
    case .configuration: self = .configuration
    case .idle: self = .idle
    }
  }
}
