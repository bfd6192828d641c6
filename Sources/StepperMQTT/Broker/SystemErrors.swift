internal import Glibc
internal import Varlink

let brokenPipe = EPIPE
let connectionRefused = ECONNREFUSED
let connectionReset = ECONNRESET
let hostUnreachable = EHOSTUNREACH
let networkUnreachable = ENETUNREACH
let connectionTimedOut = ETIMEDOUT
/// The error with which the wait for an address ends: see `connect.h`.
let interruptedCall = EINTR
/// The error as which the library reports a failure of TLS.
let protocolError = EPROTO

/// The text of an error number.
func errorText(_ number: CInt) -> String {
  unsafe strerror(number).map { unsafe OutsideText.shown($0) } ?? ""
}

/// The error number of the last call of this thread.
func lastErrorNumber() -> CInt { errno }

func clearErrorNumber() { errno = 0 }

/// Whether a NUL-terminated text begins with these bytes.
func begins(_ text: UnsafePointer<CChar>, with start: String) -> Bool {
  unsafe strncmp(text, start, start.utf8.count) == 0
}

/// Shuts down a socket for reading: further reads find its end.
func stopReading(_ socket: CInt) { _ = shutdown(socket, CInt(SHUT_RD)) }

/// Whether the last call found nothing to read or no room to write.
func wouldHaveWaited() -> Bool { errno == EAGAIN || errno == EWOULDBLOCK }

/// Bounds the memory of this process, so that a huge message costs the connection and does not fill up the machine's memory. MQTT 3.1.1
/// has no limit that a client could send to a broker. If this fails, the service manager's limit remains.
package func limitMemory(toBytes bytes: UInt) {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return }
  limit.rlim_cur = min(limit.rlim_max, rlim_t(bytes))
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
}
