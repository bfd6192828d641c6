internal import ArgumentParser

/// The script that completes commands in bash: that of swift-argument-parser, followed by an addition to it.
enum CompletionScript {
  static var bash: [String] {
    (Stepperctl.completionScript(for: .bash) + "\n" + words).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Completes words with colons, at which bash divides words and of which it replaces only the part after the last one, and
  /// names with spaces. Only options and arguments that are files are completed as file names, because bash escapes the
  /// colons of these. The last `complete` of a command is in force.
  private static let words = #"""
    __stepperctl_complete_words() {
        local words=() index
        local -i cword=0
        for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
            if ((index > 1)) && [[ ${COMP_WORDS[index]} == :* || (${words[-1]} == *: && ${COMP_WORDS[index - 1]} == *:) ]]; then
                words[-1]+=${COMP_WORDS[index]}
            else
                words+=("${COMP_WORDS[index]}")
            fi
            ((index == COMP_CWORD)) && cword=$((${#words[@]} - 1))
        done
        local whole=${words[cword]}
        local -a COMP_WORDS=("${words[@]}")
        local -i COMP_CWORD=$cword
        _stepperctl "${1}" "${whole}" "${words[cword > 0 ? cword - 1 : 0]}"

        case "${words[cword > 0 ? cword - 1 : 0]}" in
        --address | --config | --output) compopt -o filenames; return ;;
        esac
        local commands=' (check|record|replay) '
        if [[ ${#COMPREPLY[@]} -gt 0 && -e ${COMPREPLY[0]} && " ${words[*]} " =~ ${commands} ]]; then
            compopt -o filenames
            return
        fi
        local start=''
        [[ ${COMP_WORDBREAKS} == *:* && ${whole} == *:* ]] && start=${whole%"${whole##*:}"}
        for index in "${!COMPREPLY[@]}"; do
            COMPREPLY[index]=${COMPREPLY[index]#"${start}"}
            # In quotes a name is complete as it is.
            [[ ${whole} == [\"\']* ]] || printf -v "COMPREPLY[index]" %q "${COMPREPLY[index]}"
        done
    }

    complete -F __stepperctl_complete_words stepperctl
    """#
}
