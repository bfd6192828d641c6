__stepperctl_add_completions() {
    local completion text before quote
    if [[ ${1} == -W ]]; then
        __stepperctl_unquote "${cur}"
        while IFS='' read -r completion; do
            [[ -n ${completion} && ${completion} == "${text}"* ]] && COMPREPLY+=("${completion}")
        done <<<"${2}"
        return
    fi
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(compgen "${@}" -- "${cur}")
}

# The text of a typed word; if a quote is open at its end, this quote, and the text before it.
__stepperctl_unquote() {
    local rest=${1}
    text='' before='' quote=''
    while [[ -n ${rest} ]]; do
        case "${quote:-_}${rest}" in
        _\\*) rest=${rest:1} text+=${rest:0:1} ;;
        _[\'\"]*) quote=${rest:0:1} before=${text} ;;
        \'\'* | \"\"*) quote='' before='' ;;
        \"\\[\\\"\$\`]*) rest=${rest:1} text+=${rest:0:1} ;;
        *) text+=${rest:0:1} ;;
        esac
        rest=${rest:1}
    done
}

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
    # bash replaces what stands behind an open quote, else behind the last colon.
    local text before quote word
    __stepperctl_unquote "${whole}"
    local start=${before}
    if [[ -z ${quote} && ${COMP_WORDBREAKS} == *:* && ${whole} == *:* ]]; then
        __stepperctl_unquote "${whole%"${whole##*:}"}"
        start=${text}
    fi
    for index in "${!COMPREPLY[@]}"; do
        word=${COMPREPLY[index]#"${start}"}
        case "${quote}" in
        \') word=${word//\'/"'\''"} ;;
        \") word=${word//'\'/'\\'} word=${word//'"'/'\"'} word=${word//'$'/'\$'} word=${word//'`'/'\`'} word=${word//'!'/"\"'!'\""} ;;
        *) printf -v word %q "${word}" ;;
        esac
        COMPREPLY[index]=${word}
    done
}

complete -F __stepperctl_complete_words stepperctl
