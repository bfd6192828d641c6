internal import StepperCore

/// Whether the daemon may open device nodes.
extension Facts {
  /// Whether udev has marked the device for stepperd. A user's daemon uses every device that it may open.
  func isGiven(_ input: InputFacts) -> Bool {
    !isSystem || input.identity.properties["STEPPERD_DEVICE"] == "1"
  }

  /// `root:input (0660, also user alice rw)`.
  func owner(of node: FileStatus) -> String {
    let entries = node.entries.compactMap { entry -> String? in
      let permissions =
        (entry.permissions.contains(.read) ? "r" : "-") + (entry.permissions.contains(.write) ? "w" : "-")
      return switch entry.kind {
      case .user(let number): "user \(accounts.userName(number)) \(permissions)"
      case .group(let number): "group \(accounts.groupName(number)) \(permissions)"
      case .owningGroup: nil
      }
    }
    let also = entries.isEmpty ? "" : ", also \(entries.joined(separator: ", "))"
    return
      "\(accounts.userName(node.owner)):\(accounts.groupName(node.group)) (\(node.octalMode)\(also))"
  }
}
