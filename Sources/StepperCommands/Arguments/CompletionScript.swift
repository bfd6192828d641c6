internal import Varlink

/// The completion scripts of swift-argument-parser, extended so that the shell does not interpret words from the
/// daemon.
enum CompletionScript {
  /// The output of swift-argument-parser, extended if it is a completion script; other lines are unchanged.
  static func completed(_ lines: [String]) -> [String] {
    switch lines.first {
    case "#!/bin/bash":
      lines + words.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    // If history expansion is off, zsh does not quote `!`.
    case "#compdef stepperctl":
      lines.map {
        $0.hasSuffix("unsetopt aliases banghist") ? String($0.dropLast(" banghist".count)) : $0
      }
    // The script of fish needs no extension.
    default: lines
    }
  }

  /// Completes words literally. The script of swift-argument-parser passes them to `compgen -W`, which expands each
  /// word as the shell does, so that a name from the daemon could run a command. These functions replace the earlier
  /// definitions.
  ///
  /// Completes words with any characters. Bash divides words at colons and replaces only the part after the last colon.
  /// Only options and arguments that are files are completed as file names, because bash escapes the colons in those.
  /// The last `complete` for a command is the one in force.
  private static var words: String { OutsideText.shown(PackageResources.completion_bash) }
}
