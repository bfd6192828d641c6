internal import Glibc
internal import StepperLinux

/// The path of a credential that the service manager passes to this program, for example by `LoadCredential=`; nil: there is no
/// credential of this name.
package func credentialFile(_ name: String) -> String? {
  guard let folder = environmentVariable("CREDENTIALS_DIRECTORY"), folder.hasPrefix("/") else { return nil }
  let path = "\(folder)/\(name)"
  return unsafe access(path, F_OK) == 0 ? path : nil
}
