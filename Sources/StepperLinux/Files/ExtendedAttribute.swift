internal import CLinux
internal import Glibc
internal import Varlink

/// The value of an extended attribute; nil if the file does not have it, its file system does not support it, or it
/// is longer than 64 KiB, the kernel's limit.
///
/// The corresponding C function is `getxattr`.
package func extendedAttribute(_ name: String, of path: String) -> [UInt8]? {
  var value = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe getxattr(path, name, &value, value.count)
  return count >= 0 ? Array(value.prefix(count)) : nil
}

/// The names of the extended attributes of a file; empty if its file system does not support them. Names that are not
/// text are left out.
///
/// The corresponding C function is `listxattr`.
func extendedAttributeNames(of path: String) -> [String] {
  var names = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe names.withUnsafeMutableBytes { unsafe listxattr(path, $0.baseAddress, $0.count) }
  return names.prefix(max(0, count)).split(separator: 0).compactMap { OutsideText.text(Array($0)) }
}
