# shellcheck shell=bash
# Two npm packages: a small one, which is the same for all platforms, and its dependency for the target. Sourced by packaging/build.

# The platforms whose packages have been run. The small package names them as optional dependencies.
readonly npm_platforms='["linux-x64"]'

make_npm() {
    local os cpu libc='' folder=$work/npm
    case $target in linux-*) os=linux libc=glibc ;; *) os=darwin ;; esac
    cpu=${target#*-}
    mkdir -p "$folder/bin"
    cp "$root/packaging/npm-fusebox" "$folder/bin/fusebox"
    cp "$root/LICENSE" "$root/NOTICE" "$folder"
    write_npm_readme >"$folder/README.md"
    jq -n --arg version "$version" --argjson platforms "$npm_platforms" '{
        name: "fusebox", version: $version, description: "A circuit-breaking gateway for MCP servers", license: "Apache-2.0",
        bin: { fusebox: "bin/fusebox" },
        optionalDependencies: ([$platforms[] | { "fusebox-\(.)": $version }] | add)
    }' >"$folder/package.json"
    normalize "$folder"
    archive "$folder" package | gzip -n -9 >"$out/fusebox-$version.npm.tgz"
    jq -n --arg version "$version" --arg target "$target" --arg os "$os" --arg cpu "$cpu" --arg libc "$libc" '{
        name: "fusebox-\($target)", version: $version, description: "Fusebox for \($target): application and Java runtime",
        license: "Apache-2.0", os: [$os], cpu: [$cpu]
    } + (if $libc == "" then {} else { libc: [$libc] } end)' >"$tree/package.json"
    normalize "$tree"
    archive "$tree" package | gzip -n -9 >"$out/$name.npm.tgz"
    rm "$tree/package.json"
    normalize "$tree"
}

write_npm_readme() {
    printf '%s\n' '# Fusebox' '' 'A circuit-breaking gateway for MCP servers.' '' '```' 'npx fusebox serve --config servers.json' '```' '' \
        'No JDK is needed: the package of the platform contains a Java runtime. The first start makes caches in the background,' \
        'which later starts use.'
}
