internal import CLinux
internal import Glibc

/// The value of an extended attribute; nil if the file or its file system has none, or it is longer than 64 KiB, the kernel's
/// limit.
///
/// The corresponding C function is `getxattr`.
package func extendedAttribute(_ name: String, of path: String) -> [UInt8]? {
  var value = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe getxattr(path, name, &value, value.count)
  return count >= 0 ? Array(value.prefix(count)) : nil
}
