internal import CLinks
internal import StepperBridge
internal import StepperCore
internal import StepperLinux
internal import Varlink

/// A connection to the sound server: PulseAudio, or PipeWire's server for PulseAudio clients. The volume 0…1 is 0…100 % on the cubic
/// scale that sound servers show. The mute is 1 while the sink is muted.
@safe final class PulseSession {
  private let sink: String
  private let quantity: OutsideProgram.Quantity
  private let port: OutsidePort
  private let loop: OpaquePointer
  private let context: OpaquePointer

  /// The sink as it was last found.
  private var found: FoundSink?
  private var isLooking = false
  /// Whether something has changed since the sink was last requested.
  private var isStale = false
  private var looks = RateLimit.looks
  private var isWriting = false
  private var isReady = false
  private var failure: OutsideFailure?
  /// When the server's answer to the last request counts as late.
  private var deadline: Instant?

  /// How long the server may take to answer.
  private static let timeout = Duration.seconds(5)

  private struct FoundSink {
    let index: UInt32
    let name: String
    var volume: pa_cvolume
    /// The last volume that was not silence. It preserves the balance.
    var audible: pa_cvolume
  }

  init(_ sink: String, _ quantity: OutsideProgram.Quantity, _ port: OutsidePort) throws(OutsideFailure) {
    (self.sink, self.quantity, self.port) = (sink, quantity, port)
    guard let loop = unsafe pa_mainloop_new() else { throw OutsideFailure("there is no memory left") }
    guard let context = unsafe pa_context_new(pa_mainloop_get_api(loop), "stepperd-link") else {
      unsafe pa_mainloop_free(loop)
      throw OutsideFailure("there is no memory left")
    }
    unsafe (self.loop, self.context) = (loop, context)
  }

  deinit {
    unsafe pa_context_set_state_callback(context, nil, nil)
    unsafe pa_context_set_subscribe_callback(context, nil, nil)
    unsafe pa_context_disconnect(context)
    unsafe pa_context_unref(context)
    unsafe pa_mainloop_free(loop)
  }

  // MARK: The loop

  /// Serves the port until it has ended. Throws if something is wrong with the server.
  func run() throws(OutsideFailure) {
    let userdata = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe pa_context_set_state_callback(
      context, { _, userdata in unsafe PulseSession.from(userdata).stateChanged() }, userdata)
    unsafe pa_context_set_subscribe_callback(
      context, { _, _, _, userdata in unsafe PulseSession.from(userdata).somethingChanged() }, userdata)
    guard unsafe pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
      throw serverFailure
    }
    let api = unsafe pa_mainloop_get_api(loop)
    let watch = unsafe api?.pointee.io_new(
      api, port.descriptor, PA_IO_EVENT_INPUT,
      { _, _, _, _, userdata in unsafe PulseSession.from(userdata).port.receive() }, userdata)
    defer { if let watch = unsafe watch { unsafe api?.pointee.io_free(watch) } }
    expectAnswer()
    while !port.isEnded {
      try iterate()
      if isReady { try startWrite() }
    }
  }

  private func iterate() throws(OutsideFailure) {
    var timeout: CInt = -1
    if let deadline {
      let left = (deadline - .now).nanoseconds
      guard left > 0 else { throw OutsideFailure("the sound server does not answer") }
      timeout = CInt(clamping: left / 1_000 + 1)
    }
    if isStale, !isLooking {
      guard let pause = looks.pause(at: .now) else { return look() }
      timeout = timeout < 0 ? pause * 1_000 : min(timeout, pause * 1_000)
    }
    // Three separate calls, because pa_mainloop_iterate(3) has no timeout.
    guard unsafe pa_mainloop_prepare(loop, timeout) >= 0, unsafe pa_mainloop_poll(loop) >= 0,
      unsafe pa_mainloop_dispatch(loop) >= 0
    else { throw failure ?? OutsideFailure("the sound server's loop has failed") }
    if let failure { throw failure }
  }

  private static func from(_ userdata: UnsafeMutableRawPointer?) -> PulseSession {
    // The callbacks are set together with the session, and removed before it is deallocated.
    unsafe Unmanaged<PulseSession>.fromOpaque(userdata.unsafelyUnwrapped).takeUnretainedValue()
  }

  private func expectAnswer() { deadline = .now + Self.timeout }

  private func answered() { deadline = isLooking || isWriting || !isReady ? deadline : nil }

  private var serverFailure: OutsideFailure { libraryFailure("no connection to the sound server") }

  /// The failure with the library's last error as its reason.
  private func libraryFailure(_ what: String) -> OutsideFailure {
    let reason =
      unsafe pa_strerror(pa_context_errno(context)).map { unsafe OutsideText.shown($0) } ?? "no reason"
    return OutsideFailure("\(what): \(reason.lowercased())")
  }

  private func stateChanged() {
    switch unsafe pa_context_get_state(context) {
    case PA_CONTEXT_READY: ready()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: failure = serverFailure
    default: break
    }
  }

  private func ready() {
    isReady = true
    deadline = nil
    let events = pa_subscription_mask_t(
      PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
    unsafe forget(pa_context_subscribe(context, events, nil, nil))
    look()
  }

  private func forget(_ operation: OpaquePointer?) {
    if let operation = unsafe operation {
      unsafe pa_operation_unref(operation)
    } else {
      failure = serverFailure
    }
  }

  // MARK: The sink

  private func somethingChanged() {
    isStale = true
    if !isLooking, looks.pause(at: .now) == nil { look() }
  }

  /// Requests the current state of the sink. The server understands the name `@DEFAULT_SINK@`.
  private func look() {
    (isLooking, isStale) = (true, false)
    _ = looks.take(at: .now)
    expectAnswer()
    let userdata = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe forget(
      pa_context_get_sink_info_by_name(
        context, sink,
        { _, info, end, userdata in
          let session = unsafe PulseSession.from(userdata)
          if end == 0, let info = unsafe info {
            unsafe session.see(info.pointee)
          } else {
            session.looked(end)
          }
        }, userdata))
  }

  private func looked(_ end: CInt) {
    isLooking = false
    answered()
    // The result is outdated, and the sink is looked at again soon.
    guard end < 0, !isStale else { return }
    found = nil
    port.report(.away(sink == "@DEFAULT_SINK@" ? "there is no sink" : "there is no sink \(sink)"))
  }

  private func see(_ info: pa_sink_info) {
    let (index, isMuted) = unsafe (info.index, info.mute != 0)
    let name = unsafe info.name.map { unsafe OutsideText.shown($0) } ?? ""
    var volume = unsafe info.volume
    let loudest = unsafe pa_cvolume_max(&volume)
    let former = found?.index == index && found?.name == name ? found : nil
    found = FoundSink(
      index: index, name: name, volume: volume, audible: loudest > 0 ? volume : former?.audible ?? volume)
    // Some servers store volumes as floating point, which causes an error of one or two units.
    let rounding = quantity == .value ? 2 / Double(Self.full) : 0.5
    if former == nil { port.report(.terms(BridgeTerms(range: 0...1, rounding: rounding))) }
    port.report(.value(quantity == .value ? Double(loudest) / Double(Self.full) : isMuted ? 1 : 0))
  }

  /// PA_VOLUME_NORM, 100 %.
  private static let full: UInt32 = 0x1_0000

  // MARK: Writing

  private func startWrite() throws(OutsideFailure) {
    guard !isWriting, let value = port.takeWrite() else { return }
    guard var found else { throw OutsideFailure("there is no sink \(sink)") }
    isWriting = true
    expectAnswer()
    let userdata = unsafe Unmanaged.passUnretained(self).toOpaque()
    let done: pa_context_success_cb_t = { _, success, userdata in
      unsafe PulseSession.from(userdata).written(success != 0)
    }
    // Addressed by index, so that a value for one sink does not reach another sink that has become the default.
    switch quantity {
    case .mute:
      unsafe forget(
        pa_context_set_sink_mute_by_index(context, found.index, value >= 0.5 ? 1 : 0, done, userdata))
    case .value:
      let wanted = pa_volume_t((min(max(value, 0), 1) * Double(Self.full)).rounded())
      var volume = found.audible
      _ = unsafe pa_cvolume_scale(&volume, wanted)
      found.volume = volume
      self.found = found
      unsafe forget(pa_context_set_sink_volume_by_index(context, found.index, &volume, done, userdata))
    }
  }

  private func written(_ isDone: Bool) {
    isWriting = false
    answered()
    if isDone { port.finishWrite() } else { failure = libraryFailure("the sound server refuses the value") }
  }
}
