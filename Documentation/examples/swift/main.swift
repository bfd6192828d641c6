// A Varlink service and a client of it, with the product Varlink:
//   varlink-example serve SOCKET
//   varlink-example call SOCKET

import Glibc
import Varlink

/// Serves one client after the other.
func serve(_ path: String) throws {
  let listener = try Socket(listeningAt: path)
  var service = CounterService()
  say("serving")
  while true {
    let socket = try listener.accept()
    defer { socket.close() }
    var connection = VarlinkServerConnection()
    while !connection.isFinished {
      if connection.wantsInput {
        let bytes = socket.read()
        if bytes.isEmpty { connection.receiveEnd() } else { connection.receive(bytes) }
      }
      service.answer(&connection)
      let count = socket.write(connection.output)
      // A client that is gone needs no answers.
      if count == 0, connection.pendingOutputCount > 0 { break }
      connection.didSend(count)
    }
  }
}

/// Makes two calls at once and prints their replies.
func call(_ path: String) throws {
  let socket = try Socket(connectingTo: path)
  var connection = VarlinkClientConnection()
  let add = connection.send(try VarlinkCall(CounterInterface.Add.self, .init(name: "clicks", by: 2)))
  connection.send(try VarlinkCall(CounterInterface.Countdown.self, .init(from: 2)))
  while connection.unansweredCount > 0 {
    connection.didSend(socket.write(connection.output))
    let bytes = socket.read()
    guard !bytes.isEmpty else { throw Failure("the service is gone") }
    connection.receive(bytes)
    while let (number, reply) = try connection.nextReply() {
      if number == add {
        let counter = try reply.decode(CounterInterface.Add.Reply.self).counter
        say("\(counter.name): \(counter.count)")
      } else {
        say("\(try reply.decode(CounterInterface.Countdown.Reply.self).left) left")
      }
    }
  }
}

/// Prints a line at once.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

do {
  switch CommandLine.arguments.dropFirst().first {
  case "serve" where CommandLine.arguments.count == 3: try serve(CommandLine.arguments[2])
  case "call" where CommandLine.arguments.count == 3: try call(CommandLine.arguments[2])
  default: say("usage: varlink-example serve|call SOCKET")
  }
} catch {
  say("\(error)")
  exit(1)
}
