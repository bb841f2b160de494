# shellcheck shell=bash
# Shows the progress of a build. Sourced by the launcher, and only where it builds.

# Shorter builds need no progress.
readonly quiet_seconds=5
# Outside of a terminal a slow module is reported again, so that a hanging build can be recognized.
readonly repeat_seconds=30
# The longest line that a terminal of 80 columns does not wrap, behind "fusebox: ".
readonly line_length=70

# Runs Maven with its output in the file $1. Like Maven's -q, it shows everything but information and warnings.
watch_build() {
    local log=$1 status=0 rest='' at='' told='' told_at=0 downloads=0 hidden='' began=$SECONDS
    shift
    rm -f "$log"
    : >"$log"
    "$@" </dev/null 2>"$log" &
    child=$!
    exec 8<"$log"
    while kill -0 "$child" 2>/dev/null; do
        read_log
        show_progress
        sleep 0.2
    done
    wait "$child" || status=$?
    child=''
    read_log
    [[ -z $rest ]] || take_line "$rest"
    exec 8<&-
    wipe
    ((status > 0 || SECONDS - began < quiet_seconds)) || say "built in $((SECONDS - began)) s"
    return $status
}

# Text after the last line break is an incomplete line.
read_log() {
    local line
    while IFS= read -r line <&8; do
        take_line "$rest$line"
        rest=''
    done
    rest+=$line
}

take_line() {
    # Maven's start resets the colors of a terminal that it does not write to.
    local line=${1//$'\033[0m'/}
    case $line in
        '') ;;
        '[INFO] Building '*' ['*[0-9]/[0-9]*']') hidden='' && name_module "${line#*Building }" ;;
        '[INFO] Downloaded '*) hidden='' downloads=$((downloads + 1)) ;;
        '[INFO]'*) hidden='' ;;
        # A warning may continue on further lines.
        '[WARNING]'*) hidden=yes ;;
        '[ERROR]'*) hidden='' && show_line "$line" ;;
        *) [[ -n $hidden ]] || show_line "$line" ;;
    esac
}

show_line() {
    wipe
    printf '%s\n' "$1" >&2
}

# From "Fusebox client 0.1.0   [7/11]" to "module 7 of 11 (client)".
name_module() {
    local name=${1%% [0-9]*} number=${1##*\[}
    number=${number%]}
    name=${name#Fusebox }
    at="module ${number%/*} of ${number#*/} ($name)"
}

show_progress() {
    local seconds=$((SECONDS - began)) text
    text="building ${at:-"(reading the modules)"}, $seconds s"
    ((downloads == 0)) || text+=", files downloaded: $downloads"
    if can_rewrite; then
        draw "${text:0:line_length}"
    elif ((seconds >= quiet_seconds)) && [[ $at != "$told" || $((seconds - told_at)) -ge $repeat_seconds ]]; then
        told=$at told_at=$seconds
        say "$text"
    fi
}
