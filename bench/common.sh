# Common functions of the scripts in this folder; they source this file from the root of the repository.

# Ends the script because something is missing on this machine.
missing() { echo "bench/${0##*/}: $1" >&2; exit 2; }

need_node() {
    type -P node >/dev/null || missing "there is no node on the PATH; install Node 20 or newer"
}

# Builds the application unless it is up to date, and names its JDK in JAVA_HOME.
build_application() {
    JAVA_HOME=$(./fusebox jdk)
    export JAVA_HOME
    ./fusebox version >&2
}

# Builds the Java programs of the benchmarks. Further arguments are for Maven.
build_bench() { mvn -q -B -pl bench -am package -DskipTests -Dspotless.check.skip=true "$@" >&2; }

# Installs the packages that bench/$1.json names into bench/target/$1, unless that has been done with these versions. The
# mark is set last, so that an interrupted installation is repeated. Further arguments are for npm.
install_packages() {
    local names=bench/$1.json folder=bench/target/$1
    shift
    ! cmp -s "$names" "$folder/installed.json" || return 0
    mkdir -p "$folder"
    cp "$names" "$folder/package.json"
    npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "$@" >&2 && cp "$names" "$folder/installed.json"
}

# The other gateways.
install_peers() { install_packages peers || echo "bench/${0##*/}: npm could not install all other gateways" >&2; }

# The servers of bench/contact.
install_servers() { install_packages servers --ignore-scripts; }
