// Keeps a control of one stepperd equal with a control of another one, so that two knobs are one value:
//   bridge-example CONTROL SOCKET OTHER-CONTROL OTHER-SOCKET
import Glibc
import StepperBridge
import StepperClient

/// A control of another daemon.
struct OtherControl: BridgeOutside {
  let client: StepperClient
  let name: String

  func changes() async throws -> AsyncThrowingStream<OutsideChange, any Error> {
    guard let terms = try await client.list(name).first?.description.bridgeTerms else {
      throw OutsideFailure("there is no control \(name) with a value")
    }
    return AsyncThrowingStream { changes in
      changes.yield(.terms(terms))
      let following = Task {
        do {
          for try await state in client.changes(of: name) { changes.yield(.value(state.value)) }
          changes.finish()
        } catch {
          changes.finish(throwing: error)
        }
      }
      changes.onTermination = { _ in following.cancel() }
    }
  }

  func write(_ value: Double) async throws { try await client.set(name, to: value, clamp: true) }
}

let words = CommandLine.arguments
guard words.count == 5 else {
  print("usage: bridge-example CONTROL SOCKET OTHER-CONTROL OTHER-SOCKET")
  exit(64)
}
let other = OtherControl(client: StepperClient(address: words[4]), name: words[3])
var bridges = Bridges(StepperClient(address: words[2]))
bridges.keep(words[1], equalTo: other, rules: BridgeRules(start: .outside, rate: 50)) { report in
  let line = "\(report)\n"
  write(STDERR_FILENO, line, line.utf8.count)
}
await bridges.run()
