import FoundationEssentials
import Glibc
import TestSupport

/// One system call of a program under test, and what happens at it.
struct CallFault: Hashable, CustomStringConvertible {
  var call: String
  /// Which of the calls of this name, counted from 1.
  var number: Int
  /// The name of an error, or another action; see `Tests/Support/nth-call.c`.
  var action: String

  var description: String { "\(call) \(number) \(action)" }
}

/// The system calls of a program under test, one by one: which there are in a scenario, and the scenario again with a
/// fault at one of them. See `Tests/Support/nth-call.c`, which is compiled for it.
final class SystemCalls {
  let folder: TemporaryFolder

  /// What the program is started with.
  let environment: [String: String]
  private var series = 0

  /// Every error at every call, instead of one: `STEPPERD_SWEEP=1`, a matter of minutes.
  static let isSweep = ProcessInfo.processInfo.environment["STEPPERD_SWEEP"] != nil

  init() throws {
    folder = try TemporaryFolder()
    environment = [
      "LD_PRELOAD": try folder.compileLibrary("nth-call"), "STEPPERD_CALLS": "\(folder.path)/calls",
    ]
  }

  /// From now on calls are counted, beginning with 1, and `faults` happen.
  func arm(_ faults: [CallFault]) throws {
    try arm(lines: faults.map(\.description))
  }

  /// The same, with a line for each: `fsync * EIO` makes each fail.
  func arm(lines: [String]) throws {
    series += 1
    folder.remove("calls.log")
    try folder.write((["series \(series)"] + lines).joined(separator: "\n"), to: "calls")
  }

  /// From now on every call is made.
  func disarm() { folder.remove("calls") }

  /// The calls that were met since it was armed, in their order.
  func met() throws -> [(call: String, number: Int)] {
    guard folder.contains("calls.log") else { return [] }
    return try folder.read("calls.log").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[1]) else { return nil }
      return (String(words[0]), number)
    }
  }

  func hasMet(_ fault: CallFault) throws -> Bool {
    try met().contains { $0.call == fault.call && $0.number == fault.number }
  }

  /// The calls of `scenario`, each with one of the errors that it may have, one after the other; in a sweep with all.
  func faults(of scenario: () throws -> Void) throws -> [CallFault] {
    try points(of: scenario).enumerated().flatMap { index, point -> [CallFault] in
      let errors = Self.errors[point.call] ?? []
      let chosen = Self.isSweep || errors.isEmpty ? errors[...] : errors[(index % errors.count)...].prefix(1)
      return chosen.map { CallFault(call: point.call, number: point.number, action: $0) }
    }
  }

  /// A kill at each of the calls of `scenario`.
  func kills(of scenario: () throws -> Void) throws -> [CallFault] {
    try points(of: scenario).flatMap { point in
      let kill = CallFault(call: point.call, number: point.number, action: "KILL")
      return point.call == "write" || point.call == "pwrite"
        ? [kill, CallFault(call: point.call, number: point.number, action: "TORN")] : [kill]
    }
  }

  private func points(of scenario: () throws -> Void) throws -> [(call: String, number: Int)] {
    try arm([])
    try scenario()
    disarm()
    let points = try met()
    guard !points.isEmpty else { throw TestFailure("no call was met") }
    return points
  }

  /// What each call may fail with, by its manual page and what disks, kernels and limits do.
  static let errors: [String: [String]] = [
    "open": ["EMFILE", "EINTR", "ENFILE", "ENOMEM", "EIO", "EACCES"],
    "openat": ["EMFILE", "ENOSPC", "EINTR", "ENOMEM", "EROFS", "EIO", "ENFILE", "EDQUOT"],
    "read": ["EIO", "EINTR", "ENOMEM"],
    "write": ["ENOSPC", "EIO", "SHORT", "EINTR", "EDQUOT"],
    "pwrite": ["ENOSPC", "EIO", "SHORT"], "read-other": ["EINTR", "EAGAIN"], "write-other": ["EINTR"],
    "fsync": ["EIO", "ENOSPC", "EDQUOT", "EINVAL"],
    "ftruncate": ["EIO", "ENOSPC"], "flock": ["ENOLCK", "EINTR", "ENOMEM"],
    "stat": ["ENOMEM", "EACCES", "EIO"], "lstat": ["ENOMEM", "EACCES", "EIO"],
    "fstat": ["ENOMEM", "EIO", "ESTALE"], "fstatat": ["ENOMEM", "EACCES", "EIO", "ESTALE"],
    "renameat": ["EIO", "ENOSPC", "EROFS", "EDQUOT"],
    "linkat": ["ENOSPC", "EPERM", "EIO", "EMLINK"],
    "unlinkat": ["EIO", "EROFS", "EACCES"], "unlink": ["EIO", "EROFS", "EACCES"],
    "mkdir": ["ENOSPC", "EACCES", "EROFS"], "chmod": ["EPERM", "EROFS", "EIO"],
    "readlink": ["ENOENT", "EACCES"],
    "epoll_create1": ["EMFILE", "ENFILE", "ENOMEM"], "epoll_ctl": ["ENOMEM", "ENOSPC"],
    "epoll_wait": ["EINTR"], "timerfd_create": ["EMFILE", "ENFILE", "ENOMEM"],
    "signalfd": ["EMFILE", "ENFILE", "ENOMEM"], "inotify_init1": ["EMFILE", "ENFILE", "ENOMEM"],
    "inotify_add_watch": ["ENOSPC", "ENOMEM", "EACCES"], "pipe2": ["EMFILE", "ENFILE"],
    "fcntl": ["EMFILE"], "pthread_create": ["EAGAIN", "ENOMEM"], "clone": ["EAGAIN", "ENOMEM"],
    "send-result": ["EAGAIN", "EINTR", "ENOBUFS", "ENOMEM"],
    "socketpair": ["EMFILE", "ENFILE"], "execve": ["ENOMEM", "EIO", "EACCES"],
    "socket": ["EMFILE", "ENOBUFS", "ENFILE", "ENOMEM"], "bind": ["EADDRINUSE", "EACCES", "ENOMEM", "EROFS"],
    "listen": ["EADDRINUSE"], "connect": ["ECONNREFUSED", "EAGAIN", "EACCES"],
    "accept4": ["ECONNABORTED", "EMFILE", "EINTR", "EPERM", "ENOMEM", "ENFILE", "ENOBUFS", "EPROTO"],
    "getsockname": ["ENOBUFS"], "getsockopt": ["ENOBUFS", "ENOMEM", "ENOTCONN"],
    "setsockopt": ["ENOBUFS", "ENOMEM"],
    "recv": ["ECONNRESET", "EINTR", "ENOMEM"], "send": ["EPIPE", "ECONNRESET", "EINTR", "ENOMEM", "SHORT"],
  ]
}
