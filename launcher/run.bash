# shellcheck shell=bash
# How the application is started, and its AOT caches: what the launcher of a checkout (fusebox) and that of packages
# (packaging/fusebox) have in common. Both source it at each start, so it only defines.
#
# They set: app        the folder of the application, and `jdk`, the Java that runs it
#           jdk_build  a text that changes with this Java
#           cache      the path of the AOT cache of all commands; those of other ways of serving are beside it
#           crashes    the folder for reports of a crashed JVM
#           apps       the folder for unfinished files, and `locks`, that of the lock
#           root       an existing folder
# and define is_cached, which succeeds if the caches belong to the application as it is.
readonly module=dev.fusebox.cli main=dev.fusebox.cli.Main
# Training takes four to fifteen seconds of processor time, and several times as long on a busy machine; after two minutes it
# hangs.
readonly training_limit=120

# In a subshell: a closed pipe ends only that process.
say() {
    wipe
    (printf 'fusebox: %s\n' "$*") >&2 2>/dev/null || true
}
fail() { say "$2"; exit "$1"; }

# A status line on a terminal, which the next line overwrites.
can_rewrite() { [[ -t 2 && ${TERM-dumb} != dumb ]]; }

draw() {
    [[ $1 == "${drawn-}" ]] || (printf '\r\033[Kfusebox: %s' "$1") >&2 2>/dev/null || true
    drawn=$1
}

wipe() {
    [[ -z ${drawn-} ]] || (printf '\r\033[K') >&2 2>/dev/null || true
    drawn=''
}

# A JVM does not start in a deleted folder.
leave_lost_folder() { pwd -P >/dev/null 2>&1 || cd "$root"; }

# Without UTF-8 the JVM cannot open files with non-ASCII paths, such as this checkout's. The locale variables may name a
# missing locale, so the length of a three-byte character shows the effective one.
speak_utf8() {
    local letter=$'\xe2\x82\xac'
    ((${#letter} == 1)) || { export LC_ALL=C.UTF-8; } 2>/dev/null
}

# ---- The lock and child processes

may_write() { [[ -w $locks && -w $apps && (! -e $locks/lock || -w $locks/lock) ]]; }

try_lock() {
    owner=''
    mkdir -p "$apps"
    if type -P flock >/dev/null; then
        held=$locks/lock
        exec 9>>"$held"
        flock -n 9 || return 1
    else
        held=$locks/lock.link
        try_link "$held" || return 1
    fi
    # Temporary folders of killed builds; no other build can be running now.
    rm -rf "$apps"/.[a-z]*
}

try_link() {
    if ! ln -s $$ "$1" 2>/dev/null; then
        owner=$(readlink "$1") || return 1
        is_alive "$owner" || drop_link "$1" "$owner"
        owner="the build of process $owner"
        return 1
    fi
    linked=$1
}

# Only one process may remove a stale lock; a second one could remove a lock that was taken meanwhile.
drop_link() {
    mkdir "$1.drop" 2>/dev/null || { held=$1.drop && return; }
    [[ $(readlink "$1") != "$2" ]] || rm -f "$1"
    rmdir "$1.drop"
}

# Signals to other users' processes fail whether or not the process exists.
is_alive() { kill -0 "$1" 2>/dev/null || [[ -d /proc/$1 ]] || ps -p "$1" >/dev/null 2>&1; }

# The program that is exec'ed next must neither hold the lock nor trigger the cleanup.
unlock() {
    exec 9>&-
    clean_up
    linked=''
    trap - EXIT INT TERM HUP
}

# Runs a command so that signals are forwarded to it and the cleanup still runs. There is no time limit: a first build
# may download for long and is ended with Ctrl-C.
run_child() {
    local status=0
    "$@" </dev/null &
    child=$!
    wait "$child" || status=$?
    child=''
    return $status
}

end_child() {
    trap '' INT TERM HUP
    if [[ -n ${child-} ]]; then
        kill -TERM "$child" 2>/dev/null || :
        await_child 10 || :
    fi
    exit "$1"
}

# Waits for the child, and kills it after $1 seconds.
await_child() {
    local status=0 until=$((SECONDS + $1))
    while kill -0 "$child" 2>/dev/null; do
        ((SECONDS < until)) || kill -KILL "$child" 2>/dev/null || :
        sleep 0.05
    done
    wait "$child" 2>/dev/null || status=$?
    child=''
    return $status
}

clean_up() {
    wipe
    [[ -z ${fresh-} ]] || rm -rf "$fresh"
    [[ -z ${linked-} ]] || rm -f "$linked"
}

guard() {
    trap clean_up EXIT
    trap 'end_child 130' INT
    trap 'end_child 143' TERM HUP
}

# ---- The flags

# Sets `flags` and `cache_key` (what a cache was made with: the jars are its folder's name). The usual
# ways of serving have caches of their own, since the JVM loads all that a cache contains (docs/adr/0054, 0061), and
# flags of their own: a gateway without its own tools is fastest with C1 only (docs/adr/0062).
choose_java_flags() {
    # The JVM's messages go to stderr, thread dumps included: stdout carries protocol messages. The heap: docs/adr/0009.
    # No attaching, no perf data, no dumps: servers run as the same user and could read secrets there (docs/adr/0042).
    flags=(-Xlog:disable -Xlog:all=warning:stderr -XX:+DisplayVMOutputToStderr
        -XX:+UseSerialGC -Xms48m -Xmn32m -Xmx512m --enable-native-access=dev.fusebox.platform
        -XX:+DisableAttachMechanism -XX:-UsePerfData -XX:-CreateCoredumpOnCrash -XX:-HeapDumpOnOutOfMemoryError
        -p "$app/lib")
    # Returns memory that the compilers no longer need, 3 to 4 MB after a start. Other systems print a warning.
    [[ $OSTYPE != linux-gnu ]] || flags+=(-XX:TrimNativeHeapInterval=5000)
    passing_flags=(-XX:TieredStopAtLevel=1)
    # Has no servers, and holds a few messages. There are as many of them as clients, so they share the pages of their cache,
    # and have small tables: docs/adr/0077.
    connector_flags=("${passing_flags[@]}" -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -Xms24m -Xmn2m -Xmx256m
        -XX:StringTableSize=1024 -XX:+UnlockExperimentalVMOptions -XX:SymbolTableSize=2048 -Dfusebox.connector=true)
    cache_key="$jdk_build${flags[*]} ${passing_flags[*]} ${connector_flags[*]}"
    # The worker for scripts and its AOT cache; the application checks whether they exist.
    flags=(-Dfusebox.worker="$app/worker" -Dfusebox.worker.cache="$cache.worker"
        -XX:ErrorFile="$crashes/hs_err_pid%p.log" "${flags[@]}")
}

# Adds to `flags` those for the way of serving that a command names, and its cache if there is one. The transport is
# always a word of its own.
choose_way() {
    local way=''
    if [[ $1 == serve ]] && connects "$@"; then
        flags+=("${connector_flags[@]}")
        way=.connector
    elif [[ $1 == serve ]]; then
        case " $* " in
            *' --no-prefix '* | *' proxy '*) flags=("${passing_flags[@]}" "${flags[@]}") ;;
        esac
        case " $* " in
            *' --no-prefix '*) [[ " $* " == *' http '* ]] && way=.http || way=.single ;;
        esac
    fi
    is_cached || return 0
    [[ -f $cache$way && ! $cache$way -nt $cache.made ]] || way=''
    flags=(-XX:AOTCache="$cache$way" "${flags[@]}")
}

# Whether `serve` with these arguments only connects its client to a gateway that clients share. The application decides
# that; what is guessed wrong here costs time.
connects() {
    local config='' text='' word before=''
    # The first process of a container has a gateway of its own.
    (($$ != 1)) || return 1
    for word in "$@"; do
        case $word in
            --no-prefix | http | shared | shared-project | off | --max-connections | --idle-timeout | --failure-threshold | \
                --cooldown | --help) return 1 ;;
        esac
        [[ $before != --config ]] || config=$word
        before=$word
    done
    if [[ -z $config ]]; then
        config=.mcp.json
        [[ -f $config ]] || config=${FUSEBOX_HOME:-${HOME-}/.fusebox}/config.json
    fi
    [[ " $* " != *' --share auto '* ]] || return 0
    [[ -r $config ]] || return 1
    IFS= read -r -d '' text <"$config" || :
    [[ $text != *'"share"'*'"off"'* ]]
}

# A dumb terminal supports neither escapes nor overwriting. NO_COLOR only concerns color.
look_at_terminal() {
    [[ ${TERM-dumb} != dumb ]] || return 0
    [[ ! -t 1 || -n ${NO_COLOR-} ]] || flags=(-Dfusebox.color=true "${flags[@]}")
    [[ ! -t 1 ]] || flags=(-Dfusebox.terminal=true "${flags[@]}")
    [[ ! -t 2 ]] || flags=(-Dfusebox.progress=true "${flags[@]}")
}

# For heap dumps and profilers. Servers of the same user can then read the gateway's secrets (docs/adr/0042).
allow_inspection() {
    [[ ${FUSEBOX_ALLOW_INSPECTION-} == yes ]] || return 0
    say "FUSEBOX_ALLOW_INSPECTION=yes: processes of this user, servers included, can attach to this process" \
        "and read its memory."
    flags=("${flags[@]}" -XX:-DisableAttachMechanism -Dfusebox.inspection=allow)
}

# ---- The AOT cache

# A cache that was modified after its creation is not used: the JVM trusts its content and may crash on it.
has_cache() { [[ -f $cache && ! $cache -nt $cache.made ]] && says_key "$cache.made"; }

# A failed cache is not retried at every start.
has_failed() { says_key "$cache.failed"; }

says_key() {
    local key=''
    [[ -f $1 ]] || return 1
    IFS= read -r key <"$1" || :
    [[ $key == "$cache_key" ]]
}

make_cache() {
    local way status=0
    fresh=$apps/.training.$$
    mkdir "$fresh"
    if can_rewrite; then draw "creating the AOT cache"; else say "creating the AOT cache, once for each build; this takes about a minute"; fi
    rm -f "$cache" "$cache.made" "$cache.failed" "$cache.worker" "$cache.single" "$cache.http" "$cache.connector"
    train >"$fresh/log" 2>&1 </dev/null &
    child=$!
    await_child $training_limit || status=$?
    if [[ $status == 0 && -s $fresh/cache ]]; then
        mv "$fresh/cache" "$cache"
        for way in single http connector; do make_cache_of "$way"; done
        make_worker_cache
        printf '%s\n' "$cache_key" >"$cache.made"
    else
        { printf '%s\n' "$cache_key" && cat "$fresh/log"; } >"$cache.failed"
        say "cannot create the AOT cache (status $status), so starts are slower; see $cache.failed." \
            "./fusebox build tries again."
    fi
    wipe
    rm -rf "$fresh"
    fresh=''
}

# Without it a gateway in serve mode $1 uses the general cache, starts later and needs more memory.
make_cache_of() {
    train_way "$1" >>"$fresh/log" 2>&1 </dev/null &
    child=$!
    await_child $training_limit || :
    [[ ! -s $fresh/$1 ]] || mv "$fresh/$1" "$cache.$1"
}

# Without it the first script starts half a second later.
make_worker_cache() {
    [[ -d $app/worker ]] || return 0
    train_worker >>"$fresh/log" 2>&1 </dev/null &
    child=$!
    await_child $training_limit || :
    [[ ! -s $fresh/worker ]] || mv "$fresh/worker" "$cache.worker"
}

# Without the user's own JVM options, which would make the cache unusable for other starts.
train() {
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS JDK_AOT_VM_OPTIONS _JAVA_OPTIONS
    exec "$jdk/bin/java" "${flags[@]}" -XX:AOTCacheOutput="$fresh/cache" -m "$module/$main" train
}

# Without training profiles: the JVM would compile those methods at each start, while the client waits (docs/adr/0062).
# A JVM that does not know the flag records them.
train_way() {
    local of_way=("${passing_flags[@]}")
    [[ $1 != connector ]] || of_way=("${connector_flags[@]}")
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS JDK_AOT_VM_OPTIONS _JAVA_OPTIONS
    exec "$jdk/bin/java" -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining \
        "${flags[@]}" "${of_way[@]}" -XX:AOTCacheOutput="$fresh/$1" -m "$module/$main" train "$1"
}

train_worker() {
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS JDK_AOT_VM_OPTIONS _JAVA_OPTIONS
    exec "$jdk/bin/java" "${flags[@]}" -m "$module/$main" train-worker "$fresh/worker"
}

# ---- The application

# Replaces this process by the application. $1: the launcher as users call it; the command follows.
start_application() {
    local launcher=$1
    shift
    choose_way "$@"
    look_at_terminal
    allow_inspection
    # Only the soft limit, so that servers can enable core dumps.
    ulimit -S -c 0 2>/dev/null || :
    exec "$jdk/bin/java" -Dfusebox.launcher="$launcher" -Dfusebox.app="$app" "${flags[@]}" -m "$module/$main" "$@"
}
