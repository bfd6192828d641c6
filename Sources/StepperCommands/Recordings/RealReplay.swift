internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

extension ReplayCommand {
  /// Moves the virtual device `device` of the running daemon as in the recording: starts immediately, and then keeps
  /// the recorded pace.
  func play(_ recording: Recording, into device: String) throws {
    var map = VirtualInputMap(recording)
    for line in map.lines(device: device, codes: .kernel) { Output.error(line) }
    guard !map.isEmpty else {
      throw CommandFailure("the recording has no movement that a virtual device can make")
    }
    // The daemon holds pressed buttons only while this client's connection lasts.
    let client = StepperClient(address: global.address, timeout: global.timeout.duration)
    do {
      var first: (time: Instant, at: Instant)?
      for entry in recording.entries {
        let moves = map.moves(of: entry.event)
        guard !moves.isEmpty else { continue }
        let begin = first ?? (entry.time, .now)
        first = begin
        let left = (entry.time - begin.time) - (Instant.now - begin.at)
        if left > .zero { try client.stayConnected(for: left) }
        for move in moves { try perform(move, of: device, client) }
      }
    } catch let error as StepperClientError {
      throw CommandFailure(error, client: client)
    }
  }

  private func perform(_ move: VirtualInputMap.Move, of device: String, _ client: StepperClient) throws {
    func name(_ input: VirtualInput) -> InputName { InputName(device: device, input: input.rawValue) }
    switch move {
    case .turn(let detents): try client.turn(name(.dial), by: detents)
    case .press(let input): try client.press(name(input))
    case .release(let input): try client.release(name(input))
    case .slide(let position): try client.move(name(.fader), to: position)
    }
  }
}
