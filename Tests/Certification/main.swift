// certification serve|call SOCKET
//
// The certification of Varlink implementations against each other, over the code that stepperd and its
// clients use. Never part of the shipped daemon.

import FoundationEssentials
import Glibc
import StepperDaemon
import StepperInterfaces
import StepperLinux
import Varlink

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  StandardStream.error.write(line: "usage: certification serve|call SOCKET")
  exit(64)
}
do {
  if arguments[1] == "serve" {
    try serve(arguments[2])
  } else {
    var client = CertificationClient(connectedTo: try connected(to: arguments[2]))
    try client.run()
    StandardStream.output.write(line: "certified")
  }
} catch {
  StandardStream.error.write(line: "certification: \(error)")
  exit(1)
}

@MainActor func serve(_ path: String) throws {
  let loop = try EventLoop()
  let service = VarlinkService(
    vendor: "stepperd", product: "certification", version: "1", url: "https://varlink.org",
    interfaces: [
      InterfaceDescription(
        name: Script.interface,
        text: String(decoding: PackageResources.org_varlink_certification_varlink, as: UTF8.self))
    ])
  let handler = CertificationService()
  let server = try VarlinkServer(
    on: UnixListener(path: path, mode: 0o600, group: nil), loop: loop, service: service, source: handler,
    refusal: { _ in VarlinkFailure(name: "\(Script.interface).TooManyConnections") },
    report: { message, _ in StandardStream.error.write(line: message) })
  StandardStream.output.write(line: "serving at \(path)")
  try loop.run { now in
    server.sendReplies(at: now)
    server.answer(at: now) { call, session throws(VarlinkFailure) in try handler.answer(call, from: session) }
    server.sendReplies(at: now)
    return server.deadline(at: now)
  }
}

func connected(to path: String) throws -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
  let result = unsafe withUnsafePointer(to: address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard result == 0 else { throw Failure("cannot connect to \(path): errno \(errno)") }
  return descriptor
}
