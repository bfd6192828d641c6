import CLinux
import Glibc

/// Measures programs that speak stepperd's interface, in turns, because only their ratios mean something on a machine that
/// does other things too. Prints JSON: the medians of all rounds for each program, in nanoseconds.
@main
enum Measure {
  private static let usage = """
    usage: measure SCENARIO EVENTS ROUNDS EVENTS-PER-SECOND NAME=SOCKET[:FOLLOWERS[:STALLED[:OTHERS]]]...
           measure start SOCKET PROGRAM [ARGUMENT...]     prints the nanoseconds until the first answer
           measure connections SOCKET                     prints how many are taken
    """

  static func main() {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "start" where arguments.count > 3:
      print(Start.measure(socket: arguments[2], command: Array(arguments[3...])))
    case "connections" where arguments.count == 3:
      var users = Users(socket: arguments[2])
      var open: [Connection] = []
      while open.count < 1_500, let connection = users.connect(greeting: Call.get) { open.append(connection) }
      print(open.count)
    default: compare(arguments)
    }
  }

  private static func compare(_ arguments: [String]) {
    guard arguments.count > 5, let scenario = Scenario(rawValue: arguments[1]),
      let events = Int(arguments[2]),
      let rounds = Int(arguments[3]), let perSecond = Double(arguments[4]), events > 0, rounds > 0,
      perSecond > 0
    else { fail(usage, 64) }
    end_waits_in_time()
    let targets = arguments[5...].map(Target.init)
    var results = targets.map { _ in [Round]() }
    for round in 0...rounds {
      // Each in turn the first: what was just awake makes the next one faster.
      for place in round.isMultiple(of: 2) ? Array(targets.indices) : targets.indices.reversed() {
        let result = scenario.measure(targets[place], events: events, perSecond: perSecond)
        // The first round warms up.
        if round > 0 { results[place].append(result) }
      }
    }
    let lines = zip(targets, results).map { "\"\($0.name)\":\(Round.medians($1))" }
    print("{\(lines.joined(separator: ","))}")
  }
}
