# shellcheck shell=bash
# Installs missing programs with the system's package manager, after a question or with --setup. Sourced by the launcher
# only if something is missing.

# A query may read package lists from the network.
readonly query_limit=60
# How long a question waits for an answer; no answer means no.
readonly answer_limit=600
# How long apt-get waits for dpkg's lock, which unattended upgrades of a new machine may hold.
readonly dpkg_wait=120

# Reports all missing programs at once, and installs them or exits. The arguments are those of `require`. Strace alone
# is not required.
set_up() {
    tell_missing "$1"
    if ! choose_manager; then
        [[ -n $missing ]] || return 0
        tell_sources
        exit 2
    fi
    choose_packages
    ((${#packages[@]} > 0)) || [[ -n $missing ]] || return 0
    [[ -z $without || $manager == apt-get ]] || { tell_no_jdk && exit 2; }
    tell_commands
    if ! agree; then
        [[ -n $missing ]] || return 0
        exit 2
    fi
    [[ $manager != apt-get ]] || update_lists
    install_packages
    hash -r
    find_missing "$@"
    [[ -z $missing ]] || fail 2 "$manager has finished, but this is still missing:${missing/javac/JDK}. Check the PATH and FUSEBOX_JAVA_HOME."
}

tell_missing() {
    local part
    for part in $wanted; do
        case $part in
            java | javac) tell_no_home "$1" ;;
            mvn) say "Maven 3.8 or newer is needed to build, and there is no mvn on the PATH." ;;
            npx) say "npm is needed for the tests, and there is no npx on the PATH." ;;
            python3) say "python3 is needed for the tests, and is not on the PATH." ;;
            chromium | socat | strace) say "$part is not on the PATH; tests that need it are skipped." ;;
        esac
    done
}

tell_no_home() {
    say "no JDK $oldest_java or newer with bin/$1 found. Searched FUSEBOX_JAVA_HOME, JAVA_HOME, java on the PATH," \
        "and the folders in ${jdk_folders:-no folder}. Found:"
    printf '%s' "${met:-"  nothing"$'\n'}" >&2
}

# Prints where to get each missing program without a package manager.
tell_sources() {
    local part
    say "none of the package managers apt-get, dnf and brew is on the PATH, so nothing can be installed automatically."
    for part in $wanted; do
        case $part in
            java | javac) tell_jdk_sources ;;
            mvn) say "get Maven from https://maven.apache.org/download.cgi, or as a package" \
                "(apt-get install maven, brew install maven, sdk install maven)." ;;
            npx) say "get npm with Node.js from https://nodejs.org." ;;
            python3) say "get Python 3 from https://www.python.org." ;;
        esac
    done
}

tell_jdk_sources() {
    say "get a JDK $oldest_java from https://adoptium.net, with \"sdk install java $oldest_java-tem\" (https://sdkman.io)," \
        "or as a package of your system, then set FUSEBOX_JAVA_HOME to its folder if it is not found automatically."
}

tell_no_jdk() {
    say "$manager has no package of a JDK $oldest_java (looked for $without). Nothing was installed."
    tell_jdk_sources
    ((${#packages[@]} == 0)) || say "then install the rest with: $(quoted "$root/fusebox") $(command_for_setup) --setup"
}

# Sets `manager`, `as_root` to what its commands begin with, and `is_powerless` where this user cannot run them.
choose_manager() {
    local name
    manager='' as_root=() is_powerless=''
    for name in apt-get dnf brew; do
        ! type -P "$name" >/dev/null || { manager=$name && break; }
    done
    [[ -n $manager ]] || return 1
    [[ $manager != brew && $(id -u) != 0 ]] || return 0
    type -P sudo >/dev/null || { is_powerless=yes && return 0; }
    as_root=(sudo)
    # Without a terminal sudo cannot ask for a password.
    [[ -z $setup ]] || has_terminal || as_root=(sudo -n)
}

has_terminal() { [[ -t 0 && -t 2 ]]; }

# ---- Packages

# Sets `packages`, `jdk_package` (empty if there is none) and `without`, the names that were looked for in vain.
choose_packages() {
    local part
    packages=() without='' jdk_package=''
    for part in $wanted; do
        case $part in
            java | javac) ! find_jdk_package || packages+=("$jdk_package") ;;
            mvn) packages+=(maven) ;;
            npx) packages+=("$(npm_package)") ;;
            python3) if [[ $manager == brew ]]; then packages+=(python); else packages+=(python3); fi ;;
            socat) ! is_offered socat || packages+=(socat) ;;
            chromium | strace) [[ $manager == brew ]] || ! is_offered "$part" || packages+=("$part") ;;
        esac
    done
}

find_jdk_package() {
    local name names
    case $manager in
        apt-get) names="openjdk-$oldest_java-jdk-headless temurin-$oldest_java-jdk" ;;
        dnf) names="java-$oldest_java-openjdk-devel temurin-$oldest_java-jdk java-latest-openjdk-devel" ;;
        brew) names="openjdk@$oldest_java" ;;
    esac
    for name in $names; do
        if is_offered "$name"; then
            jdk_package=$name
            return 0
        fi
    done
    without=${names// /, }
    return 1
}

# NodeSource's package of Node.js has npm in it and excludes Debian's package of npm.
npm_package() {
    case $manager in
        brew) printf node ;;
        apt-get) if [[ $(candidate nodejs) == *nodesource* ]]; then printf nodejs; else printf npm; fi ;;
        *) printf npm ;;
    esac
}

is_offered() {
    local version
    case $manager in
        apt-get) version=$(candidate "$1") ;;
        dnf) version=$(query dnf -q repoquery --latest-limit=1 --qf '%{version}\n' "$1") ;;
        brew) version=$(query brew info --formula "$1") ;;
    esac
    [[ $1 != java-latest-* || (-n $version && $(first_number "$version") -ge $oldest_java) ]] && [[ -n $version ]]
}

# Prints the version that apt-get would install, or nothing.
candidate() {
    local found
    found=$(query env LC_ALL=C apt-cache policy "$1")
    [[ $found == *"Candidate: "* ]] || return 0
    found=${found#*"Candidate: "}
    found=${found%%$'\n'*}
    [[ $found == "(none)" ]] || printf '%s' "$found"
}

query() {
    "$@" </dev/null 2>/dev/null &
    child=$!
    await_child $query_limit || :
}

first_number() {
    local digits=${1#"${1%%[0-9]*}"}
    digits=${digits%%[!0-9]*}
    printf '%s' "${digits:-0}"
}

# ---- Consent

# Prints the commands exactly as they are run. Package lists may be outdated or, on a new machine, missing.
tell_commands() {
    local shown=(${packages[@]+"${packages[@]}"})
    if [[ -n $without ]]; then
        shown=("${without%%,*}" ${packages[@]+"${packages[@]}"})
        say "the package lists of apt-get contain no JDK $oldest_java (looked for $without). If an update does not help:"
        tell_jdk_sources
    fi
    say "$manager can install the missing packages:"
    [[ $manager != apt-get ]] || tell_command "${update_command[@]}"
    set_install_command "${shown[@]}"
    tell_command "${install_command[@]}"
}

tell_command() { printf '  %s\n' "$(quoted ${as_root[@]+"${as_root[@]}"} "$@")" >&2; }

# Asks whether the commands may run. Nothing is installed without consent.
agree() {
    local answer=''
    if [[ -n $is_powerless ]]; then
        say "there is no sudo, and this user is not root: run these commands as root, then try again."
        return 1
    fi
    [[ -z $setup ]] || return 0
    if ! has_terminal; then
        say "run these commands, or let Fusebox run them: $(quoted "$root/fusebox") $(command_for_setup) --setup"
        return 1
    fi
    printf 'fusebox: run this now? [y/N] ' >&2
    IFS= read -r -t $answer_limit answer || printf '\n' >&2
    case $answer in [yY] | [yY][eE][sS]) return 0 ;; esac
    say "nothing was installed."
    return 1
}

# A command that needs only the missing programs, and continues with the requested command only if that was asked for.
command_for_setup() {
    case "$command $wanted" in
        "demo "* | "test "* | "check "* | "jdk "*) printf '%s' "$command" ;;
        *" java" | *" javac") printf jdk ;;
        *) printf build ;;
    esac
}

quoted() {
    local word text=''
    for word in "$@"; do text+=" $(printf '%q' "$word")"; done
    printf '%s' "${text# }"
}

# ---- Installation

readonly update_command=(apt-get update -q)

set_install_command() {
    case $manager in
        apt-get) install_command=(env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends
            -o "DPkg::Lock::Timeout=$dpkg_wait" "$@") ;;
        dnf) install_command=(dnf install -y "$@") ;;
        brew) install_command=(brew install "$@") ;;
    esac
}

# An unavailable repository may not be needed.
update_lists() {
    run_shown "${update_command[@]}" || say "apt-get could not read all package lists; continuing with the others."
    choose_packages
    [[ -z $without ]] || { tell_no_jdk && exit 2; }
    ((${#packages[@]} > 0)) || fail 2 "apt-get has no packages for the missing programs."
}

install_packages() {
    local status=0
    set_install_command "${packages[@]}"
    run_shown "${install_command[@]}" || status=$?
    ((status == 0)) || [[ -z $missing ]] ||
        fail 2 "$manager could not install ${packages[*]} (status $status); see its output above."
}

# In the foreground and without a limit: an interrupted installation leaves a half-installed package, and Ctrl-C reaches
# it at the terminal.
run_shown() {
    say "running: $(quoted ${as_root[@]+"${as_root[@]}"} "$@")"
    ${as_root[@]+"${as_root[@]}"} "$@" </dev/null >&2
}
