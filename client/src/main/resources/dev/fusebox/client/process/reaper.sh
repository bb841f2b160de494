# Waits for the end of its input, then kills every process whose environment holds the text $1.
# "bye" instead of the end means that nothing is left to do. For any POSIX shell; needs nothing but /proc.
exec >/dev/null 2>&1
trap '' HUP INT QUIT TERM PIPE TSTP
while read -r word; do
    [ "$word" != bye ] || exit 0
done
cd /proc || exit 1

# The fallback if grep cannot be run.
search() {
    for file in [0-9]*/environ; do
        while IFS= read -r line || [ -n "$line" ]; do
            case $line in *"$1"*) echo "$file" && break ;; esac
        done <"$file"
    done
}

# Three looks in a row must find nothing: a program may just have been on its way. After 20 looks something cannot be
# killed, and there is no hurry any more.
clean=0 looks=0
while [ $clean -lt 3 ] && [ $looks -lt 60 ]; do
    looks=$((looks + 1))
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
    [ $looks -lt 20 ] || sleep 1
done
