internal import ArgumentParser
internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// Plays a recording into a virtual device of the running daemon, at its own pace.
struct RealReplay {
  private let recording: Recording
  private let map: VirtualInputMap
  private let device: String
  private let global: GlobalOptions

  init(_ recording: Recording, device: String, global: GlobalOptions) {
    (self.recording, self.device, self.global) = (recording, device, global)
    map = VirtualInputMap(recording)
  }

  func play() throws {
    for line in map.lines(device: device, codes: .kernel) { Output.error(line) }
    guard !map.isEmpty else {
      throw CommandFailure(message: "nothing of the recording fits a virtual device", code: .failure)
    }
    // The buttons that are held belong to this connection.
    let client = StepperClient(address: global.address, timeout: global.timeout.duration)
    do {
      var map = map
      let start = Instant.now
      for entry in recording.entries {
        let moves = map.moves(of: entry.event)
        guard !moves.isEmpty else { continue }
        let left = entry.time - Instant(nanoseconds: Instant.now.nanoseconds(since: start))
        if left > .zero { try client.stayConnected(for: left) }
        for move in moves { try perform(move, client) }
      }
    } catch let error as StepperClientError {
      throw CommandFailure(error, client: client)
    }
  }

  private func perform(_ move: VirtualInputMap.Move, _ client: StepperClient) throws {
    func name(_ input: VirtualInput) -> InputName { InputName(device: device, input: input.rawValue) }
    switch move {
    case .turn(let detents): try client.turn(name(.dial), by: detents)
    case .press(let input): try client.press(name(input))
    case .release(let input): try client.release(name(input))
    case .slide(let position): try client.move(name(.fader), to: position)
    }
  }
}
