internal import Glibc
internal import SystemPackage

extension Errno {
  /// What the calling thread's last failed call left in `errno`.
  static var last: Errno { Errno(rawValue: errno) }
}
