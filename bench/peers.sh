# Functions shared by bench/gateway, bench/comparison and bench/contact, which define `missing`.

need_node() {
    type -P node >/dev/null || missing "there is no node on the PATH; install Node 20 or newer"
}

# Installs the packages that bench/$1.json names into bench/target/$1, unless that has been done with these versions. The
# mark is set last, so that what was interrupted is done again. More words are for npm.
install_packages() {
    local names=bench/$1.json folder=bench/target/$1
    shift
    ! cmp -s "$names" "$folder/installed.json" || return 0
    mkdir -p "$folder"
    cp "$names" "$folder/package.json"
    npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "$@" >&2 && cp "$names" "$folder/installed.json"
}

# The gateways of others.
install_peers() { install_packages peers || echo "$0: npm could not install all of the others" >&2; }

# The servers of bench/contact.
install_servers() { install_packages servers --ignore-scripts; }
