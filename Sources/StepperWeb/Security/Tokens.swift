internal import StepperLinux
internal import Synchronization
internal import SystemPackage

/// The tokens of the token file as it was last read. A token is valid as long as the file contains it.
final class Tokens: Sendable {
  private let file: SmallFile
  private let list: Mutex<TokenList>

  /// The tokens of the file at `path` once it is read; before that, `tokens`.
  init(_ path: String, _ tokens: TokenList = TokenList()) {
    file = SmallFile(FilePath(path))
    list = Mutex(tokens)
  }

  /// Why the file, or a line of it, is not used.
  enum Failure: Error, CustomStringConvertible {
    case file(FileFailure)
    case missing(FilePath)
    case lines(FilePath, [TokenList.Failure])

    var description: String {
      switch self {
      case .file(let failure): "\(failure)"
      case .missing(let path): "there is no token file \(path)"
      case .lines(let path, let failures): "\(path): \(failures.map(\.message).joined(separator: "; "))"
      }
    }

    /// Whether the failure is the system's and says nothing about the file.
    var isOfSystem: Bool {
      if case .file(let failure) = self { failure.errno?.isOfSystem ?? false } else { false }
    }
    /// Whether the file may be readable soon, although it does not change.
    var isShortage: Bool { if case .file(let failure) = self { failure.isShortage } else { false } }
  }

  /// Reads the file. Throws what is wrong with it. In that case the tokens on its other lines are valid, and no token is if the file
  /// cannot be read or others can write it. If the file may be readable soon, the tokens do not change.
  func read() throws(Failure) {
    do throws(Failure) {
      let (tokens, failures) = TokenList.read(try bytes(), after: list.withLock(\.self))
      list.withLock { $0 = tokens }
      if !failures.isEmpty { throw .lines(file.path, failures) }
    } catch {
      if case .lines = error { throw error }
      if !error.isShortage { list.withLock { $0 = TokenList(after: $0) } }
      throw error
    }
  }

  private func bytes() throws(Failure) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(FileFailure) {
      bytes = try file.read(limit: TokenList.fileLimit, isOwn: true)
    } catch {
      throw .file(error)
    }
    guard let bytes else { throw .missing(file.path) }
    return bytes
  }

  /// The grant of `token`; nil: it has none.
  func grant(of token: ArraySlice<UInt8>) -> Grant? { list.withLock(\.self).grant(of: token) }

  /// Whether the token is valid.
  func has(_ id: TokenID) -> Bool { list.withLock { $0.has(id) } }
}
