internal import CLinks
internal import Glibc
internal import Varlink

/// A client of the kernel's MIDI sequencer, with the ports that it reads. It never blocks.
@safe final class Sequencer {
  /// Why the sequencer is not available, for people.
  struct Failure: Error, Hashable {
    let reason: String
  }

  /// The address of a port.
  struct Address: Hashable {
    let client: CInt
    let port: CInt
  }

  /// A readable port of another client.
  struct Port: Hashable {
    let address: Address
    let name: String
    /// The card that the port belongs to; nil: it belongs to a program.
    let card: CInt?
    let isWritable: Bool
  }

  private let handle: OpaquePointer
  private let own: CInt
  let descriptor: CInt

  /// Opens the sequencer without the library's configuration of this machine.
  init() throws(Failure) {
    calsa_be_silent()
    var opened: OpaquePointer?
    let result = unsafe snd_seq_open(&opened, "hw", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard result >= 0, let handle = unsafe opened else { throw Self.failure(result) }
    unsafe self.handle = handle
    unsafe snd_seq_set_client_name(handle, "stepperd-midi")
    unsafe calsa_midi_prepare(handle)
    let abilities =
      SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT
    own = unsafe snd_seq_create_simple_port(
      handle, "stepperd-midi", UInt32(abilities), UInt32(SND_SEQ_PORT_TYPE_APPLICATION))
    var polled = pollfd()
    let count = unsafe snd_seq_poll_descriptors(handle, &polled, 1, Int16(POLLIN))
    descriptor = polled.fd
    // From here on, deinit closes the sequencer.
    guard own >= 0, count == 1 else { throw Failure(reason: "the sequencer of MIDI has no free port") }
    // Subscribes to announcements of clients and ports that come and go.
    unsafe snd_seq_connect_from(handle, own, CInt(SND_SEQ_CLIENT_SYSTEM), SND_SEQ_PORT_SYSTEM_ANNOUNCE)
  }

  deinit { unsafe snd_seq_close(handle) }

  /// The failure for a result of the library.
  static func failure(_ result: CInt) -> Failure {
    switch -result {
    case ENOENT, ENODEV, ENXIO:
      Failure(
        reason: "the kernel has no sequencer of MIDI; load it with: modprobe snd-seq, and restart the service"
      )
    // The unit denies the device: it permits only devices that were there when it started.
    case EPERM: Failure(reason: "the service may not use /dev/snd/seq; restart the service")
    case EACCES:
      Failure(reason: "/dev/snd/seq may not be opened by this user; it belongs to the group audio")
    default:
      Failure(reason: "the sequencer of MIDI cannot be used: \(words(result))")
    }
  }

  private static func words(_ result: CInt) -> String {
    unsafe snd_strerror(result).map { unsafe OutsideText.shown($0) } ?? "error \(result)"
  }

  // MARK: Ports

  /// The readable ports of other clients, without ports that only pass on what programs send.
  func ports() -> [Port] {
    var client: OpaquePointer?
    var port: OpaquePointer?
    guard unsafe snd_seq_client_info_malloc(&client) == 0, unsafe snd_seq_port_info_malloc(&port) == 0 else {
      return []
    }
    defer {
      unsafe snd_seq_client_info_free(client)
      unsafe snd_seq_port_info_free(port)
    }
    var found: [Port] = []
    unsafe snd_seq_client_info_set_client(client, -1)
    while unsafe snd_seq_query_next_client(handle, client) >= 0 {
      let number = unsafe snd_seq_client_info_get_client(client)
      guard number != SND_SEQ_CLIENT_SYSTEM, unsafe number != snd_seq_client_id(handle) else { continue }
      let card = unsafe snd_seq_client_info_get_card(client)
      unsafe snd_seq_port_info_set_client(port, number)
      unsafe snd_seq_port_info_set_port(port, -1)
      while unsafe snd_seq_query_next_port(handle, port) >= 0 {
        let abilities = unsafe Int(snd_seq_port_info_get_capability(port))
        let written = Int(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
        let needed = Int(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
        let isOffered = abilities & needed == needed && abilities & Int(SND_SEQ_PORT_CAP_NO_EXPORT) == 0
        guard isOffered else { continue }
        let name = unsafe snd_seq_port_info_get_name(port).map { unsafe OutsideText.shown($0) } ?? ""
        found.append(
          Port(
            address: Address(client: number, port: unsafe snd_seq_port_info_get_port(port)), name: name,
            card: card >= 0 ? card : nil, isWritable: abilities & written == written))
      }
    }
    return found
  }

  /// Reads a port from now on, and opens it for writing if it can be written. `again`: it may already be connected.
  func connect(_ port: Port, again: Bool = false) throws(Failure) {
    try Self.connected(
      unsafe snd_seq_connect_from(handle, own, port.address.client, port.address.port), again)
    guard port.isWritable else { return }
    do throws(Failure) {
      try Self.connected(
        unsafe snd_seq_connect_to(handle, own, port.address.client, port.address.port), again)
    } catch {
      unsafe snd_seq_disconnect_from(handle, own, port.address.client, port.address.port)
      throw error
    }
  }

  /// Checks a result. The kernel reports EBUSY for a port that is already connected. If somebody else has a device open, it reports EBUSY
  /// or EAGAIN.
  private static func connected(_ result: CInt, _ isConnected: Bool) throws(Failure) {
    guard result < 0, result != -EBUSY || !isConnected else { return }
    switch -result {
    case EBUSY, EAGAIN:
      throw Failure(reason: "is in use by another program, which has its device file open")
    case ENOENT, ENODEV, ENXIO: throw Failure(reason: "is not there any more")
    case EACCES, EPERM:
      throw Failure(reason: "cannot be read: the program that it belongs to does not allow it")
    default: throw Failure(reason: "cannot be read: \(words(result))")
    }
  }

  // MARK: Messages

  enum Event: Hashable {
    case message(Address, MidiMessage)
    /// Ports or clients have appeared or changed.
    case portsChanged
    /// A client or one of its ports has disappeared.
    case gone(client: CInt, port: CInt?)
    /// The kernel had no room for events.
    case lost
    /// An event of a kind that is not used here.
    case other
  }

  /// Reads the next event; nil: there is none at present.
  func next() throws(Failure) -> Event? {
    var read = calsa_midi()
    let result = unsafe calsa_midi_read(handle, &read)
    if result == -ENOSPC { return .lost }
    if [-EAGAIN, -EINTR].contains(result) { return nil }
    guard result >= 0 else { throw Self.failure(result) }
    let source = Address(client: CInt(read.client), port: CInt(read.port))
    switch read.kind {
    case CALSA_PORTS_CHANGED: return .portsChanged
    case CALSA_CLIENT_GONE: return .gone(client: source.client, port: nil)
    case CALSA_PORT_GONE: return .gone(client: source.client, port: source.port)
    default: break
    }
    return MidiMessage(read).map { .message(source, $0) } ?? .other
  }

  /// Sends to a port; false: the kernel has no room at present.
  func send(_ message: MidiMessage, to address: Address) -> Bool {
    var sent = message.sent
    (sent.client, sent.port) = (
      UInt8(truncatingIfNeeded: address.client), UInt8(truncatingIfNeeded: address.port)
    )
    var bytes: [UInt8] = []
    if case .exclusive(let content) = message { bytes = content }
    // Writing to a port that is gone fails; an event reports that the ports have changed.
    return unsafe calsa_midi_write(handle, own, sent, bytes, UInt32(bytes.count)) != -EAGAIN
  }
}

extension MidiMessage {
  /// nil: the message is of another kind, or has numbers that MIDI does not have.
  fileprivate init?(_ read: calsa_midi) {
    guard read.channel < 16, read.number < 128 else { return nil }
    let (channel, number, value) = (Int(read.channel) + 1, Int(read.number), Int(read.value))
    switch read.kind {
    case CALSA_NOTE where (0...127).contains(value):
      self = .note(channel: channel, number: number, velocity: value)
    case CALSA_CONTROLLER where (0...127).contains(value):
      self = .controller(channel: channel, number: number, value: value)
    case CALSA_BEND where (-8_192...8_191).contains(value):
      self = .bend(channel: channel, value: value + 8_192)
    default: return nil
    }
  }

  fileprivate var sent: calsa_midi {
    var sent = calsa_midi()
    switch self {
    case .note(let channel, let number, let velocity):
      (sent.kind, sent.channel, sent.number) = (CALSA_NOTE, UInt32(channel - 1), UInt32(number))
      sent.value = CInt(velocity)
    case .controller(let channel, let number, let value):
      (sent.kind, sent.channel, sent.number) = (CALSA_CONTROLLER, UInt32(channel - 1), UInt32(number))
      sent.value = CInt(value)
    case .bend(let channel, let value):
      (sent.kind, sent.channel, sent.value) = (CALSA_BEND, UInt32(channel - 1), CInt(value - 8_192))
    case .exclusive: break
    }
    return sent
  }
}
