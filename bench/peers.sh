# What bench/gateway, bench/comparison and bench/contact have in common; they read this file. `missing` is theirs.

need_node() {
    type -P node >/dev/null || missing "there is no node on the PATH; install Node 20 or newer"
}

# Installs the gateways of others, unless that has been done with these versions.
install_peers() {
    mkdir -p bench/target/peers
    if ! cmp -s bench/peers.json bench/target/peers/package.json; then
        cp bench/peers.json bench/target/peers/package.json
        npm install --prefix bench/target/peers --no-audit --no-fund --loglevel=error >&2 ||
            { rm -f bench/target/peers/package.json && echo "$0: npm could not install all of the others" >&2; }
    fi
}

# Installs the servers of bench/contact, unless that has been done with these versions.
install_servers() {
    mkdir -p bench/target/servers
    if ! cmp -s bench/servers.json bench/target/servers/package.json; then
        cp bench/servers.json bench/target/servers/package.json
        npm install --prefix bench/target/servers --ignore-scripts --no-audit --no-fund --loglevel=error >&2 ||
            { rm -f bench/target/servers/package.json && return 1; }
    fi
}
