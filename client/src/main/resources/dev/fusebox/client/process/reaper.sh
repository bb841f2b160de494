# Waits for the end of its input, then kills every process whose environment contains the text $1.
# A line "exit" means that nothing is left to do. Runs in any POSIX shell and needs only /proc.
exec >/dev/null 2>&1
trap '' HUP INT QUIT TERM PIPE TSTP
while read -r word; do
    [ "$word" != exit ] || exit 0
done
cd /proc || exit 1

# Fallback if grep cannot be run.
search() {
    for file in [0-9]*/environ; do
        while IFS= read -r line || [ -n "$line" ]; do
            case $line in *"$1"*) echo "$file" && break ;; esac
        done <"$file"
    done
}

# Three rounds in a row must find nothing, since a process may be between fork and exec. After 20 rounds a process
# cannot be killed, and the rounds become slower.
clean=0 rounds=0
while [ $clean -lt 3 ] && [ $rounds -lt 60 ]; do
    rounds=$((rounds + 1))
    found=$(grep -lsF -e "$1" [0-9]*/environ)
    [ $? -lt 126 ] || found=$(search "$1")
    if [ -z "$found" ]; then
        clean=$((clean + 1))
        sleep 0.1 || sleep 1
        continue
    fi
    clean=0
    for file in $found; do
        kill -KILL "${file%/environ}"
    done
    [ $rounds -lt 20 ] || sleep 1
done
