/// Whether values can be saved.
extension Diagnosis {
  @Sections static func values() -> [Section] {
    let lost: Reason<StateFacts> = "Values are not kept over a restart."
    let makeRoom = RemedyStep.advice("remove files from that file system; the save is retried")

    Section("values", { $0.presentState.isEmpty ? [$0.state].compactMap(\.self) : [] }) {
      Row(
        "state.missing", .warning,
        // A daemon that has not run yet has not created it.
        when: { _, facts in facts.daemon?.status != nil && facts.configurationIsOwn },
        seen: { state, _ in "\(state.directory) does not exist" },
        because: "It is created with the next save, or with the next start of the service.",
        remedies: { _, facts in facts.restarting })
    }

    Section {
      Section("values", \.presentState) {
        Row(
          "state.kind", .wrong, when: { state, _ in state.status?.kind != .directory },
          seen: { state, _ in "\(state.directory) is not a directory" }, because: lost,
          remedies: { state, facts in [.root("mv \(state.word) \(state.word).aside")] + facts.restarting
          })
        Row(
          "state.denied", .wrong,
          seen: { state, facts in
            guard let status = state.status, let identity = facts.daemonIdentity,
              let user = facts.daemonUser, !status.permits(.all, to: identity)
            else { return nil }
            let owner =
              "\(facts.accounts.userName(status.owner)):\(facts.accounts.groupName(status.group))"
            return
              "\(state.directory) belongs to \(owner) (\(status.octalMode)), and \(user.name) may not write to it"
          }, because: lost,
          remedies: { state, facts in
            let owner =
              facts.daemonUser.map { "\($0.name):\(facts.accounts.groupName($0.group))" } ?? ""
            return [.root("chown -R \(owner) \(state.word)"), .root("chmod 0750 \(state.word)")]
              + facts.restarting
          })
      }

      Section("values", \.presentState) {
        Row(
          "state.read-only", .wrong, when: { state, _ in state.isReadOnly },
          seen: { state, _ in "the file system of \(state.directory) is read-only" }, because: lost,
          remedies: { state, _ in
            [.root("mount -o remount,rw \"$(findmnt -n -o TARGET --target \(state.word))\"")]
          })
        // Two generations of the largest file that is read.
        Row(
          "state.full", .wrong, when: { state, _ in (state.freeBytes ?? .max) < 2 << 20 },
          seen: { state, _ in "\((state.freeBytes ?? 0) / 1024) KiB are free for \(state.directory)" },
          because: lost, remedies: { state, _ in [.command("df -h \(state.word)"), makeRoom] })
        Row(
          "state.inodes", .wrong, when: { state, _ in (state.freeFiles ?? .max) < 8 },
          seen: { state, _ in
            "the file system of \(state.directory) has \(state.freeFiles ?? 0) inodes left"
          }, because: lost, remedies: { state, _ in [.command("df -i \(state.word)"), makeRoom] })
      }

      Section("values", \.presentState) {
        Row(
          "state.aside", .note,
          seen: { state, _ in
            let files = (state.files ?? []).filter {
              $0.hasPrefix("values.json.") || $0.hasPrefix("values.previous.json.")
            }
            guard !files.isEmpty else { return nil }
            let names = files.prefix(5).joined(separator: ", ")
            return
              "files of values were damaged or unknown and were set aside in \(state.directory): \(names)"
          }, because: "The values in use are those of the other generation, or the initial ones.")
      }
    } otherwise: {
      Section("values", \.presentState) {
        Row("state.writable", .ok, seen: { state, _ in "\(state.directory) can be written" })
      }
    }
  }
}

extension Facts {
  fileprivate var presentState: [StateFacts] { [state].compactMap(\.self).filter { $0.status != nil } }
}

extension StateFacts {
  /// The path as a word of a shell.
  fileprivate var word: String { Shell.quoted(directory) }
}
