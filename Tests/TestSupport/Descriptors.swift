import Glibc

/// What a descriptor of this process leads to, for example `pipe:[1234]`; nil: it is not open.
package func descriptorTarget(of descriptor: CInt) -> String? {
  var target = [UInt8](repeating: 0, count: 256)
  let count = unsafe readlink("/proc/self/fd/\(descriptor)", &target, target.count)
  return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
}

/// What all descriptors of this process lead to.
package func descriptorTargets() -> [String] { (0..<1_024).compactMap(descriptorTarget) }

/// How many descriptors this process has open, without those that the runtime waits and keeps time with, which it opens when
/// it first needs them.
package func descriptorCount() -> Int {
  let own = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]", "anon_inode:[timerfd]"]
  return descriptorTargets().count { !own.contains($0) }
}
