internal import CLinks
internal import Glibc
internal import StepperBridge
internal import StepperConfiguration
internal import Varlink

/// An element of an ALSA mixer that plays, such as `Master` of the card `default`.
@safe final class MixerElement: PolledOutside {
  private let mixer: OpaquePointer
  /// Valid only until the next events are taken: when an element changes, the library may free it and create it anew.
  private var element: OpaquePointer
  private let card: String
  private let name: String
  /// Whether the value is the mute, 1 while the playback switch is off; else it is the volume of the loudest channel.
  private let isMute: Bool
  let scale: RawScale

  init(
    _ card: String, _ name: String, _ quantity: OutsideProgram.Quantity, _ curve: LinkConfiguration.Curve
  ) throws(OutsideFailure) {
    (self.card, self.name, isMute) = (card, name, quantity == .mute)
    // Otherwise the library prints several lines about each attempt.
    calsa_be_silent()
    var opened: OpaquePointer?
    try Self.check(unsafe snd_mixer_open(&opened, 0), "no mixer")
    guard let mixer = unsafe opened else { throw OutsideFailure("no mixer") }
    do throws(OutsideFailure) {
      try Self.check(
        unsafe snd_mixer_attach(mixer, card), "the card \(card) has no mixer that could be opened")
      try Self.check(unsafe snd_mixer_selem_register(mixer, nil, nil), "the mixer of \(card) cannot be used")
      try Self.check(unsafe snd_mixer_load(mixer), "the mixer of \(card) cannot be read")
      unsafe element = unsafe try Self.find(name, mixer, card)
      let words = "\(card)/\(name)"
      scale =
        unsafe isMute
        ? try Self.switchScale(of: element, words)
        : try Self.volumeScale(of: element, isMapped: curve == .mapped, words)
    } catch {
      unsafe snd_mixer_close(mixer)
      throw error
    }
    unsafe self.mixer = mixer
  }

  deinit { unsafe snd_mixer_close(mixer) }

  private static func check(_ result: CInt, _ what: String) throws(OutsideFailure) {
    guard result < 0 else { return }
    let reason = unsafe snd_strerror(result).map { unsafe OutsideText.shown($0) } ?? "error \(result)"
    throw OutsideFailure("\(what): \(reason.lowercased())")
  }

  private static func find(
    _ name: String, _ mixer: OpaquePointer, _ card: String
  ) throws(OutsideFailure) -> OpaquePointer {
    var names: [String] = []
    var next = unsafe snd_mixer_first_elem(mixer)
    while let element = unsafe next {
      let found = unsafe snd_mixer_selem_get_name(element).map { unsafe OutsideText.shown($0) } ?? ""
      if found == name { return unsafe element }
      if names.count < 32 { names.append(found) }
      unsafe next = snd_mixer_elem_next(element)
    }
    let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
    throw OutsideFailure("the mixer of \(card) has no element \(name); \(known)")
  }

  // MARK: The loop

  /// The descriptors of the card, to be polled.
  func descriptors() throws(OutsideFailure) -> [pollfd] {
    let count = unsafe snd_mixer_poll_descriptors_count(mixer)
    guard count > 0 else { throw OutsideFailure("the card has no descriptor to wait for") }
    var polled = [pollfd](repeating: pollfd(), count: Int(count))
    unsafe snd_mixer_poll_descriptors(mixer, &polled, UInt32(count))
    return polled
  }

  /// Handles the events of the polled descriptors. Throws if the card is gone.
  func takeEvents(_ polled: inout [pollfd]) throws(OutsideFailure) -> Bool {
    var events: UInt16 = 0
    try Self.check(
      unsafe snd_mixer_poll_descriptors_revents(mixer, &polled, UInt32(polled.count), &events),
      "the card is gone")
    guard events & UInt16(POLLERR | POLLNVAL | POLLHUP) == 0 else { throw OutsideFailure("the card is gone") }
    if events & UInt16(POLLIN) != 0 {
      try Self.check(unsafe snd_mixer_handle_events(mixer), "the card is gone")
      try findAgain()
    }
    return true
  }

  private func findAgain() throws(OutsideFailure) {
    unsafe element = unsafe try Self.find(name, mixer, card)
    let words = "\(card)/\(name)"
    let range =
      unsafe isMute
      ? try Self.switchScale(of: element, words).range : try Self.volumeRange(of: element, words)
    guard range == scale.range else { throw OutsideFailure("the range of \(words) has changed") }
  }

  // MARK: Values

  func place() throws(OutsideFailure) -> Double {
    isMute ? try isAudible() ? 0 : 1 : scale.place(try loudest())
  }

  func set(_ place: Double) throws(OutsideFailure) {
    if isMute {
      try Self.check(
        unsafe snd_mixer_selem_set_playback_switch_all(element, place >= 0.5 ? 0 : 1), "it cannot be muted")
    } else {
      try Self.check(
        unsafe snd_mixer_selem_set_playback_volume_all(element, scale.raw(place)), "its volume cannot be set")
    }
  }

  private static let channels = (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t($0) }

  private func loudest() throws(OutsideFailure) -> Int {
    var loudest: Int?
    for channel in Self.channels where unsafe snd_mixer_selem_has_playback_channel(element, channel) != 0 {
      var raw = 0
      try Self.check(
        unsafe snd_mixer_selem_get_playback_volume(element, channel, &raw), "its volume cannot be read")
      loudest = max(loudest ?? raw, raw)
    }
    guard let loudest else { throw OutsideFailure("it has no channel that plays") }
    return loudest
  }

  private func isAudible() throws(OutsideFailure) -> Bool {
    var isAudible = false
    for channel in Self.channels where unsafe snd_mixer_selem_has_playback_channel(element, channel) != 0 {
      var on: CInt = 0
      try Self.check(
        unsafe snd_mixer_selem_get_playback_switch(element, channel, &on), "its mute cannot be read")
      isAudible = isAudible || on != 0
    }
    return isAudible
  }

  // MARK: The scale

  private static func switchScale(
    of element: OpaquePointer, _ name: String
  ) throws(OutsideFailure) -> RawScale {
    guard unsafe snd_mixer_selem_has_playback_switch(element) != 0 else {
      throw OutsideFailure("\(name) has no switch that mutes it")
    }
    return RawScale(0...1, .raw)
  }

  private static func volumeRange(
    of element: OpaquePointer, _ name: String
  ) throws(OutsideFailure) -> ClosedRange<Int> {
    guard unsafe snd_mixer_selem_has_playback_volume(element) != 0 else {
      throw OutsideFailure("\(name) has no volume that plays")
    }
    var (low, high) = (0, 0)
    try check(unsafe snd_mixer_selem_get_playback_volume_range(element, &low, &high), "\(name) has no range")
    let (span, isTooFar) = high.subtractingReportingOverflow(low)
    guard low < high, !isTooFar, span <= RawScale.mostSpan else {
      throw OutsideFailure("\(name) has no range: \(low) to \(high)")
    }
    return low...high
  }

  /// `isMapped`: uses alsamixer's scale, cubic in decibels, if the element supports decibels.
  private static func volumeScale(
    of element: OpaquePointer, isMapped: Bool, _ name: String
  ) throws(OutsideFailure) -> RawScale {
    let range = unsafe try volumeRange(of: element, name)
    if isMapped, range.count <= RawScale.mostPlaces, let places = unsafe places(of: element, range) {
      return RawScale(range, places: places)
    }
    return RawScale(range, .raw)
  }

  /// alsamixer's places; nil: the element does not support decibels.
  private static func places(of element: OpaquePointer, _ range: ClosedRange<Int>) -> [Double]? {
    var levels: [Double] = []
    for raw in range {
      var hundredths = 0
      guard unsafe snd_mixer_selem_ask_playback_vol_dB(element, raw, &hundredths) >= 0 else { return nil }
      levels.append(Double(hundredths))
    }
    return MixerCurve.places(ofHundredths: levels)
  }
}
