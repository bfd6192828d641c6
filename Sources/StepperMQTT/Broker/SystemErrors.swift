internal import Glibc
internal import Varlink

let brokenPipe = EPIPE
let connectionRefused = ECONNREFUSED
let connectionReset = ECONNRESET
let hostUnreachable = EHOSTUNREACH
let networkUnreachable = ENETUNREACH
let connectionTimedOut = ETIMEDOUT
/// What the library makes of a failure of TLS.
let protocolError = EPROTO

/// The text of an error number.
func errorText(_ number: CInt) -> String {
  unsafe strerror(number).map { unsafe OutsideText.shown($0) } ?? ""
}

/// The error number of the last call of this thread.
func lastErrorNumber() -> CInt { errno }

func clearErrorNumber() { errno = 0 }

/// Whether a text that ends with NUL begins with these bytes.
func begins(_ text: UnsafePointer<CChar>, with start: String) -> Bool {
  unsafe strncmp(text, start, start.utf8.count) == 0
}

/// Nothing more can be read from a socket: whoever does so finds its end.
func stopReading(_ socket: CInt) { _ = shutdown(socket, CInt(SHUT_RD)) }

/// Whether the last call found nothing to read or no room to write.
func wouldHaveWaited() -> Bool { errno == EAGAIN || errno == EWOULDBLOCK }

/// Bounds the memory of this process, so that a message of any size ends in a lost connection and not in a full machine:
/// MQTT 3.1.1 has no limit that a client could send to a broker. Where that fails, the service manager's limit remains.
package func limitMemory(toBytes bytes: UInt) {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return }
  limit.rlim_cur = min(limit.rlim_max, rlim_t(bytes))
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
}
